import FoundationGaps

extension PropertySlot {
    /// Turns the stored data of a transformable attribute into its value, by the model's transformer.
    ///
    /// - Throws: `CocoaError.coderReadCorrupt` if the data is no archive that an unarchiving transformer accepts.
    func transform(_ data: Data) throws -> Any? { try transformer.value(forStored: data) }

    /// Turns the value of a transformable attribute into the data to store.
    ///
    /// - Throws: `NSManagedObjectValidationError` where the transformer gives no data.
    func data(from value: Any) throws -> Data {
        do {
            return try transformer.storedData(for: value)
        } catch {
            throw NSError.cocoa(
                NSManagedObjectValidationError,
                "The value of \"\(name)\" could not be transformed into data: \(error.localizedDescription)",
                userInfo: [
                    NSValidationKeyErrorKey: name, NSValidationValueErrorKey: value, NSUnderlyingErrorKey: error,
                ])
        }
    }

    /// A value as a store takes it: data in the place of what an object holds.
    ///
    /// - Throws: As ``data(from:)``.
    func storable(_ value: Slot) throws -> Slot {
        guard case .object(let box as ValueBox) = value else { return value }
        switch kind {
        case .transformable: return .data(try data(from: box.value))
        case .objectID:
            guard let id = box.value as? NSManagedObjectID else { return .null }
            return .data(Data(id.uriRepresentation().absoluteString.utf8))
        default: return value
        }
    }

    /// The attribute's transformer; without a name, the secure one for keyed archives.
    private var transformer: ValueTransformer {
        let name = attribute?.valueTransformerName ?? ""
        let key = name.isEmpty ? .secureUnarchiveFromDataTransformerName : NSValueTransformerName(name)
        guard let transformer = ValueTransformer(forName: key) else {
            programmerError(
                "No value transformer is registered under the name \"\(name)\" of attribute \"\(self.name)\"; call ValueTransformer.setValueTransformer(_:forName:) before the store is used."
            )
        }
        return transformer
    }
}
