import Foundation
import PropertyLists

/// What `VersionInfo.plist` beside the compiled versions of a model says.
package struct VersionInfo: Sendable, Hashable {
    /// The name of the current version's file, without its extension; not there where the document does not state one.
    package var currentVersionName: String?
    /// The hashes of each version's entities.
    package var hashes: [String: [String: Data]]
    /// The checksums of versions, which older tools don't write.
    package var checksums: [String: String]

    /// - Parameters:
    ///   - currentVersionName: The current version, if the document states one.
    ///   - versions: The hashes of each version.
    package init(currentVersionName: String?, versions: [String: VersionHashes]) {
        self.currentVersionName = currentVersionName
        hashes = versions.mapValues(\.entities)
        checksums = versions.mapValues(\.checksum)
    }

    /// The property list, binary as Xcode writes it.
    package var data: Data {
        var list: [String: PropertyListValue] = [
            Key.hashes.rawValue: .dictionary(hashes.mapValues { .dictionary($0.mapValues { .data($0) }) })
        ]
        if let currentVersionName { list[Key.currentVersionName.rawValue] = .string(currentVersionName) }
        if !checksums.isEmpty { list[Key.checksums.rawValue] = .dictionary(checksums.mapValues { .string($0) }) }
        return PropertyListValue.dictionary(list).binary
    }

    /// Reads the property list, binary or XML.
    ///
    /// - Throws: `CocoaError.fileReadCorruptFile` (259) where the data is no property list or holds other things.
    package init(_ data: Data) throws {
        guard let list = try? PropertyListValue.foundationValue(of: data) as? [String: Any] else {
            throw corruptArchive("The version info of the compiled model is no property list.")
        }
        currentVersionName = try Self.value(list, .currentVersionName)
        hashes = try Self.value(list, .hashes) ?? [:]
        checksums = try Self.value(list, .checksums) ?? [:]
    }

    private enum Key: String {
        case currentVersionName = "NSManagedObjectModel_CurrentVersionName"
        case hashes = "NSManagedObjectModel_VersionHashes"
        case checksums = "NSManagedObjectModel_VersionChecksums"
    }

    private static func value<Value>(_ list: [String: Any], _ key: Key) throws -> Value? {
        guard let any = list[key.rawValue] else { return nil }
        guard let value = any as? Value else {
            throw corruptArchive(
                "The version info of the compiled model is damaged: “\(key.rawValue)” is of another type.")
        }
        return value
    }
}
