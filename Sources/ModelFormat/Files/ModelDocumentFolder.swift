import Foundation

/// A model document on disk: a `.xcdatamodeld` folder with its versions, or a single `.xcdatamodel`.
///
/// Opening it reads the list of versions only; a version is parsed when it is asked for.
///
/// ```swift
/// let document = try ModelDocumentFolder(contentsOf: URL(filePath: "League.xcdatamodeld"))
/// print(document.versionNames, document.currentVersionName)
/// let model = try document.model()
/// ```
public struct ModelDocumentFolder: Sendable {
    /// The folder that was opened: `League.xcdatamodeld`, or a single `League.xcdatamodel`.
    public let url: URL

    /// The document's name: the folder's name without extension.
    public let name: String

    /// The versions' names without extension, sorted. There is at least one.
    public let versionNames: [String]

    /// The name of the version that is compiled and opened by default.
    ///
    /// It is the name in `.xccurrentversion`. Without this file it is the version with the document's name, or the
    /// first by name.
    public let currentVersionName: String

    /// The list of versions, `.xccurrentversion`; `nil` where there is none.
    ///
    /// A single `.xcdatamodel` has none.
    public let versionList: ModelVersionList?

    let isSingleVersion: Bool

    /// Whether `.xccurrentversion` names the current version.
    ///
    /// Xcode writes that file with a document's second version.
    public var statesCurrentVersion: Bool { versionList?.currentVersionName != nil }

    /// Opens a document.
    ///
    /// With no `.xccurrentversion` the version that is named like the document is the current one, else the first by
    /// name.
    ///
    /// - Parameter url: a `.xcdatamodeld` or `.xcdatamodel` folder.
    /// - Throws: `ModelDocumentError` `unreadableFile`, `notAModel` or `damagedVersionList`.
    public init(contentsOf url: URL) throws {
        self.url = url
        name = url.deletingPathExtension().lastPathComponent
        isSingleVersion = url.pathExtension == "xcdatamodel"
        guard !isSingleVersion else {
            try Self.checkFolder(url)
            versionNames = [name]
            currentVersionName = name
            versionList = nil
            return
        }
        versionNames = try Self.versionNames(in: url)
        versionList = try Self.versionList(in: url, among: versionNames)
        let stated = versionList?.currentVersionName
        currentVersionName = stated ?? (versionNames.contains(name) ? name : versionNames[0])
    }

    /// The bytes of a version's `contents` file.
    ///
    /// - Parameter version: a version's name; `nil` is the current one.
    /// - Throws: `ModelDocumentError`: `notAModel` for an unknown version or a folder without content, `binaryDocument`
    ///   for a document of Xcode 3.
    public func contents(ofVersion version: String? = nil) throws -> Data {
        let folder = try versionURL(version ?? currentVersionName)
        let file = folder.appending(path: "contents")
        if let data = try? Data(contentsOf: file) { return data }
        if FileManager.default.fileExists(atPath: folder.appending(path: "elements").path) {
            throw ModelDocumentError(
                .binaryDocument,
                "The document is of the binary kind that Xcode 3 wrote (a file 'elements'). Open and save it in Xcode 4 or later.",
                url: folder)
        }
        guard FileManager.default.fileExists(atPath: file.path) else {
            throw ModelDocumentError(.notAModel, "The folder holds no file 'contents'.", url: folder)
        }
        throw ModelDocumentError(.unreadableFile, "The file cannot be read: check its permissions.", url: file)
    }

    /// The place of a version's `contents` file. It is not looked at, and the version need not exist.
    ///
    /// - Parameter version: A version's name.
    public func contentsURL(ofVersion version: String) -> URL {
        (isSingleVersion ? url : url.appending(path: version + ".xcdatamodel")).appending(path: "contents")
    }

    /// Reads a version.
    ///
    /// - Parameter version: a version's name; `nil` is the current one.
    /// - Throws: `ModelDocumentError`, placed in the file.
    public func model(version: String? = nil) throws -> Model {
        let contents = try contents(ofVersion: version)
        do {
            return try Model(contents: contents)
        } catch let error as ModelDocumentError {
            throw error.at(try versionURL(version ?? currentVersionName).appending(path: "contents"))
        }
    }

    /// The folder of a version.
    private func versionURL(_ version: String) throws -> URL {
        guard versionNames.contains(version) else {
            throw ModelDocumentError(
                .notAModel,
                sentence: "There is no version '\(version)'; there are \(list: versionNames.map { "'\($0)'" }).",
                url: url)
        }
        return isSingleVersion ? url : url.appending(path: version + ".xcdatamodel")
    }
}

extension ModelDocumentFolder {
    private static func checkFolder(_ url: URL) throws {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) else {
            throw ModelDocumentError(.unreadableFile, "There is no such file or folder.", url: url)
        }
        guard isDirectory.boolValue else {
            throw ModelDocumentError(.notAModel, "A model document is a folder; this is a file.", url: url)
        }
    }

    private static func versionNames(in url: URL) throws -> [String] {
        try checkFolder(url)
        let entries: [String]
        do {
            entries = try FileManager.default.contentsOfDirectory(atPath: url.path)
        } catch {
            throw ModelDocumentError(
                .unreadableFile, sentence: "The folder cannot be read: \(whole: error.localizedDescription)", url: url)
        }
        let suffix = ".xcdatamodel"
        let names = entries.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }.sorted()
        guard !names.isEmpty else {
            throw ModelDocumentError(.notAModel, "The folder holds no model version (.xcdatamodel).", url: url)
        }
        return names
    }

    private static func versionList(in url: URL, among versions: [String]) throws -> ModelVersionList? {
        let file = url.appending(path: ".xccurrentversion")
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        guard let data = try? Data(contentsOf: file) else {
            throw ModelDocumentError(
                .damagedVersionList, "The list of versions cannot be read: check its permissions.", url: file)
        }
        let list: ModelVersionList
        do {
            list = try ModelVersionList(data: data)
        } catch let error as ModelDocumentError {
            throw error.at(file)
        }
        // Xcode writes a list without a name when a document gets its folder before it gets a second version.
        guard let name = list.currentVersionName, !versions.contains(name) else { return list }
        throw ModelDocumentError(
            .damagedVersionList,
            sentence: "The current version is to be '\(list.currentVersionFile ?? name)', which is not in the folder.",
            url: file)
    }
}
