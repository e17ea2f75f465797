// Access by name, for reading and for editing in place:
// `model[entity: "Player"]?[attribute: "name"]?.isOptional = true`.
// Setting what is not there appends it, setting `nil` removes it. What else refers to a renamed or removed element is
// up to the caller; `renameEntity`, `removeEntity` and their like look after it.

extension Model {
    /// The entity of a name, for reading and for a change in place.
    ///
    /// ```swift
    /// model[entity: "Player"]?[attribute: "lastName"]?.isOptional = true
    /// model[entity: "Stadium"] = Model.Entity(name: "Stadium")       // appends it
    /// model[entity: "Match"] = nil                                   // removes it
    /// ```
    ///
    /// Other elements that refer to a removed or renamed entity stay as they are. `removeEntity` and `renameEntity` of
    /// `ModelDocument` change them, too.
    public subscript(entity name: String) -> Entity? {
        get { entities.element(named: name) }
        set { entities.setElement(named: name, to: newValue) }
    }

    /// The fetch request template of a name.
    ///
    /// Setting a new one appends it; setting `nil` removes it.
    public subscript(fetchRequest name: String) -> FetchRequest? {
        get { fetchRequests.element(named: name) }
        set { fetchRequests.setElement(named: name, to: newValue) }
    }

    /// The configuration of a name.
    ///
    /// Setting a new one appends it; setting `nil` removes it.
    public subscript(configuration name: String) -> Configuration? {
        get { configurations.element(named: name) }
        set { configurations.setElement(named: name, to: newValue) }
    }

    /// The place in the diagram of the entity of a name.
    ///
    /// Setting a new one appends it; setting `nil` removes it.
    public subscript(diagramElement name: String) -> DiagramElement? {
        get { diagramElements.element(named: name) }
        set { diagramElements.setElement(named: name, to: newValue) }
    }
}

extension Model.Entity {
    /// The entity's own attribute of a name. Setting a new one appends it; setting `nil` removes it.
    ///
    /// Inherited attributes are in the parents: see ``Model/Entity/parentName``.
    public subscript(attribute name: String) -> Model.Attribute? {
        get { attributes.element(named: name) }
        set { attributes.setElement(named: name, to: newValue) }
    }

    /// The entity's own relationship of a name. Setting a new one appends it; setting `nil` removes it.
    ///
    /// The inverse, in the other entity, stays as it is.
    public subscript(relationship name: String) -> Model.Relationship? {
        get { relationships.element(named: name) }
        set { relationships.setElement(named: name, to: newValue) }
    }

    /// The entity's own fetched property of a name.
    ///
    /// Setting a new one appends it; setting `nil` removes it.
    public subscript(fetchedProperty name: String) -> Model.FetchedProperty? {
        get { fetchedProperties.element(named: name) }
        set { fetchedProperties.setElement(named: name, to: newValue) }
    }

    /// The fetch index of a name.
    ///
    /// Setting a new one appends it; setting `nil` removes it.
    public subscript(fetchIndex name: String) -> Model.FetchIndex? {
        get { fetchIndexes.element(named: name) }
        set { fetchIndexes.setElement(named: name, to: newValue) }
    }

    /// The names of the entity's own properties: attributes, relationships, fetched properties, in this order.
    ///
    /// Inherited properties are not among them.
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
