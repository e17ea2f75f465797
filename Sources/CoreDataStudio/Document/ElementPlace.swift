import ModelDocument

/// Where an element is in its model: which child to take at each step from the model on.
struct ElementPlace: Sendable, Hashable {
    struct Step: Sendable, Hashable {
        var kind: ElementKind
        /// The place among the siblings of the kind.
        var index: Int
    }

    var steps: [Step]

    /// The model itself.
    static let model = ElementPlace(steps: [])

    var kind: ElementKind { steps.last?.kind ?? .version }
    var index: Int { steps.last?.index ?? 0 }
    var owner: ElementPlace { ElementPlace(steps: Array(steps.dropLast())) }

    /// The place among the entities of the entity that this is or is in.
    var entityIndex: Int? { steps.first?.kind == .entity ? steps[0].index : nil }

    func child(_ kind: ElementKind, _ index: Int) -> ElementPlace {
        ElementPlace(steps: steps + [Step(kind: kind, index: index)])
    }
}

/// What the lists of a model consist of, for edits that are the same in all of them.
protocol ListedElement: Sendable, Hashable {
    /// The name that tells the element from its siblings, if it has one.
    var listedName: String? { get set }
}

extension Model.Entity: ListedElement {
    var listedName: String? {
        get { name }
        set { name = newValue ?? "" }
    }
}

extension Model.Attribute: ListedElement {
    var listedName: String? {
        get { name }
        set { name = newValue ?? "" }
    }
}

extension Model.Relationship: ListedElement {
    var listedName: String? {
        get { name }
        set { name = newValue ?? "" }
    }
}

extension Model.FetchedProperty: ListedElement {
    var listedName: String? {
        get { name }
        set { name = newValue ?? "" }
    }
}

extension Model.FetchRequest: ListedElement {
    var listedName: String? {
        get { name }
        set { name = newValue ?? "" }
    }
}

extension Model.Configuration: ListedElement {
    var listedName: String? {
        get { name }
        set { name = newValue ?? "" }
    }
}

extension Model.Composite: ListedElement {
    var listedName: String? {
        get { name }
        set { name = newValue ?? "" }
    }
}

extension Model.FetchIndex: ListedElement {
    var listedName: String? {
        get { name }
        set { name = newValue ?? "" }
    }
}

extension Model.UserInfo.Entry: ListedElement {
    var listedName: String? {
        get { key }
        set { key = newValue ?? "" }
    }
}

extension Model.FetchIndex.Element: ListedElement {
    var listedName: String? {
        get { nil }
        set {}
    }
}

extension Model.NameTuple: ListedElement {
    var listedName: String? {
        get { nil }
        set {}
    }
}
