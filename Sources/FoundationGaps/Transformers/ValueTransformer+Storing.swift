import Foundation

/// The use of transformers by stores, which keep data and want to say what went wrong.
///
/// A transformer of one's own transforms values into data. The unarchiving ones are named for the other direction and
/// used in reverse, as Core Data does.
extension ValueTransformer {
    /// The data that stands for a value in a store.
    ///
    /// - Throws: `CocoaError.coderInvalidValue` if the value can't be archived, or the transformer gave no data.
    package func storedData(for value: Any) throws -> Data {
        let archiver = self as? NSSecureUnarchiveFromDataTransformer
        let result = archiver == nil ? transformedValue(value) : reverseTransformedValue(value)
        if let data = result as? Data { return data }
        // What went wrong in archiving is found out by doing it again.
        if let data = try archiver?.archived(value) { return data }
        throw SecureArchive.invalidValue("\(type(of: self)) made no data of a value of type \(type(of: value)).")
    }

    /// The value for which data stands in a store; nil if the transformer says so.
    ///
    /// - Throws: `CocoaError.coderReadCorrupt` if the data is no archive that an unarchiving transformer accepts.
    package func value(forStored data: Data) throws -> Any? {
        guard let archiver = self as? NSSecureUnarchiveFromDataTransformer else { return reverseTransformedValue(data) }
        return try archiver.transformedValue(data) ?? archiver.unarchived(data)
    }
}
