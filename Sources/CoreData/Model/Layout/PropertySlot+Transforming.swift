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
