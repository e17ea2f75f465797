import ModelDocument
import StoreBrowsing

/// A model in DBML.
///
/// Each entity is a table with its own properties and a key, `_key`, which no property can be called. The key of a
/// subentity refers to that of its parent. To-ones are columns. DBML has no to-manys: they are the other ends of
/// references, and notes tell their names and rules.
struct DBMLWriter {
    private let model: Model
    private let title: String
    static let key = "_key"

    init(_ model: Model, title: String) { (self.model, self.title) = (model, title) }

    var text: String {
        let entities = model.entitiesByName
        return ([project] + entities.map(table) + [references(entities)]).filter { !$0.isEmpty }
            .joined(separator: "\n")
    }

    // MARK: The model

    private var project: String {
        let requests = model.fetchRequests.map { request in
            "Fetch request \(request.name) of \(request.entityName ?? "no entity"): \(request.predicateFormat ?? "all")"
        }
        let configurations = model.configurations.map { configuration in
            "Configuration \(configuration.name): \(configuration.entityNames.joined(separator: ", "))"
        }
        let notes = ["A Core Data model"] + requests + configurations
        return """
            Project \(DBMLText.name(title)) {
              Note: \(DBMLText.text(notes.joined(separator: "\n")))
            }

            """
    }

    // MARK: Tables

    private func table(_ entity: Model.Entity) -> String {
        var lines = ["Table \(DBMLText.name(entity.name)) {", "  \(Self.key) key [\(keySettings(entity))]"]
        lines += StoredAttribute.all(of: entity, in: model).map { attribute($0, of: entity) }
        lines += entity.relationships.filter { !$0.isToMany }.map { toOne($0, of: entity) }
        lines += lonelyColumns(entity)
        lines += indexes(entity)
        let notes = notes(entity)
        if !notes.isEmpty { lines += ["", "  Note: \(DBMLText.text(notes.joined(separator: "\n")))"] }
        return (lines + ["}", ""]).joined(separator: "\n")
    }

    private func keySettings(_ entity: Model.Entity) -> String {
        guard let parent = entity.parentName else { return "pk" }
        return
            "pk, ref: - \(DBMLText.name(parent)).\(Self.key), note: \(DBMLText.text("\(entity.name) inherits from \(parent)"))"
    }

    private func attribute(_ stored: StoredAttribute, of entity: Model.Entity) -> String {
        var settings: [String] = []
        if !stored.isOptional { settings.append("not null") }
        if entity.uniqueNames.contains(stored.path) { settings.append("unique") }
        if let value = defaultValue(stored.attribute) { settings.append("default: \(value)") }
        if !stored.remarks.isEmpty {
            settings.append("note: \(DBMLText.text(stored.remarks.joined(separator: "; ")))")
        }
        return column(stored.path, stored.typeName, settings)
    }

    private func column(_ name: String, _ type: String, _ settings: [String]) -> String {
        "  \(DBMLText.name(name)) \(type)" + (settings.isEmpty ? "" : " [\(settings.joined(separator: ", "))]")
    }

