import Foundation
import PropertyLists

/// The model resource that a build lays beside an executable: one file, `NAME.momd`, with the documents of all
/// versions.
///
/// One file, because build systems copy a folder once and never notice its changes; the documents' own bytes, because
/// every version then keeps all that it says. The file is a binary property list, an array: the text `swift-coredata
/// model`, the format's number, the model's name, the module's name (empty for none), the current version's name, the
/// names of all versions in order, and the bytes of their `contents`. An array, because dictionaries come out in
/// another order each time, and the same model shall always give the same file.
public struct ModelBundleFile: Sendable, Hashable {
    /// The number of the format that this release writes.
    public static let formatVersion = 1
    private static let signature = "swift-coredata model"

    /// The model's name.
    public var name: String
    /// The module that the model was built into; class names such as `.Player` mean this module.
    public var moduleName: String?
    /// The version that is opened by default.
    public var currentVersionName: String
    /// The bytes of each version's `contents` by its name.
    public var versions: [String: Data]

    /// The resource of these versions.
    public init(name: String, moduleName: String? = nil, currentVersionName: String, versions: [String: Data]) {
        self.name = name
        self.moduleName = moduleName
        self.currentVersionName = currentVersionName
        self.versions = versions
    }

    /// The resource of a document.
    ///
    /// - Throws: `ModelDocumentError` if a version cannot be read or parsed.
    public init(document: ModelDocumentFolder, moduleName: String? = nil) throws {
        var versions: [String: Data] = [:]
        for version in document.versionNames {
            _ = try document.model(version: version)
            versions[version] = try document.contents(ofVersion: version)
        }
        self.init(
            name: document.name, moduleName: moduleName, currentVersionName: document.currentVersionName,
            versions: versions)
    }

    /// Reads a resource.
    ///
    /// - Throws: `ModelDocumentError` `unreadableFile`, `damagedBundleFile` or `newerBundleFile`.
    public init(contentsOf url: URL) throws {
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            throw ModelDocumentError(
                .unreadableFile, sentence: "The file cannot be read: \(whole: error.localizedDescription)", url: url)
        }
        do {
            try self.init(data: data)
        } catch let error as ModelDocumentError {
            throw error.at(url)
        }
    }

    /// Reads a resource's bytes.
    ///
    /// - Throws: `ModelDocumentError` `damagedBundleFile` or `newerBundleFile`.
    public init(data: Data) throws {
        guard let fields = try? PropertyListValue(binary: data).array, fields.count >= 2,
            fields[0].string == Self.signature, case .integer(let format) = fields[1]
        else { throw ModelDocumentError(.damagedBundleFile, "The file is no model resource, or damaged.") }
        guard format <= Self.formatVersion else {
            throw ModelDocumentError(
                .newerBundleFile,
                sentence: "The model resource has format \(format); this release reads up to \(Self.formatVersion).")
        }
        guard fields.count == 7, let name = fields[2].string, let module = fields[3].string,
            let current = fields[4].string, let versions = Self.versions(names: fields[5], contents: fields[6]),
            versions[current] != nil
        else { throw ModelDocumentError(.damagedBundleFile, "The model resource lacks its versions.") }
        self.init(
            name: name, moduleName: module.isEmpty ? nil : module, currentVersionName: current,
            versions: versions)
    }

    private static func versions(names: PropertyListValue, contents: PropertyListValue) -> [String: Data]? {
        guard let names = names.array?.map(\.string), let contents = contents.array?.map(\.data),
            names.count == contents.count
        else { return nil }
        var versions: [String: Data] = [:]
        for case (let name, let contents) in zip(names, contents) {
            guard let name, let contents else { return nil }
            versions[name] = versions[name] ?? contents
        }
        return versions
    }

    /// The resource's bytes; the same value always gives the same bytes.
    public func data() -> Data {
        let ordered = versions.sorted { $0.key < $1.key }
        let fields: [PropertyListValue] = [
            .string(Self.signature), .integer(Int64(Self.formatVersion)), .string(name), .string(moduleName ?? ""),
            .string(currentVersionName), .array(ordered.map { .string($0.key) }),
            .array(ordered.map { .data($0.value) }),
        ]
        return PropertyListValue.array(fields).binary
    }

    /// Reads a version.
    ///
    /// - Parameter version: a version's name; `nil` is the current one.
    /// - Throws: `ModelDocumentError`.
    public func model(version: String? = nil) throws -> Model {
        let name = version ?? currentVersionName
        guard let contents = versions[name] else {
            throw ModelDocumentError(.notAModel, sentence: "There is no version '\(name)' in the model resource.")
        }
        return try Model(contents: contents)
    }
}
