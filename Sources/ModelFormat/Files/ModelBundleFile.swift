import Foundation
import PropertyLists

/// The model resource that a build puts beside an executable: one file, `NAME.momd`, with the documents of all
/// versions.
///
/// ```swift
/// let document = try ModelDocumentFolder(contentsOf: url)
/// let resource = try ModelBundleFile(document: document, moduleName: "League")
/// try resource.data().write(to: URL(filePath: "League.momd"))
/// print(try resource.model().entities.map(\.name))
/// ```
///
/// It is one file because build systems copy a folder once and miss later changes in it. It has the documents' own
/// bytes, so that each version keeps all that it says.
///
/// The file is a binary property list, an array of:
///
/// 1. the text `swift-coredata model`
/// 2. the format's number
/// 3. the model's name
/// 4. the module's name, empty for none
/// 5. the current version's name
/// 6. the names of all versions, in order
/// 7. the bytes of their `contents`, in the same order
///
/// An array has a fixed order, so the same model always gives the same file.
public struct ModelBundleFile: Sendable, Hashable {
    /// The number of the format that this release writes.
    ///
    /// A file with a higher number is refused with `newerBundleFile`.
    public static let formatVersion = 1
    private static let signature = "swift-coredata model"

    /// The model's name: that of the document's folder, without extension.
    public var name: String

    /// The module that the model was built into; `nil` for none.
    ///
    /// Class names such as `.Player` mean this module.
    public var moduleName: String?

    /// The name of the version that is opened by default.
    public var currentVersionName: String

    /// The bytes of each version's `contents`, by the version's name.
    public var versions: [String: Data]

    /// The resource of some versions. The bytes are not parsed here.
    ///
    /// - Parameters:
    ///   - name: The model's name.
    ///   - moduleName: The module that the model is built into.
    ///   - currentVersionName: One of the names in `versions`.
    ///   - versions: The bytes of each version's `contents`, by name.
    public init(name: String, moduleName: String? = nil, currentVersionName: String, versions: [String: Data]) {
        self.name = name
        self.moduleName = moduleName
        self.currentVersionName = currentVersionName
        self.versions = versions
    }

    /// The resource of a document, with all its versions.
    ///
    /// - Throws: `ModelDocumentError` if a version can't be read or parsed.
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

    /// Reads a resource from a file.
    ///
    /// - Throws: `ModelDocumentError` `unreadableFile`, `damagedBundleFile` or `newerBundleFile`, with the file.
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

    /// Reads a resource from its bytes. The versions are parsed later, by ``model(version:)``.
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

    /// The resource's bytes. The same value always gives the same bytes.
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
    /// - Parameter version: A version's name; `nil` is the current one.
    /// - Throws: `ModelDocumentError`: for a version that the resource does not have, and for damaged bytes.
    public func model(version: String? = nil) throws -> Model {
        let name = version ?? currentVersionName
        guard let contents = versions[name] else {
            throw ModelDocumentError(.notAModel, sentence: "There is no version '\(name)' in the model resource.")
        }
        return try Model(contents: contents)
    }
}
