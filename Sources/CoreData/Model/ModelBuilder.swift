import FoundationGaps
import ModelFormat
import PropertyLists

/// Makes descriptions of a model document's or compiled model's values.
struct ModelBuilder {
    let document: Model
    /// The module that `.Class` means.
    let moduleName: String?
    /// Where the parts are noted that no description can be made of; nil: such a part is an error.
    let notes: ReadingNotes?
    private let entities: [String: NSEntityDescription]

    /// - Throws: `ModelDocumentError` `invalidContent` if two entities have the same name.
    init(_ document: Model, moduleName: String?, leavingOut notes: ReadingNotes? = nil) throws {
        self.document = document
        self.notes = notes
        self.moduleName = moduleName
        entities = try Dictionary(document.entities.map { ($0.name, NSEntityDescription()) }) { _, _ in
            throw ModelBuilder.invalid("Two entities of the model have the same name.")
        }
    }

    /// Fills an empty model.
    ///
    /// - Throws: `ModelDocumentError` `invalidContent`, naming entity and property, for what no model can be made of: a
    ///   missing parent or destination, an unreadable predicate, a default value that is none of its type.
    func fill(_ model: NSManagedObjectModel) throws {
        model.moduleName = moduleName
        model.versionIdentifiers = Set(document.versionIdentifiers)
        model.localizationDictionary = document.localizationDictionary
        for entity in document.entities { try describe(entity) }
        try connectParents()
        model.entities = try document.entities.map { try self.entity($0.name, neededBy: "the model") }
        for entity in document.entities { try connect(entity) }
        for configuration in document.configurations {
            let members = try configuration.entityNames.compactMap { name -> NSEntityDescription? in
                try part("An entity of a configuration") {
                    try self.entity(name, neededBy: "the configuration \"\(configuration.name)\"")
                }
            }
            model.setEntities(members, forConfigurationName: configuration.name)
        }
        for template in document.fetchRequests {
            let made = try part("A fetch request template") {
                try self.request(template, neededBy: "the template \"\(template.name)\"")
            }
            if let made { model.setFetchRequestTemplate(made, forName: template.name) }
        }
    }

    /// Makes a part of the model that its objects can be read without.
    ///
    /// - Returns: nil for a part that nothing can be made of; the notes say so then.
    /// - Throws: What `body` throws, where there are no notes.
    func part<Part>(_ kind: String, _ body: () throws -> Part) throws -> Part? {
        do {
            return try body()
        } catch {
            guard let notes else { throw error }
            let reason = (error as? ModelDocumentError)?.message ?? (error as NSError).localizedDescription
            notes.note("\(kind) is left out. \(whole: reason)")
            return nil
        }
    }

    static func invalid(_ message: Sentence) -> ModelDocumentError {
        ModelDocumentError(.invalidContent, sentence: message)
    }

    private func entity(_ name: String, neededBy place: String) throws -> NSEntityDescription {
        guard let entity = entities[name] else {
            throw Self.invalid("The model lacks the entity \"\(name)\", which \(place) refers to.")
        }
        return entity
    }

    // MARK: Entities

    private func describe(_ value: Model.Entity) throws {
        guard !value.name.isEmpty else { throw Self.invalid("An entity of the model has no name.") }
        let entity = try entity(value.name, neededBy: "the model")
        entity.name = value.name
        entity.managedObjectClassName = className(value.representedClass) ?? "NSManagedObject"
        entity.isAbstract = value.isAbstract
        entity.userInfo = value.userInfo?.dictionary ?? [:]
        entity.renamingIdentifier = value.renamingIdentifier
        entity.versionHashModifier = value.versionHashModifier
        entity.spotlightDisplayNameFormat = value.spotlightDisplayNameExpression
        var names = Set<String>()
        entity.properties = try properties(of: value).filter { property in
            try part("A property") { try check(property.name, of: value, &names) } != nil
        }
    }

    private func check(_ name: String, of entity: Model.Entity, _ names: inout Set<String>) throws {
        guard !name.isEmpty else { throw Self.invalid("A property of the entity \"\(entity.name)\" has no name.") }
        guard names.insert(name).inserted else {
            throw Self.invalid("The entity \"\(entity.name)\" has two properties named \"\(name)\".")
        }
    }

    private func className(_ reference: ClassReference?) -> String? {
        guard let reference, !reference.className.isEmpty else { return nil }
        return reference.runtimeName(currentModule: moduleName)
    }

    private func connectParents() throws {
        var children: [String: [NSEntityDescription]] = [:]
        for value in document.entities {
            guard let parent = value.parentName else { continue }
            let place = "the entity \"\(value.name)\""
            guard value.hasRoot(in: document) else {
                throw Self.invalid("The entity \"\(value.name)\" is its own ancestor.")
            }
            _ = try entity(parent, neededBy: place)
            children[parent, default: []].append(try entity(value.name, neededBy: place))
        }
        for (name, list) in children {
            entities[name]?.subentities = list
        }
    }

    /// What can be set only once all entities have their properties and parents.
    private func connect(_ value: Model.Entity) throws {
        let entity = try entity(value.name, neededBy: "the model")
        for relationship in value.relationships {
            try connect(relationship, in: entity)
        }
        for property in value.fetchedProperties {
            guard let description = entity.tables.properties[property.name] as? NSFetchedPropertyDescription,
                let template = property.fetchRequest
            else { continue }
            description.fetchRequest = try part("The request of a fetched property") {
                try request(template, neededBy: "the fetched property \"\(value.name).\(property.name)\"")
            }
        }
        let known = entity.tables.properties
        entity.uniquenessConstraints = try value.uniquenessConstraints.compactMap { constraint -> [Any]? in
            try part("A uniqueness constraint") { try checked(constraint.names, among: known, of: value.name) }
        }
        entity.compoundIndexes = value.compoundIndexes.map(\.names)
        entity.indexes = try value.fetchIndexes.compactMap { index -> NSFetchIndexDescription? in
            try part("An index") { try self.index(index, of: entity) }
        }
    }

