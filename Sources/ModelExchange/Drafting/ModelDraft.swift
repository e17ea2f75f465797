import ModelDocument

/// A model that was made of what another program has, to be looked at and edited.
package struct ModelDraft {
    package var model: Model
    /// What was decided, and what has no place in a model, a sentence each.
    package var notes: [String]

    /// In the user info of an entity or a property: what it was called where the draft comes from.
    static let originalName = "originalName"

    /// The draft as a document of one version.
    package func document(named name: String) -> VersionedModel {
        var model = model
        model.documentInfo = .newDocument()
        return VersionedModel(name: name, model: model)
    }
}

extension Model.Entity {
    /// An entity with a class that a build makes, as Xcode's editor adds it.
    init(drafted name: String) {
        self.init(name: name)
        representedClass = ClassReference(name)
        codeGeneration = .classDefinition
    }
}

extension Optional<Model.UserInfo> {
    /// Adds an entry, if there is a value for it.
    mutating func add(_ key: String, _ value: String?) {
        guard let value else { return }
        var info = self ?? [:]
        info.entries.append(.init(key: key, value: .string(value.inDocuments)))
        self = info
    }
}

extension String {
    /// The text as a document can hold it: a replacement character stands for what XML has not, such as NUL.
    fileprivate var inDocuments: String {
        if canBeInDocuments { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0.isInXML ? $0 : "\u{FFFD}" }))
    }

    /// Whether a document can hold the text as it is.
    var canBeInDocuments: Bool { unicodeScalars.allSatisfy(\.isInXML) }
}

extension Unicode.Scalar {
    fileprivate var isInXML: Bool { value >= 0x20 ? value & ~1 != 0xFFFE : [9, 10, 13].contains(value) }
}
