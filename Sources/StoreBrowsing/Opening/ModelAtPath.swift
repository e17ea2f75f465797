import CoreData
import Foundation
import ModelDocument

/// Finds the model behind a path: a document, a compiled model, or a store that carries one.
package enum ModelAtPath {
    /// - Parameters:
    ///   - path: A `.xcdatamodeld`, a `.xcdatamodel`, a `.mom`, a `.momd` (folder or file), or a store.
    ///   - version: The version to read; nil: the current one.
    ///   - tell: Takes lines for the user about a store.
    /// - Throws: ``ToolFailure``.
    package static func read(
        _ path: String, version: String?, telling tell: @escaping (String) -> Void
    ) throws -> Model {
        if StorePlace.isDatabase(path) { return try OpenedStore(StorePlace(path), telling: tell).requiredModel() }
        let url = URL(fileURLWithPath: path)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw ToolFailure(.missingFile, "There is no file at \(path).")
        }
        guard isFolder.boolValue || isModel(path) else {
            return try OpenedStore(url: url.resolvingSymlinksInPath(), telling: tell).requiredModel()
        }
        return try reporting { try ModelSource(contentsOf: url).document(version: version) }
    }

    /// Whether a path names a document or a compiled model; anything else is taken for a store.
    package static func isModel(_ path: String) -> Bool {
        ModelSource.pathExtensions.contains(URL(fileURLWithPath: path).pathExtension.lowercased())
    }

    /// Reads a model, with what fails as a failure of the command.
    package static func reporting<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as ModelDocumentError {
            throw ToolFailure(error, code: code(for: error.code))
        } catch {
            throw OpenedStore.failure(error)
        }
    }

    private static func code(for code: ModelDocumentError.Code) -> ToolFailure.Code {
        switch code {
        case .unreadableFile: .missingFile
        case .notAModel, .binaryDocument: .foreign
        case .damagedXML, .invalidContent, .excessiveContent, .damagedVersionList, .damagedBundleFile, .newerBundleFile:
            .damaged
        case .unwritableContent, .unwritableFile, .invalidVersion, .invalidEdit: .other
        }
    }
}