    private func defaultValue(_ attribute: Model.Attribute) -> String? {
        if let seconds = attribute.defaultDateTimeInterval { return DBMLText.text("\(seconds) s after 2001") }
        guard let value = attribute.defaultValueString else { return nil }
        switch attribute.type {
        case .boolean: return ["YES", "1", "true"].contains(value) ? "true" : "false"
        case .integer16, .integer32, .integer64, .decimal, .double, .float:
            let isPlain = value.utf8.allSatisfy {
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: ".")
            }
            return isPlain && !value.isEmpty && value.first != "." && value.last != "." ? value : DBMLText.text(value)
        default: return DBMLText.text(value)
        }
    }

    private func toOne(_ relationship: Model.Relationship, of entity: Model.Entity) -> String {
        var settings = relationship.isOptional ? [] : ["not null"]
        if entity.uniqueNames.contains(relationship.name) { settings.append("unique") }
        settings.append("note: \(DBMLText.text(sentence(relationship)))")
        return column(relationship.name, "key", settings)
    }

    /// The columns of to-manys of other entities that have no inverse here.
    private func lonelyColumns(_ entity: Model.Entity) -> [String] {
        lonely.filter { $0.relationship.destinationName == entity.name }.map { owner, relationship in
            column(
                "\(owner.name).\(relationship.name)", "key",
                ["note: \(DBMLText.text("to-many \(owner.name).\(relationship.name), which has no inverse"))"])
        }
    }

    private var lonely: [(entity: Model.Entity, relationship: Model.Relationship)] {
        model.entitiesByName.flatMap { entity in
            entity.relationships.filter { $0.isToMany && model.inverse(of: $0, in: entity) == nil }.map { (entity, $0) }
        }
    }

    private func sentence(_ relationship: Model.Relationship) -> String {
        let inverse = relationship.inverseName.map { ", inverse \($0)" } ?? ", no inverse"
        let transient = relationship.isTransient ? ", transient" : ""
        return
            "to-one to \(relationship.destinationName ?? "nothing"), delete rule \(relationship.deleteRule.phrase)\(inverse)\(transient)"
    }

    // MARK: Indexes and notes

    private func indexes(_ entity: Model.Entity) -> [String] {
        let constraints = entity.uniquenessConstraints.filter { $0.names.count > 1 }.map { tuple in
            "    (\(tuple.names.map { DBMLText.name($0) }.joined(separator: ", "))) [unique]"
        }
        let lines =
            constraints + entity.fetchIndexes.compactMap(index)
            + entity.compoundIndexes.filter { !$0.names.isEmpty }.map { tuple in
                "    (\(tuple.names.map { DBMLText.name($0) }.joined(separator: ", ")))"
            }
        return lines.isEmpty ? [] : ["", "  indexes {"] + lines + ["  }"]
    }

    private func index(_ index: Model.FetchIndex) -> String? {
        guard !index.elements.isEmpty else { return nil }
        let elements = index.elements.map { element in
            element.propertyName.map { DBMLText.name($0) } ?? DBMLText.expression(element.expression ?? "")
        }
        var notes = index.elements.filter { !$0.isAscending }.map { "\($0.propertyName ?? "expression") descending" }
        if index.elements.contains(where: { $0.collation == .rTree }) { notes.append("spatial") }
        if let predicate = index.partialIndexPredicate { notes.append("where \(predicate)") }
        let note = notes.isEmpty ? "" : ", note: \(DBMLText.text(notes.joined(separator: "; ")))"
        return "    (\(elements.joined(separator: ", "))) [name: \(DBMLText.text(index.name))\(note)]"
    }

    private func notes(_ entity: Model.Entity) -> [String] {
        var notes: [String] = []
        if let text = entity.userInfo?["documentation"]?.string { notes.append(text) }
        if entity.isAbstract { notes.append("abstract") }
        notes += entity.relationships.filter(\.isToMany).map { relationship in
            let order = relationship.isOrdered ? "ordered " : ""
            let bounds = relationship.maxCount > 1 ? ", at most \(relationship.maxCount)" : ""
            let need = relationship.isOptional ? "" : ", required"
            return
                "\(relationship.name): \(order)to-many to \(relationship.destinationName ?? "nothing")\(need)\(bounds), delete rule \(relationship.deleteRule.phrase)"
        }
        return notes
            + entity.fetchedProperties.map {
                "\($0.name): fetched from \($0.fetchRequest?.entityName ?? "nothing") where \($0.fetchRequest?.predicateFormat ?? "true")"
            }
    }

    // MARK: References

    private func references(_ entities: [Model.Entity]) -> String {
        var met = MetRelationships()
        return entities.flatMap { entity in
            entity.relationships.compactMap { relationship -> String? in
                let inverse = model.inverse(of: relationship, in: entity)
                guard met.meet(relationship, of: entity, inverse),
                    let destination = relationship.destinationName.flatMap({ model.entity(named: $0) })
                else { return nil }
                return reference(relationship, of: entity, to: destination, inverse)
            }
        }.joined()
    }

    private func reference(
        _ relationship: Model.Relationship, of entity: Model.Entity, to destination: Model.Entity,
        _ inverse: (entity: Model.Entity, relationship: Model.Relationship)?
    ) -> String {
        let (own, other) = (place(entity, Self.key), place(destination, Self.key))
        let name = "Ref \(DBMLText.name("\(entity.name).\(relationship.name)")): "
        switch (relationship.isToMany, inverse?.relationship.isToMany) {
        case (false, false?):
            return name + "\(other) - \(place(entity, relationship.name))\(settings(inverse))\n"
        case (false, _):
            return name + "\(place(entity, relationship.name)) > \(other)\(settings(inverse))\n"
        case (true, true?): return name + "\(own) <> \(place(inverse?.entity ?? destination, Self.key))\n"
        case (true, false?):
            let column = place(inverse?.entity ?? destination, inverse?.relationship.name ?? "")
            return name + "\(own) < \(column)\(settings((entity, relationship)))\n"
        case (true, nil):
            let column = place(destination, "\(entity.name).\(relationship.name)")
            return name + "\(own) < \(column)\(settings((entity, relationship)))\n"
        }
    }

    private func place(_ entity: Model.Entity, _ column: String) -> String {
        "\(DBMLText.name(entity.name)).\(DBMLText.name(column))"
    }

    /// What happens to rows with the reference when the row goes that it leads to: the delete rule of that side.
    private func settings(_ side: (entity: Model.Entity, relationship: Model.Relationship)?) -> String {
        guard let rule = side?.relationship.deleteRule else { return "" }
        return switch rule {
        case .noAction: " [delete: no action]"
        case .nullify: " [delete: set null]"
        case .cascade: " [delete: cascade]"
        case .deny: " [delete: restrict]"
        }
    }
}

extension Model.DeleteRule {
    /// The rule in a sentence.
    var phrase: String {
        switch self {
        case .noAction: "no action"
        case .nullify: "nullify"
        case .cascade: "cascade"
        case .deny: "deny"
        }
    }
}
