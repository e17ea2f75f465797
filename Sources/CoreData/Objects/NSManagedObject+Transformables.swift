import FoundationGaps

extension NSManagedObject {
    /// The value of a transformable attribute; transformed once, then kept.
    func transformedValue(_ slot: PropertySlot) -> Any? {
        fireIfNeeded()
        if let box = record?.cache(slot.index, as: ValueBox.self) { return box.value }
        switch current(slot) {
        case .object(let box as ValueBox): return box.value
        case .data(let data):
            guard let value = slot.transform(data) else { return nil }
            mutableRecord.setCache(slot.index, ValueBox(value))
            return value
        default: return nil
        }
    }
}

extension PropertySlot {
    /// Turns the stored data of a transformable attribute into its value: by the model's transformer, reversed.
    func transform(_ data: Data) -> Any? { transformer.reverseTransformedValue(data) }

    /// Turns the value of a transformable attribute into the data to store.
    ///
    /// - Throws: `NSManagedObjectValidationError` where the transformer gives no data.
    func data(from value: Any) throws -> Data {
        if let data = transformer.transformedValue(value) as? Data { return data }
        throw NSError.cocoa(
            NSManagedObjectValidationError,
            "The value of \"\(name)\" could not be transformed into data by \(attribute?.valueTransformerName ?? "the default transformer").",
            userInfo: [NSValidationKeyErrorKey: name, NSValidationValueErrorKey: value])
    }

    /// The attribute's transformer; without a name, the secure one for keyed archives.
    private var transformer: ValueTransformer {
        let name = attribute?.valueTransformerName ?? ""
        let key = name.isEmpty ? .secureUnarchiveFromDataTransformerName : NSValueTransformerName(name)
        guard let transformer = ValueTransformer(forName: key) else {
            preconditionFailure(
                "No value transformer is registered under the name \"\(name)\" of attribute \"\(self.name)\"; call ValueTransformer.setValueTransformer(_:forName:) before the store is used."
            )
        }
        return transformer
    }
}
