// Lists of what has a name can be shown and edited by name: it is unique in any list of a valid model. What is renamed
// counts as another element; code that has to follow it keeps its position.

extension Model.Entity: Identifiable {
    /// The entity's name, which is unique in a valid model.
    ///
    /// A renamed entity counts as another one: a list in a user interface shows it as new.
    public var id: String { name }
}

extension Model.Attribute: Identifiable {
    /// The attribute's name, which is unique in its entity.
    ///
    /// A renamed attribute counts as another one.
    public var id: String { name }
}

extension Model.Relationship: Identifiable {
    /// The relationship's name, which is unique in its entity.
    public var id: String { name }
}

extension Model.FetchedProperty: Identifiable {
    /// The fetched property's name, which is unique in its entity.
    public var id: String { name }
}

extension Model.FetchRequest: Identifiable {
    /// The template's name, which is unique among the model's templates.
    public var id: String { name }
}

extension Model.FetchIndex: Identifiable {
    /// The index's name, which is unique in its entity.
    public var id: String { name }
}

extension Model.Configuration: Identifiable {
    /// The configuration's name, which is unique in a valid model.
    public var id: String { name }
}

extension Model.Composite: Identifiable {
    /// The composite's name, which is unique in a valid model.
    public var id: String { name }
}

extension Model.DiagramElement: Identifiable {
    /// The name of the entity that the place belongs to.
    public var id: String { name }
}

extension Model.UserInfo.Entry: Identifiable {
    /// The key, which is unique in a valid user info.
    public var id: String { key }
}
