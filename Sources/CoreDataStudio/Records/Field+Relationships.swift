import ModelDocument

extension Field<Model.Relationship> {
    /// The fields of relationships; `destination` and `inverse` concern other relationships too and are set by
    /// actions.
    static let all: [Field] = [
        .name("name", "Name", \.name),
        .derived("destination") { .optional($1.names.entityID($0.destinationName)) },
        .derived("destinationName") { relationship, _ in .optional(relationship.destinationName) },
        .derived("inverse") { relationship, context in
            .optional(context.inverse(of: relationship).flatMap { context.names.tree.id(at: $0) })
        },
        .derived("inverseName") { relationship, _ in .optional(relationship.inverseName) },
        .derived("isInverseMutual") { .bool($1.isMutual($0)) },
        Field("isToMany", "To Many") { relationship, _ in
            .bool(relationship.isToMany)
        } write: { relationship, value, _ in
            let isToMany = try value.flag(for: "isToMany")
            // `toMany="YES" maxCount="1"` is a to-one that looks like a to-many.
            if !isToMany { relationship.foreign.spellings["toMany"] = nil }
            guard isToMany != relationship.isToMany else { return }
            relationship.maxCount = isToMany ? 0 : 1
            if !isToMany { (relationship.isOrdered, relationship.minCount) = (false, 0) }
        },
        .flag("isOrdered", "Ordered", \.isOrdered),
        .flag("isOptional", "Optional", \.isOptional),
        .flag("isTransient", "Transient", \.isTransient),
        Field("minimumCount", "Minimum Count") { relationship, _ in
            relationship.minCount > 0 ? .integer(relationship.minCount) : .null
        } write: { relationship, value, _ in
            relationship.minCount = try value.optionalCount(for: "minimumCount") ?? 0
        },
        Field("maximumCount", "Maximum Count") { relationship, _ in
            relationship.maxCount > 0 && relationship.isToMany ? .integer(relationship.maxCount) : .null
        } write: { relationship, value, _ in
            let count = try value.optionalCount(for: "maximumCount")
            guard relationship.isToMany, count != 1 else {
                if count == 1 || count == nil { return relationship.maxCount = 1 }
                throw StudioError(.invalidEdit, "A to-one relationship leads to one object; make it to-many first.")
            }
            relationship.maxCount = count ?? 0
        },
        .choice("deleteRule", "Delete Rule", \.deleteRule, Model.DeleteRule.words),
        .flag("isIndexed", "Indexed", \.isIndexed),
        .flag("isIndexedBySpotlight", "Index in Spotlight", \.isIndexedBySpotlight),
        .flag("isStoredInExternalRecord", "Store in External Record", \.isStoredInExternalRecord),
        .flag("isSyncable", "Synchronized", \.isSyncable),
        .text("renamingIdentifier", "Renaming ID", \.renamingIdentifier),
        .text("versionHashModifier", "Hash Modifier", \.versionHashModifier),
    ]
}

extension Model.DeleteRule {
    static let words: [Model.DeleteRule: String] = [
        .noAction: "noAction", .nullify: "nullify", .cascade: "cascade", .deny: "deny",
    ]
}

extension FieldContext {
    /// Where the relationship in the other direction is.
    fileprivate func inverse(of relationship: Model.Relationship) -> ElementPlace? {
        names.relationship(
            relationship.inverseName, seenFrom: relationship.inverseEntityName ?? relationship.destinationName)
    }

    /// Whether the relationship in the other direction names this one.
    fileprivate func isMutual(_ relationship: Model.Relationship) -> Bool {
        guard let place = inverse(of: relationship), let entity else { return false }
        let other = names.model[relationship: place]
        guard other.inverseName == relationship.name else { return false }
        let owner = names.relationship(
            other.inverseName, seenFrom: other.inverseEntityName ?? other.destinationName)
        return owner.map { names.model.entities[$0.owner.index].name == entity.name } ?? false
    }
}

extension Field<Model.FetchRequest> {
    /// The fields of fetch requests.
    static let all: [Field] =
        [
            .name("name", "Name", \.name),
            .entity("entity", "Entity", \.entityName),
            .derived("entityName") { request, _ in .optional(request.entityName) },
        ] + settings

