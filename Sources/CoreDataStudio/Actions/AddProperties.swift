import ModelDocument

/// A new attribute of an entity, or element of a composite.
struct AddAttribute: EditAction {
    static let kind = "addAttribute"
    var owner: ElementID
    var name: String?
    var type: String?

    func title(in document: EditedDocument) -> String { "Add Attribute" }

    func apply(to editor: inout Editor) throws {
        let location = try editor.location(of: owner, .entity, .composite)
        let type = try JSON.optional(type ?? "undefined").choice(Model.AttributeType.words, for: "type")
        try editor.edit(location.version) { model in
            let index = location.place.index
            let isComposite = location.place.kind == .composite
            let taken =
                isComposite ? model.composites[index].elements.map(\.name) : model.entities[index].propertyNames
            var attribute = Model.Attribute(
                name: try ActionChecks.free(name, "attribute", among: taken), type: .undefined)
            attribute.isOptional = true
            attribute.isSyncable = model.saysThatPropertiesAreSyncable
            attribute.changeType(to: type)
            if isComposite {
                model.composites[index].elements.insertAsXcode(attribute)
            } else {
                model.entities[index].attributes.insertAsXcode(attribute)
            }
        }
    }
}

extension Model {
    /// Whether the document spells out that properties are synchronized, which Xcode does no longer.
    var saysThatPropertiesAreSyncable: Bool {
        entities.contains { entity in
            entity.attributes.contains(where: \.isSyncable) || entity.relationships.contains(where: \.isSyncable)
        }
    }
}

/// A new relationship.
struct AddRelationship: EditAction {
    static let kind = "addRelationship"
    var entity: ElementID
    var name: String?
    var destination: ElementID?
    var isToMany: Bool?

    func title(in document: EditedDocument) -> String { "Add Relationship" }

    func apply(to editor: inout Editor) throws {
        let location = try editor.location(of: entity, .entity)
        let destination = try editor.entityName(destination, version: location.version)
        try editor.edit(location.version) { model in
            let name = try ActionChecks.free(
                name, "relationship", among: model.entities[location.place.index].propertyNames)
            model.entities[location.place.index].relationships.insertAsXcode(
                Model.Relationship(newNamed: name, to: destination, isToMany: isToMany ?? false, in: model))
        }
    }
}

extension Model.Relationship {
    /// A relationship as Xcode makes one.
    init(newNamed name: String, to destination: String?, isToMany: Bool, in model: Model) {
        self.init(name: name, destinationName: destination)
        isOptional = true
        isSyncable = model.saysThatPropertiesAreSyncable
        maxCount = isToMany ? 0 : 1
    }
}

/// Two new relationships between two entities, each the inverse of the other.
struct Connect: EditAction {
    static let kind = "connect"
    var from: ElementID
    var to: ElementID
    var name: String?
    var inverseName: String?
    var isToMany: Bool?
    var isInverseToMany: Bool?

    func title(in document: EditedDocument) -> String {
        "Connect \(document.title(of: from)) and \(document.title(of: to))"
    }

    func apply(to editor: inout Editor) throws {
        let (source, target) = (try editor.location(of: from, .entity), try editor.location(of: to, .entity))
        guard source.version == target.version else {
            throw StudioError(.invalidRequest, "The entities are in different versions.")
        }
        try editor.edit(source.version) { model in
            let (sourceName, targetName) = (
                model.entities[source.place.index].name, model.entities[target.place.index].name
            )
            let name = try Self.add(
                name, to: source.place.index, destination: targetName, isToMany ?? false, in: &model)
            let inverse = try Self.add(
                inverseName, to: target.place.index, destination: sourceName, isInverseToMany ?? false, in: &model)
            try model.setInverse(inverse, ofRelationship: name, of: sourceName)
        }
    }

    /// Adds one of them, named after its destination where no name was given.
    fileprivate static func add(
        _ name: String?, to entity: Int, destination: String, _ isToMany: Bool, in model: inout Model
    ) throws -> String {
        let fallback = destination.asPropertyName + (isToMany ? "s" : "")
        let name = try ActionChecks.free(name, fallback, among: model.entities[entity].propertyNames)
        model.entities[entity].relationships.insertAsXcode(
            Model.Relationship(newNamed: name, to: destination, isToMany: isToMany, in: model))
        return name
    }
}

extension String {
    /// `Player` as the name of a property: `player`.
    var asPropertyName: String { prefix(1).lowercased() + dropFirst() }
}

/// The other side of a relationship that has none.
struct AddInverse: EditAction {
    static let kind = "addInverse"
    var relationship: ElementID
    var name: String?

    func title(in document: EditedDocument) -> String { "Create Inverse" }

    func apply(to editor: inout Editor) throws {
        let location = try editor.location(of: relationship, .relationship)
        try editor.edit(location.version) { model in
            let entity = model.entities[location.place.owner.index]
            let relationship = model[relationship: location.place]
            guard let destination = relationship.destinationName,
                let target = model.entities.firstIndex(where: { $0.name == destination })
            else { throw StudioError(.invalidEdit, "The relationship has no destination; set that first.") }
            // A member of a to-many has one owner, and the other way round: the likeliest other side.
            let inverse = try Connect.add(
                name, to: target, destination: entity.name, !relationship.isToMany, in: &model)
            try model.setInverse(inverse, ofRelationship: relationship.name, of: entity.name)
        }
    }
}

/// A new fetched property.
struct AddFetchedProperty: EditAction {
    static let kind = "addFetchedProperty"
    var entity: ElementID
    var name: String?
    var destination: ElementID?
    var predicate: String?

    func title(in document: EditedDocument) -> String { "Add Fetched Property" }

    func apply(to editor: inout Editor) throws {
        let location = try editor.location(of: entity, .entity)
        let destination = try editor.entityName(destination, version: location.version)
        try editor.edit(location.version) { model in
            let name = try ActionChecks.free(
                name, "fetchedProperty", among: model.entities[location.place.index].propertyNames)
            var property = Model.FetchedProperty(name: name)
            property.isOptional = true
            property.isSyncable = model.saysThatPropertiesAreSyncable
            property.request.entityName = destination
            property.request.predicateFormat = predicate.flatMap { $0.isEmpty ? nil : $0 }
            model.entities[location.place.index].fetchedProperties.insertAsXcode(property)
        }
    }
}

/// A new entry in the user info of an entity or a property.
struct AddUserInfo: EditAction {
    static let kind = "addUserInfo"
    var owner: ElementID
    var key: String?
    var value: String?

    func title(in document: EditedDocument) -> String { "Add User Info Entry" }

    func apply(to editor: inout Editor) throws {
        let location = try editor.location(of: owner, .entity, .attribute, .relationship, .fetchedProperty)
        try editor.edit(location.version) { model in
            var info = model[userInfo: location.place] ?? Model.UserInfo()
            let key = try ActionChecks.free(key, "key", among: info.entries.map(\.key))
            info.entries.insertAsXcode(Model.UserInfo.Entry(key: key, value: .string(value ?? "")))
            model[userInfo: location.place] = info
        }
    }
}
