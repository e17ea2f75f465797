import Foundation

/// What `VersionInfo.plist` beside the compiled versions of a model says.
package struct VersionInfo: Sendable, Hashable {
    /// The name of the current version's file, without its extension; models with one version may not name it.
    package var currentVersionName: String?
    /// The hashes of each version's entities.
    package var hashes: [String: [String: Data]]
    /// The checksums of versions, which older tools don't write.
    package var checksums: [String: String]

    /// Reads the property list, binary or XML.
    ///
    /// - Throws: `CocoaError.fileReadCorruptFile` (259) where the data is no property list or holds other things.
    package init(_ data: Data) throws {
        guard let list = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any] else {
            throw corruptArchive("The version info of the compiled model is no property list.")
        }
        currentVersionName = try Self.value(list, "NSManagedObjectModel_CurrentVersionName")
        hashes = try Self.value(list, "NSManagedObjectModel_VersionHashes") ?? [:]
        checksums = try Self.value(list, "NSManagedObjectModel_VersionChecksums") ?? [:]
    }

    private static func value<Value>(_ list: [String: Any], _ key: String) throws -> Value? {
        guard let any = list[key] else { return nil }
        guard let value = any as? Value else {
            throw corruptArchive("The version info of the compiled model is damaged: “\(key)” is of another type.")
        }
        return value
    }
}
