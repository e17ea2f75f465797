/// What is different between two models.
///
/// ```swift
/// for change in ModelComparison(from: old, to: new).changes { print(change) }
/// ```
///
/// Two elements are the same if they have the same name, or if the renaming identifier of the new one is the name of
/// the old one. A renamed entity makes no further changes in the relationships and lists that name it. Places in
/// Xcode's diagram and the tools that saved the document are not compared. What a change means for stores the framework
/// knows: `coredata model diff` says it.
public struct ModelComparison: Sendable, Hashable {
    /// The changes: those of the model itself, then entity by entity, then fetch requests, configurations and
    /// composites.
    public let changes: [Change]

    /// One element that is new, gone, renamed or otherwise.
    ///
    /// ```swift
    /// for change in ModelComparison(from: old, to: new).changes where change.kind == .removed {
    ///     print(change.element.rawValue, change.owner ?? "", change.name)
    /// }
    /// ```
    public struct Change: Sendable, Hashable {
        /// What happened to the element.
        ///
        /// An element that is renamed and changed has the kind ``Kind/renamed``, and ``settings``.
        public var kind: Kind

        /// What the element is: an entity, an attribute, and so on.
        public var element: Element

        /// The entity that the element belongs to, by its new name.
        ///
        /// For the elements of a composite it is the composite. It is `nil` for entities, and for what belongs to the
        /// model.
        public var owner: String?

        /// The element's name, the new one if it was renamed. Empty for the model itself.
        public var name: String

        /// The name that a renamed element had; otherwise `nil`.
        public var formerName: String?

        /// What is otherwise in an element that was there before.
        ///
        /// For an element that is new or gone it is what is said of it.
        public var settings: [Setting] = []
    }

    /// What happened to an element. A renamed element may have other changes, too: see ``Change/settings``.
    public enum Kind: String, Sendable, Hashable, Codable {
        case added, removed, renamed, changed
    }

    /// What an element is. The raw values are words for a person to read: `fetched property`.
    public enum Element: String, Sendable, Hashable, Codable {
        case model, entity, attribute, relationship, configuration, composite
        case fetchedProperty = "fetched property"
        case fetchIndex = "fetch index"
        case compoundIndex = "compound index"
        case uniquenessConstraint = "uniqueness constraint"
        case fetchRequest = "fetch request"
    }

    /// One thing that is said of an element, by its name in documents, such as `optional`.
    public struct Setting: Sendable, Hashable, Codable {
        /// The name in documents: `optional`, `attributeType`, `deletionRule`.
        public var name: String

        /// What the old model says; `nil` where it says nothing.
        public var old: String?

        /// What the new model says; `nil` where it says nothing.
        public var new: String?
    }

    /// Compares two models.
    ///
    /// - Parameters:
    ///   - old: The model as it was.
    ///   - new: The model as it is.
    public init(from old: Model, to new: Model) {
        var comparer = ModelComparer(old, new)
        changes = comparer.changes()
    }
}

extension ModelComparison.Change: CustomStringConvertible {
    /// One line: `~ attribute Player.name: optional YES → NO`.
    ///
    /// The sign is `+` for new, `-` for gone, `>` for renamed, `~` for otherwise.
    public var description: String {
        let title = [owner, name].compactMap { $0 }.joined(separator: ".")
        var line = "\(kind.sign) \(element.rawValue)" + (title.isEmpty ? "" : " \(title)")
        if let formerName { line += ", was \(formerName)" }
        return settings.isEmpty ? line : line + ": " + settings.map(\.description).joined(separator: ", ")
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
    /// The name with both values: `optional YES → NO`. A value that is not there is `nothing`.
    public var description: String {
        switch (old, new) {
        case (let old?, let new?): "\(name) \(old) → \(new)"
        case (let old?, nil): "\(name) \(old) → nothing"
        case (nil, let new?): "\(name) nothing → \(new)"
        case (nil, nil): name
        }
    }
}
