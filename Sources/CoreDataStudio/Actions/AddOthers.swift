import ModelDocument

/// A new fetch request of the model.
struct AddFetchRequest: EditAction {
    static let kind = "addFetchRequest"
    var version: ElementID
    var name: String?
    var entity: ElementID?
    var predicate: String?

    func title(in document: EditedDocument) -> String { "Add Fetch Request" }

    func apply(to editor: inout Editor) throws {
        let version = try editor.location(of: version, .version).version
        let entityName = try editor.entityName(entity, version: version)
        try editor.edit(version) { model in
            let name = try ActionChecks.free(name, "FetchRequest", among: model.fetchRequests.map(\.name))
            let format = predicate.flatMap { $0.isEmpty ? nil : $0 }
            model.fetchRequests.insertAsXcode(
                Model.FetchRequest(
                    name: name, entityName: entityName ?? model.entities.first?.name, predicateFormat: format))
        }
    }
}

/// A new configuration.
struct AddConfiguration: EditAction {
    static let kind = "addConfiguration"
    var version: ElementID
    var name: String?
    var entities: [ElementID]?

    func title(in document: EditedDocument) -> String { "Add Configuration" }

    func apply(to editor: inout Editor) throws {
        let version = try editor.location(of: version, .version).version
        let members = try (entities ?? []).compactMap { try editor.entityName($0, version: version) }
        try editor.edit(version) { model in
            let taken = model.configurations.map(\.name) + ["Default"]
            var configuration = Model.Configuration(
                name: try ActionChecks.free(name, "Configuration", among: taken))
            for member in members { configuration.entityNames.insertAsXcode(member) }
            model.configurations.insertAsXcode(configuration)
        }
    }
}

/// An entity goes into a configuration, or out of it.
struct SetMembership: EditAction {
    static let kind = "setMembership"
    var configuration: ElementID
    var entity: ElementID
    var isMember: Bool

    func title(in document: EditedDocument) -> String {
        "\(isMember ? "Add" : "Remove") \(document.title(of: entity)) \(isMember ? "to" : "from") Configuration"
    }

    func apply(to editor: inout Editor) throws {
        let location = try editor.location(of: configuration, .configuration)
        guard let name = try editor.entityName(entity, version: location.version) else { return }
        editor.edit(location.version) { model in
            var names = model.configurations[location.place.index].entityNames
            guard names.contains(name) != isMember else { return }
            if isMember { names.insertAsXcode(name) } else { names.removeAll { $0 == name } }
            model.configurations[location.place.index].entityNames = names
        }
    }
}

/// A new definition of a composite attribute.
struct AddComposite: EditAction {
    static let kind = "addComposite"
    var version: ElementID
    var name: String?

    func title(in document: EditedDocument) -> String { "Add Composite" }

    func apply(to editor: inout Editor) throws {
        let version = try editor.location(of: version, .version).version
        try editor.edit(version) { model in
            let name = try ActionChecks.free(name, "Composite", among: model.composites.map(\.name))
            model.composites.insertAsXcode(Model.Composite(name: name))
        }
    }
}

/// A new fetch index of an entity.
struct AddIndex: EditAction {
    static let kind = "addIndex"
    var entity: ElementID
    var name: String?
    var properties: [String]?

    func title(in document: EditedDocument) -> String { "Add Index" }

    func apply(to editor: inout Editor) throws {
        let location = try editor.location(of: entity, .entity)
        try editor.edit(location.version) { model in
            let owner = location.place.index
            let names = properties ?? model.entities[owner].attributes.prefix(1).map(\.name)
            let fallback = names.first.map { "by" + $0.prefix(1).uppercased() + $0.dropFirst() + "Index" }
            let name = try ActionChecks.free(
                name, fallback ?? "fetchIndex", among: model.entities[owner].fetchIndexes.map(\.name))
            model.entities[owner].fetchIndexes.insertAsXcode(
                Model.FetchIndex(name: name, elements: names.map { Model.FetchIndex.Element(propertyName: $0) }))
        }
    }
}

/// A new element of a fetch index.
struct AddIndexElement: EditAction {
    static let kind = "addIndexElement"
    var index: ElementID
    var property: String?
    var expression: String?
    var expressionType: String?

    func title(in document: EditedDocument) -> String { "Add Index Element" }

    func apply(to editor: inout Editor) throws {
        let location = try editor.location(of: index, .index)
        let element = try element()
        editor.edit(location.version) { $0[index: location.place].elements.append(element) }
    }

    private func element() throws -> Model.FetchIndex.Element {
        if let property { return Model.FetchIndex.Element(propertyName: try ActionChecks.name(property)) }
        guard let expression, !expression.isEmpty else {
            throw StudioError(.invalidRequest, "An index element takes a property or an expression.")
        }
        let type = try JSON.optional(expressionType).choice(Model.AttributeType.words, for: "expressionType")
        return Model.FetchIndex.Element(expression: expression, type: type)
    }
}

/// A new uniqueness constraint.
struct AddConstraint: EditAction {
    static let kind = "addConstraint"
    var entity: ElementID
    var names: [String]

    func title(in document: EditedDocument) -> String { "Add Constraint" }

    func apply(to editor: inout Editor) throws {
        let location = try editor.location(of: entity, .entity)
        guard !names.isEmpty else { throw StudioError(.invalidEdit, "A constraint names at least one property.") }
        let names = try names.map(ActionChecks.name)
        editor.edit(location.version) { model in
            model.entities[location.place.index].uniquenessConstraints.append(Model.NameTuple(names))
        }
    }
}

/// A new version of the model, as a copy of one that there is.
struct AddVersion: EditAction {
    static let kind = "addVersion"
    var name: String?
    var basedOn: ElementID?

    func title(in document: EditedDocument) -> String { "Add Model Version" }

    func apply(to editor: inout Editor) throws {
        let base = try basedOn.map { try editor.location(of: $0, .version).version }
        try editor.document.addVersion(
            named: name, basedOn: base.map { editor.document.versions[$0].name })
    }
}

/// Another version becomes the current one.
struct SetCurrentVersion: EditAction {
    static let kind = "setCurrentVersion"
    var version: ElementID

    func title(in document: EditedDocument) -> String { "Make \(document.title(of: version)) the Current Version" }

    func apply(to editor: inout Editor) throws {
        let index = try editor.location(of: version, .version).version
        try editor.document.setCurrentVersion(editor.document.versions[index].name)
    }
}