    /// Those that requests of fetched properties have too.
    fileprivate static let settings: [Field] = [
        .text("predicate", "Predicate", \.predicateFormat),
        .count("fetchLimit", "Fetch Limit", \.fetchLimit),
        .count("fetchBatchSize", "Batch Size", \.fetchBatchSize),
        Field("resultType", "Result Type") { request, _ in
            .optional(resultTypes[request.resultType ?? 0])
        } write: { request, value, _ in
            let type = try value.choice(resultTypes, for: "resultType")
            request.resultType = type == 0 ? nil : type
        },
        .flag("includesSubentities", "Includes Subentities", \.includesSubentities),
        .flag("includesPropertyValues", "Includes Property Values", \.includesPropertyValues),
        .flag("includesPendingChanges", "Includes Pending Changes", \.includesPendingChanges),
        .flag("returnsObjectsAsFaults", "Returns Objects as Faults", \.returnsObjectsAsFaults),
        .flag("returnsDistinctResults", "Returns Distinct Results", \.returnsDistinctResults),
    ]

    private static let resultTypes = [0: "objects", 1: "objectIDs", 2: "dictionaries", 4: "count"]
}

extension Field<Model.FetchedProperty> {
    /// The fields of fetched properties.
    static let all: [Field] =
        [
            .name("name", "Name", \.name),
            .entity("destination", "Destination", \.request.entityName),
            .derived("destinationName") { property, _ in .optional(property.fetchRequest?.entityName) },
            .flag("isOptional", "Optional", \.isOptional),
            .flag("isTransient", "Transient", \.isTransient),
            .flag("isSyncable", "Synchronized", \.isSyncable),
            .text("renamingIdentifier", "Renaming ID", \.renamingIdentifier),
            .text("versionHashModifier", "Hash Modifier", \.versionHashModifier),
        ] + Field<Model.FetchRequest>.settings.map(\.ofFetchedProperty)
}

extension Field<Model.FetchRequest> {
    /// The field of the request inside of a fetched property.
    fileprivate var ofFetchedProperty: Field<Model.FetchedProperty> {
        let field = self
        return Field<Model.FetchedProperty>(name, title) { property, context in
            field.read(property.request, context)
        } write: { property, value, context in
            guard let write = field.write else { return }
            try write(&property.request, value, context)
        }
    }
}

extension Model.FetchedProperty {
    /// The property's request; one that has none gets what Xcode calls it.
    var request: Model.FetchRequest {
        get { fetchRequest ?? Model.FetchRequest(name: "fetchedPropertyFetchRequest") }
        set { fetchRequest = newValue }
    }
}

extension Field<Model.FetchIndex> {
    /// The fields of fetch indexes.
    static let all: [Field] = [.name("name", "Name", \.name)]
}

extension Field<Model.FetchIndex.Element> {
    /// The fields of the elements of fetch indexes.
    static let all: [Field] = [
        Field("property", "Property") { element, context in
            .optional(context.entity.flatMap { context.names.propertyID(element.propertyName, seenFrom: $0.name) })
        } write: { element, value, context in
            guard let id = value.text, let place = context.names.tree.places[ElementID(rawValue: id)],
                [.attribute, .relationship].contains(place.kind), let name = context.names.model.name(at: place)
            else { throw value.wrong("property", "the identifier of an attribute or a relationship") }
            (element.propertyName, element.expression, element.expressionType) = (name, nil, nil)
        },
        .text("propertyName", "Property", \.propertyName),
        .text("expression", "Expression", \.expression),
        Field("expressionType", "Expression Type") { element, _ in
            .optional(element.expressionType?.word)
        } write: { element, value, _ in
            element.expressionType =
                value == .null ? nil : try value.choice(Model.AttributeType.words, for: "expressionType")
        },
        .choice("collation", "Type", \.collation, [.binary: "binary", .rTree: "rTree"]),
        .flag("isAscending", "Ascending", \.isAscending),
    ]
}
