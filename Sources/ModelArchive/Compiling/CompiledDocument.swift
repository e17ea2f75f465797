import Foundation
import ModelFormat

/// What Xcode's model compiler makes of a model document: `Name.momd`, a folder with a `.mom` for each version and
/// `VersionInfo.plist`, or a single `.mom`.
///
/// ```swift
/// let document = try ModelDocumentFolder(contentsOf: URL(filePath: "League.xcdatamodeld"))
/// try CompiledDocument(document).write(to: URL(filePath: "League.momd"))
/// ```
///
/// The `.omo` that recent Xcodes put beside the current version is a second, faster form of its `.mom`. Its format is
/// not public and the framework does without it, so none is written.
package struct CompiledDocument: Sendable {
    /// What is written.
    package enum Content: Sendable {
        /// The archive of an `.xcdatamodel`.
        case file(Data)
        /// The files of a folder by their names.
        case folder([String: Data])
    }

    package let content: Content

    /// Compiles a document, every version of it.
    ///
    /// - Throws: `ModelDocumentError` for a version that can't be read, `CocoaError.fileWriteUnknown` (512) with a
    ///   sentence that names version and property for one that no archive can say.
    package init(_ document: ModelDocumentFolder) throws {
        let versions = try document.versionNames.map { name in
            (name: name, model: try document.model(version: name).compiled())
        }
        guard document.url.pathExtension == "xcdatamodeld" else {
            content = .file(try Self.archive(versions[0].model, version: versions[0].name))
            return
        }
        var files: [String: Data] = [:]
        for version in versions {
            files[version.name + ".mom"] = try Self.archive(version.model, version: version.name)
        }
        let hashes = try versions.map { ($0.name, try VersionHashes($0.model)) }
        let info = VersionInfo(
            currentVersionName: document.statesCurrentVersion ? document.currentVersionName : nil,
            versions: Dictionary(hashes) { first, _ in first })
        files["VersionInfo.plist"] = info.data
        content = .folder(files)
    }

    private static func archive(_ model: Model, version: String) throws -> Data {
        do {
            return try ModelArchive.write(model, as: .file)
        } catch let error as CocoaError {
            throw unwritableValue("The version “\(version)” can't be compiled. \(whole: error.localizedDescription)")
        }
    }
}

// MARK: - Writing

extension CompiledDocument {
    /// Writes the compiled document. A folder is written aside first and put in the place of what was there when it is
    /// complete.
    ///
    /// - Parameter url: The place of the `.mom` file or `.momd` folder.
    /// - Throws: `CocoaError` if the place can't be written.
    package func write(to url: URL) throws {
        switch content {
        case .file(let data):
            try data.write(to: url, options: .atomic)
        case .folder(let files):
            let manager = FileManager.default
            let parent = url.deletingLastPathComponent()
            let new = parent.appendingPathComponent(".\(url.lastPathComponent).\(UUID().uuidString)")
            try manager.createDirectory(at: new, withIntermediateDirectories: false)
            do {
                for (name, data) in files { try data.write(to: new.appendingPathComponent(name)) }
                if manager.fileExists(atPath: url.path) { try manager.removeItem(at: url) }
                try manager.moveItem(at: new, to: url)
            } catch {
                try? manager.removeItem(at: new)
                throw error
            }
        }
    }
}
