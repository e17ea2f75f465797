// Lists of what has a name can be shown and edited by name: it is unique in any list of a valid model. What is renamed
// counts as another element; code that has to follow it keeps its position.

extension Model.Entity: Identifiable {
    public var id: String { name }
}

extension Model.Attribute: Identifiable {
    public var id: String { name }
}

extension Model.Relationship: Identifiable {
    public var id: String { name }
}

extension Model.FetchedProperty: Identifiable {
    public var id: String { name }
}

extension Model.FetchRequest: Identifiable {
    public var id: String { name }
}

extension Model.FetchIndex: Identifiable {
    public var id: String { name }
}

extension Model.Configuration: Identifiable {
    public var id: String { name }
}

extension Model.Composite: Identifiable {
    public var id: String { name }
}

extension Model.DiagramElement: Identifiable {
    public var id: String { name }
}

extension Model.UserInfo.Entry: Identifiable {
    public var id: String { key }
}
