// Access by name, for reading and for editing in place:
// `model[entity: "Player"]?[attribute: "name"]?.isOptional = true`.
// Setting what is not there appends it, setting `nil` removes it. What else refers to a renamed or removed element is
// up to the caller; `renameEntity`, `removeEntity` and their like look after it.

extension Model {
    /// The entity of that name.
    public subscript(entity name: String) -> Entity? {
        get { entities.element(named: name) }
        set { entities.setElement(named: name, to: newValue) }
    }

    /// The fetch request template of that name.
    public subscript(fetchRequest name: String) -> FetchRequest? {
        get { fetchRequests.element(named: name) }
        set { fetchRequests.setElement(named: name, to: newValue) }
    }

    /// The configuration of that name.
    public subscript(configuration name: String) -> Configuration? {
        get { configurations.element(named: name) }
        set { configurations.setElement(named: name, to: newValue) }
    }

    /// The place in the diagram of the entity of that name.
    public subscript(diagramElement name: String) -> DiagramElement? {
        get { diagramElements.element(named: name) }
        set { diagramElements.setElement(named: name, to: newValue) }
    }
}

extension Model.Entity {
    /// The entity's own attribute of that name.
    public subscript(attribute name: String) -> Model.Attribute? {
        get { attributes.element(named: name) }
        set { attributes.setElement(named: name, to: newValue) }
    }

    /// The entity's own relationship of that name.
    public subscript(relationship name: String) -> Model.Relationship? {
        get { relationships.element(named: name) }
        set { relationships.setElement(named: name, to: newValue) }
    }

    /// The entity's own fetched property of that name.
    public subscript(fetchedProperty name: String) -> Model.FetchedProperty? {
        get { fetchedProperties.element(named: name) }
        set { fetchedProperties.setElement(named: name, to: newValue) }
    }

    /// The fetch index of that name.
    public subscript(fetchIndex name: String) -> Model.FetchIndex? {
        get { fetchIndexes.element(named: name) }
        set { fetchIndexes.setElement(named: name, to: newValue) }
    }

    /// The names of the entity's own properties of every kind.
    public var propertyNames: [String] {
        attributes.map(\.name) + relationships.map(\.name) + fetchedProperties.map(\.name)
    }
}

extension Array where Element: Identifiable<String> {
    fileprivate func element(named name: String) -> Element? {
        first { $0.id == name }
    }

    fileprivate mutating func setElement(named name: String, to element: Element?) {
        switch (firstIndex { $0.id == name }, element) {
        case (let index?, let element?): self[index] = element
        case (let index?, nil): remove(at: index)
        case (nil, let element?): append(element)
        case (nil, nil): break
        }
    }
}
