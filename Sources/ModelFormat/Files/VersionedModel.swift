import Foundation
import PropertyLists

/// A whole model document as a value: every version with its model, and which of them is current.
///
/// `ModelDocumentFolder` reads one version of a document; this holds all of it, to be edited and written back.
///
/// ```swift
/// let url = URL(filePath: "League.xcdatamodeld")
/// var document = try VersionedModel(contentsOf: url)
/// let version = try document.addVersion()
/// document[version]?.entities.append(.init(name: "Stadium"))
/// try document.setCurrentVersion(version)
/// try document.write(to: url)
/// ```
public struct VersionedModel: Sendable, Hashable {
    /// The document's name, which its first version has too.
    ///
    /// A new name does not rename a version.
    public var name: String

    /// The versions in the order of their names. There is always one.
    ///
    /// ``addVersion(named:basedOn:)`` and the other methods change the list.
    public private(set) var versions: [Version]

    /// The list of versions, `.xccurrentversion`; `nil` where the document has none.
    ///
    /// ``setCurrentVersion(_:)`` makes one.
    public private(set) var versionList: ModelVersionList?

    /// One version: a model with a name.
    ///
    /// In the document's folder it is a folder `NAME.xcdatamodel`.
    public struct Version: Sendable, Hashable, Codable, Identifiable {
        /// The version's name: that of its folder without extension.
        ///
        /// Use ``VersionedModel/renameVersion(_:to:)`` for another name.
        public fileprivate(set) var name: String

        /// The version's model.
        ///
        /// To change it in a document, use the subscript: `document["League 2"]?.entities`.
        public var model: Model

        /// The version's name, which is unique in the document.
        public var id: String { name }
    }

    /// A new document with one version, which has the document's name and is current.
    public init(name: String, model: Model) {
        self.name = name
        versions = [Version(name: name, model: model)]
        versionList = ModelVersionList(currentVersionName: name)
    }

    /// Reads every version of a document.
    ///
    /// ```swift
    /// let document = try VersionedModel(contentsOf: url)
    /// for version in document.versions { print(version.name, version.model.entities.count) }
    /// ```
    ///
    /// - Parameter url: A `.xcdatamodeld` folder, or a `.xcdatamodel` folder as a document with one version.
    /// - Throws: `ModelDocumentError`, placed in its file.
    public init(contentsOf url: URL) throws {
        let folder = try ModelDocumentFolder(contentsOf: url)
        name = folder.name
        versions = try folder.versionNames.map { Version(name: $0, model: try folder.model(version: $0)) }
        versionList = folder.versionList
    }

    /// The name of the version that is compiled and opened by default.
    ///
    /// It is the version that the list names. Otherwise it is the version with the document's name, or the first.
    public var currentVersionName: String {
        versionList?.currentVersionName ?? (self[name] == nil ? versions[0].name : name)
    }

    /// The current version's model. It can be changed in place.
    ///
    /// ```swift
    /// document.currentModel.entities.append(Model.Entity(name: "Stadium"))
    /// ```
    public var currentModel: Model {
        get { versions[index(currentVersionName) ?? 0].model }
        set { versions[index(currentVersionName) ?? 0].model = newValue }
    }

    /// The model of a version; `nil` if there is no such version.
    ///
    /// Setting the model of an unknown version, or `nil`, changes nothing: ``addVersion(named:basedOn:)`` and
    /// ``removeVersion(_:)`` change the list.
    public subscript(version: String) -> Model? {
        get { index(version).map { versions[$0].model } }
        set {
            guard let index = index(version), let newValue else { return }
            versions[index].model = newValue
        }
    }

    private func index(_ version: String) -> Int? {
        versions.firstIndex { $0.name == version }
    }
}

// MARK: - Versions

extension VersionedModel {
    /// Adds a version as a copy of another.
    ///
    /// The current version stays what it is, as in Xcode.
    ///
    /// - Parameters:
    ///   - name: the new version's name; `nil` for Xcode's: `League 2`, `League 3` and so on.
    ///   - base: the version to copy; `nil` for the current one.
    /// - Returns: the new version's name.
    /// - Throws: `ModelDocumentError` `invalidVersion` for a name that is taken or that no folder can have, and for an
    ///   unknown base.
    @discardableResult
    public mutating func addVersion(named name: String? = nil, basedOn base: String? = nil) throws -> String {
        let model = try existing(base ?? currentVersionName)
        let name = name ?? nextVersionName
        try checkNew(name)
        if versionList?.currentVersionName == nil { try setCurrentVersion(currentVersionName) }
        insert(Version(name: name, model: model))
        return name
    }

    /// Makes a version the current one.
    ///
    /// The next ``write(to:removingOtherVersions:)`` writes `.xccurrentversion`.
    ///
    /// - Throws: `ModelDocumentError` `invalidVersion` for an unknown version.
    public mutating func setCurrentVersion(_ version: String) throws {
        _ = try existing(version)
        var list = versionList ?? ModelVersionList()
        list.currentVersionName = version
        versionList = list
    }

    /// Removes a version from the value. Its folder stays, unless the document is written with `removingOtherVersions`.
    ///
    /// - Throws: `ModelDocumentError` `invalidVersion` for the current version and for an unknown one.
    public mutating func removeVersion(_ version: String) throws {
        _ = try existing(version)
        guard version != currentVersionName else {
            throw invalid("The version '\(version)' is the current one; make another one current first.")
        }
        versions.removeAll { $0.name == version }
    }

    /// Gives a version another name. If it is the current version, it stays so.
    ///
    /// - Throws: `ModelDocumentError` `invalidVersion` for an unknown version, for a name that is taken, and for a name
    ///   that no folder can have.
    public mutating func renameVersion(_ version: String, to name: String) throws {
        let model = try existing(version)
        guard version != name else { return }
        try checkNew(name)
        let wasCurrent = version == currentVersionName
        versions.removeAll { $0.name == version }
        insert(Version(name: name, model: model))
        if wasCurrent { try setCurrentVersion(name) }
    }

    private mutating func insert(_ version: Version) {
        let place = versions.firstIndex { version.name < $0.name } ?? versions.count
        versions.insert(version, at: place)
    }

    private var nextVersionName: String {
        var number = versions.count + 1
        while self["\(name) \(number)"] != nil { number += 1 }
        return "\(name) \(number)"
    }

    private func existing(_ version: String) throws -> Model {
        guard let model = self[version] else {
            let names = versions.map { "'\($0.name)'" }.joined(separator: ", ")
            throw invalid("There is no version '\(version)'; there are \(names).")
        }
        return model
    }

    private func checkNew(_ name: String) throws {
        guard self[name] == nil else { throw invalid("There is a version '\(name)' already.") }
        guard !name.isEmpty, !name.hasPrefix("."), !name.contains("/"), !name.unicodeScalars.contains("\0"),
            name.utf8.count <= 240
        else { throw invalid("'\(name)' cannot be the name of a version: a folder is named after it.") }
    }

    private func invalid(_ message: Sentence) -> ModelDocumentError {
        ModelDocumentError(.invalidVersion, sentence: message)
    }
}
