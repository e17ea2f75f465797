/// What is different between two models, and what that means for the stores of the first.
///
/// ```swift
/// let comparison = ModelComparison(from: old, to: new)
/// for change in comparison.changes { print(change) }
/// print(comparison.migration)
/// ```
///
/// Elements are the same if they have the same name, or if the renaming identifier of the new one is the name of the
/// old one. What follows from the new name of something else is no change of its own. Where entities stand in Xcode's
/// diagram, and which tools saved the document, is not compared.
public struct ModelComparison: Sendable, Hashable {
    /// The changes: those of the model itself, then entity by entity, then fetch requests and the rest.
    public let changes: [Change]

    /// What the stores need to be opened with the new model.
    public var migration: Migration {
        changes.map(\.migration).max { $0.rank < $1.rank } ?? .unneeded
    }

    /// One element that is new, gone, renamed or otherwise.
    public struct Change: Sendable, Hashable {
        public var kind: Kind
        public var element: Element
        /// The entity that the element belongs to, by its new name; `nil` for entities themselves and for what belongs
        /// to the model. For the elements of a composite, the composite.
        public var owner: String?
        /// The element's name, the new one if it was renamed.
        public var name: String
        /// The name that a renamed element had.
        public var formerName: String?
        /// What is otherwise in an element that was there before; what is said of one that is new or gone.
        public var settings: [Setting] = []
        public var migration: Migration = .unneeded
    }

    public enum Kind: String, Sendable, Hashable, Codable {
        case added, removed, renamed, changed
    }

    /// What an element is.
    public enum Element: String, Sendable, Hashable, Codable {
        case model, entity, attribute, relationship, configuration, composite
        case fetchedProperty = "fetched property"
        case fetchIndex = "fetch index"
        case compoundIndex = "compound index"
        case uniquenessConstraint = "uniqueness constraint"
        case fetchRequest = "fetch request"
    }

    /// One thing that is said of an element, by its name in documents.
    public struct Setting: Sendable, Hashable, Codable {
        public var name: String
        public var old: String?
        public var new: String?
    }

    /// What a store needs to be opened with a changed model.
    public enum Migration: Sendable, Hashable {
        /// Nothing: the version hashes are the same.
        case unneeded
        /// A migration that the framework works out by itself.
        case lightweight
        /// A mapping model, or code; with the reason why nothing less does.
        case mapping(reason: String)

        var rank: Int {
            switch self {
            case .unneeded: 0
            case .lightweight: 1
            case .mapping: 2
            }
        }

        /// `none`, `lightweight` or `mapping`.
        public var name: String {
            switch self {
            case .unneeded: "none"
            case .lightweight: "lightweight"
            case .mapping: "mapping"
            }
        }
    }

    /// Compares two models.
    public init(from old: Model, to new: Model) {
        var comparer = ModelComparer(old, new)
        changes = comparer.changes()
    }
}

extension ModelComparison.Change: CustomStringConvertible {
    /// One line: `~ attribute Player.name: optional YES → NO [lightweight]`
    public var description: String {
        let title = [owner, name].compactMap { $0 }.joined(separator: ".")
        var line = "\(kind.sign) \(element.rawValue)" + (title.isEmpty ? "" : " \(title)")
        if let formerName { line += ", was \(formerName)" }
        if !settings.isEmpty { line += ": " + settings.map(\.description).joined(separator: ", ") }
        switch migration {
        case .unneeded: return line
        case .lightweight: return line + " [lightweight]"
        case .mapping(let reason): return line + " [mapping: \(reason)]"
        }
    }
}

extension ModelComparison.Kind {
    fileprivate var sign: String {
        switch self {
        case .added: "+"
        case .removed: "-"
        case .renamed: ">"
        case .changed: "~"
        }
    }
}

extension ModelComparison.Setting: CustomStringConvertible {
    public var description: String {
        switch (old, new) {
        case (let old?, let new?): "\(name) \(old) → \(new)"
        case (let old?, nil): "\(name) \(old) → nothing"
        case (nil, let new?): "\(name) nothing → \(new)"
        case (nil, nil): name
        }
    }
}
