import ModelDocument

/// One edit, as the browser sends it.
protocol EditAction: Codable, Sendable {
    /// What requests call it.
    static var kind: String { get }

    /// What the undo menu calls it.
    func title(in document: EditedDocument) -> String

    /// Carries it out.
    ///
    /// - Throws: `StudioError` or `ModelDocumentError`; the editor is then thrown away.
    func apply(to editor: inout Editor) throws
}

/// The document while an action changes it.
struct Editor {
    /// The document as the action found it: identifiers and places are those of this one.
    let original: EditedDocument
    var document: VersionedModel

    init(_ original: EditedDocument) {
        self.original = original
        document = original.document
    }

    func location(of id: ElementID, _ kinds: ElementKind...) throws -> EditedDocument.Location {
        let location = try original.location(of: id)
        guard kinds.isEmpty || kinds.contains(location.place.kind) else {
            let titles = kinds.map { $0.title.lowercased() }.joined(separator: " or ")
            throw StudioError(.invalidRequest, "‘\(id)’ is no \(titles).")
        }
        return location
    }

    /// The document as it is by now, with the same identifiers; those of new elements are for looking up only.
    var current: EditedDocument {
        var source = IDSource(scratch: true)
        return original.changed(to: document, &source)
    }

    /// The name of an entity of a version.
    func entityName(_ id: ElementID?, version: Int) throws -> String? {
        guard let id else { return nil }
        let location = try location(of: id, .entity)
        guard location.version == version else {
            throw StudioError(.invalidRequest, "‘\(id)’ is an entity of another version.")
        }
        return original.model(location).entities[location.place.index].name
    }

    /// What the names of a version stand for.
    func names(_ version: Int) -> ModelNames {
        ModelNames(original.document.versions[version].model, original.trees[version])
    }

    /// Changes the model of a version.
    mutating func edit<Result>(_ version: Int, _ change: (inout Model) throws -> Result) rethrows -> Result {
        let name = document.versions[version].name
        var model = document.versions[version].model
        let result = try change(&model)
        document[name] = model
        return result
    }
}

/// An action of any kind, as it stands in requests.
struct AnyAction: Codable, Sendable {
    var action: any EditAction

    init(_ action: any EditAction) { self.action = action }

    private static let types: [any EditAction.Type] = [
        AddEntity.self, AddAttribute.self, AddRelationship.self, Connect.self, AddInverse.self,
        AddFetchedProperty.self, AddFetchRequest.self, AddConfiguration.self, AddComposite.self, AddIndex.self,
        AddIndexElement.self, AddConstraint.self, AddUserInfo.self, SetFields.self, Rename.self, Delete.self,
        Duplicate.self, Copy.self, Move.self, Sort.self, SetInverse.self, SetMembership.self, Place.self,
        AddVersion.self,
        SetCurrentVersion.self,
    ]

    /// The kinds of actions that there are.
    static let kinds = types.map { $0.kind }

    private enum Key: String, CodingKey { case kind }

    init(from decoder: any Decoder) throws {
        let kind = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .kind)
        guard let type = Self.types.first(where: { $0.kind == kind }) else {
            let kinds = Self.kinds.sorted().joined(separator: ", ")
            throw StudioError(.invalidRequest, "There is no action ‘\(kind)’; there are \(kinds).")
        }
        action = try type.init(from: decoder)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(type(of: action).kind, forKey: .kind)
        try action.encode(to: encoder)
    }
}

extension EditedDocument {
    /// The document after an action.
    func applying(_ action: any EditAction, _ source: inout IDSource) throws -> EditedDocument {
        var editor = Editor(self)
        try action.apply(to: &editor)
        return changed(to: editor.document, &source)
    }
}

/// Checks on what an action brings.
enum ActionChecks {
    /// A name that is not empty and has nothing in it that no document could hold.
    static func name(_ name: String) throws -> String {
        guard !name.isEmpty else { throw StudioError(.invalidEdit, "A name can't be empty.") }
        let isWritable = name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        guard isWritable, name.utf8.count <= 1000 else {
            throw StudioError(.invalidEdit, "The name is too long, or has characters in it that can't be seen.")
        }
        return name
    }

    /// The name that was asked for, which has to be free, or one that is.
    static func free(_ name: String?, _ fallback: String, among taken: [String]) throws -> String {
        guard let name else { return fallback.fresh(among: Set(taken)) }
        guard !taken.contains(name) else { throw StudioError(.invalidEdit, "There is “\(name)” already.") }
        return try self.name(name)
    }
}