    private func checked(
        _ names: [String], among known: [String: NSPropertyDescription], of entity: String
    ) throws -> [String] {
        for name in names where known[String(name.prefix { $0 != "." })] == nil {
            throw Self.invalid(
                "A uniqueness constraint of the entity \"\(entity)\" names \"\(name)\", which is none of its properties."
            )
        }
        return names
    }

    private func connect(_ value: Model.Relationship, in entity: NSEntityDescription) throws {
        let place = "the relationship \"\(entity.name ?? "").\(value.name)\""
        guard let relationship = entity.tables.relationships[value.name] else { return }
        guard let destinationName = value.destinationName else {
            throw Self.invalid("The relationship \"\(relationship.place)\" has no destination entity.")
        }
        let destination = try self.entity(destinationName, neededBy: place)
        relationship.destinationEntity = destination
        guard let inverseName = value.inverseName else { return }
        relationship.inverseRelationship = try part("An inverse") {
            guard let inverse = destination.tables.relationships[inverseName] else {
                throw Self.invalid(
                    "The entity \"\(destinationName)\" has no relationship \"\(inverseName)\", which \(place) has as its inverse."
                )
            }
            return inverse
        }
    }

    /// Makes sure that the model has what a relationship leads to: one that leads nowhere is left out where there are
    /// notes.
    func checkDestination(of value: Model.Relationship, in entity: Model.Entity) throws {
        guard notes != nil else { return }
        guard let name = value.destinationName else {
            throw Self.invalid("The relationship \"\(entity.name).\(value.name)\" has no destination entity.")
        }
        _ = try self.entity(name, neededBy: "the relationship \"\(entity.name).\(value.name)\"")
    }

    private func index(_ value: Model.FetchIndex, of entity: NSEntityDescription) throws -> NSFetchIndexDescription {
        let place = "the index \"\(value.name)\" of \"\(entity.name ?? "")\""
        let elements = try value.elements.map { try element($0, of: entity, place) }
        let index = NSFetchIndexDescription(name: value.name, elements: elements)
        index.partialIndexPredicate = try value.partialIndexPredicate.map { try ModelFormats.predicate($0, of: place) }
        return index
    }

    private func element(
        _ value: Model.FetchIndex.Element, of entity: NSEntityDescription, _ place: String
    ) throws -> NSFetchIndexElementDescription {
        let property = try indexedProperty(value, of: entity, place)
        let element = NSFetchIndexElementDescription(
            property: property, collationType: value.collation == .rTree ? .rTree : .binary)
        element.isAscending = value.isAscending
        return element
    }

    private func indexedProperty(
        _ value: Model.FetchIndex.Element, of entity: NSEntityDescription, _ place: String
    ) throws -> NSPropertyDescription {
        if let format = value.expression {
            let description = NSExpressionDescription()
            description.name = value.expressionName ?? format
            description.expression = try ModelFormats.expression(format, of: place)
            description.expressionResultType = value.expressionType.map(NSAttributeType.init) ?? .undefinedAttributeType
            return description
        }
        guard let name = value.propertyName, let property = entity.tables.properties[name] else {
            throw Self.invalid(
                "In the model, \(place) names \"\(value.propertyName ?? "")\", which is no property of the entity.")
        }
        return property
    }

    // MARK: Fetch requests

    private func request(
        _ value: Model.FetchRequest, neededBy place: String
    ) throws -> NSFetchRequest<any NSFetchRequestResult> {
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = try value.entityName.map { try entity($0, neededBy: place) }
        request.predicate = try value.predicateFormat.map { try ModelFormats.predicate($0, of: place) }
        request.resultType = NSFetchRequestResultType(rawValue: UInt(clamping: value.resultType ?? 0))
        request.fetchLimit = value.fetchLimit ?? 0
        request.fetchOffset = value.fetchOffset ?? 0
        request.fetchBatchSize = value.fetchBatchSize ?? 0
        request.includesSubentities = value.includesSubentities ?? true
        // As Xcode compiles what a document leaves open: object IDs come without values, dictionaries without pending
        // changes.
        request.includesPropertyValues =
            value.includesPropertyValues ?? (request.resultType != .managedObjectIDResultType)
        request.includesPendingChanges = value.includesPendingChanges ?? (request.resultType != .dictionaryResultType)
        request.returnsObjectsAsFaults = value.returnsObjectsAsFaults ?? true
        request.returnsDistinctResults = value.returnsDistinctResults ?? false
        request.sortDescriptors = value.sortKeys.isEmpty ? nil : value.sortKeys.map(ModelFormats.sortDescriptor)
        request.propertiesToFetch = value.propertiesToFetch.isEmpty ? nil : value.propertiesToFetch
        let paths = value.relationshipKeyPathsForPrefetching
        request.relationshipKeyPathsForPrefetching = paths.isEmpty ? nil : paths
        return request
    }
}

extension Model.Entity {
    /// Whether the chain of parents ends somewhere.
    fileprivate func hasRoot(in model: Model) -> Bool {
        var names: Set<String> = [name]
        var parent = parentName
        while let name = parent {
            guard names.insert(name).inserted else { return false }
            parent = model.entity(named: name)?.parentName
        }
        return true
    }
}
