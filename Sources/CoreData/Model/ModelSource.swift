import FoundationGaps
import ModelArchive
import ModelFormat

/// A file or folder with the versions of a model, whatever its kind: Xcode's documents, compiled models, and the
/// one-file resource of a build.
package struct ModelSource {
    package let url: URL
    /// The names of the versions, sorted.
    package let versionNames: [String]
    package let currentVersionName: String
    private let kind: Kind

    private enum Kind {
        case document(ModelDocumentFolder)
        case resource(ModelBundleFile)
        case compiledFolder
        case compiledFile(Data)
    }

    /// The endings of names of models.
    package static let pathExtensions = ["momd", "mom", "xcdatamodeld", "xcdatamodel"]

    /// Looks at a file or folder; a version is read when it is asked for.
    ///
    /// - Throws: `ModelDocumentError`, with the file, if there is nothing, or nothing that is a model.
    package init(contentsOf url: URL) throws {
        self.url = url
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) else {
            if let parts = try Self.version(url) {
                (kind, versionNames, currentVersionName) = parts
                return
            }
            throw ModelDocumentError(.unreadableFile, "There is no such file or folder.", url: url)
        }
        let parts = try isDirectory.boolValue ? Self.folder(url) : Self.file(url)
        (kind, versionNames, currentVersionName) = parts
    }

    private typealias Parts = (kind: Kind, versionNames: [String], currentVersionName: String)

    private static func folder(_ url: URL) throws -> Parts {
        if url.pathExtension == "momd" {
            let (names, current) = try compiledVersions(in: url)
            return (.compiledFolder, names, current)
        }
        let document = try ModelDocumentFolder(contentsOf: url)
        return (.document(document), document.versionNames, document.currentVersionName)
    }

    /// A version of a one-file resource, by the URL that it would have in a folder: `League.momd/League 2.mom`; nil for
    /// anything else.
    private static func version(_ url: URL) throws -> Parts? {
        let resource = url.deletingLastPathComponent()
        guard url.pathExtension == "mom", isOneFile(resource) else { return nil }
        let name = url.deletingPathExtension().lastPathComponent
        let (kind, names, _) = try file(resource)
        return names.contains(name) ? (kind, [name], name) : nil
    }

    /// Whether a URL is that of a resource with all versions in one file.
    static func isOneFile(_ url: URL) -> Bool {
        var isDirectory: ObjCBool = false
        return url.pathExtension == "momd"
            && FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) && !isDirectory.boolValue
    }

    private static func file(_ url: URL) throws -> Parts {
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            throw ModelDocumentError(
                .unreadableFile, sentence: "The file cannot be read: \(whole: error.localizedDescription)", url: url)
        }
        do {
            let resource = try ModelBundleFile(data: data)
            return (.resource(resource), resource.versions.keys.sorted(), resource.currentVersionName)
        } catch let error as ModelDocumentError where error.code == .damagedBundleFile && url.pathExtension != "momd" {
            let name = url.deletingPathExtension().lastPathComponent
            return (.compiledFile(data), [name], name)
        } catch var error as ModelDocumentError {
            error.url = url
            throw error
        }
    }

    /// The module that the model was built into, where the source says so.
    var moduleName: String? {
        if case .resource(let resource) = kind { resource.moduleName } else { nil }
    }

    /// Whether the versions are archives, which may hold parts that this library does not know.
    var isCompiled: Bool {
        switch kind {
        case .compiledFolder, .compiledFile: true
        case .document, .resource: false
        }
    }

    /// Reads a version.
    ///
    /// - Parameters:
    ///   - version: nil is the current one.
    ///   - notes: Where parts of a compiled model are noted that are not understood, and left out.
    /// - Throws: `ModelDocumentError`, or a Cocoa error for a damaged archive.
    package func document(version: String? = nil, leavingOut notes: ReadingNotes? = nil) throws -> Model {
        let name = version ?? currentVersionName
        switch kind {
        case .document(let folder): return try folder.model(version: name)
        case .resource(let resource): return try resource.model(version: name)
        case .compiledFile(let data): return try ModelArchive.read(data, leavingOut: notes)
        case .compiledFolder:
            let file = url.appendingPathComponent(name + ".mom")
            guard let data = try? Data(contentsOf: file) else {
                throw ModelDocumentError(
                    .unreadableFile, sentence: "The compiled model of the version \"\(name)\" cannot be read.",
                    url: file)
            }
            return try ModelArchive.read(data, leavingOut: notes)
        }
    }

    // MARK: Compiled folders

    /// The versions of a compiled folder, and the current one: the one that `VersionInfo.plist` names, else, as in
    /// folders of one version, the one with the folder's name or the first.
    private static func compiledVersions(in url: URL) throws -> ([String], String) {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        let names = files.filter { $0.hasSuffix(".mom") }.map { String($0.dropLast(4)) }.sorted()
        guard let first = names.first else {
            throw ModelDocumentError(.notAModel, "The folder holds no compiled model (.mom).", url: url)
        }
        guard let current = try versionInfo(in: url)?.currentVersionName else {
            let name = url.deletingPathExtension().lastPathComponent
            return (names, names.contains(name) ? name : first)
        }
        guard names.contains(current) else {
            throw ModelDocumentError(
                .damagedVersionList,
                sentence:
                    "VersionInfo.plist names \"\(current)\" as the current version, but the folder does not have its compiled model.",
                url: url)
        }
        return (names, current)
    }

    private static func versionInfo(in url: URL) throws -> VersionInfo? {
        let file = url.appendingPathComponent("VersionInfo.plist")
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        do {
            return try VersionInfo(Data(contentsOf: file))
        } catch {
            throw ModelDocumentError(.damagedVersionList, error.localizedDescription, url: file)
        }
    }
}
