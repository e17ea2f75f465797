import ModelDocument
import StoreBrowsing

/// A model for the eye: each entity with its own properties.
struct ModelListing {
    let model: Model

    init(_ model: Model) { self.model = model }

    var lines: [String] {
        var lines: [String] = []
        for entity in model.entitiesByName {
            if !lines.isEmpty { lines.append("") }
            lines.append(title(of: entity))
            let rows = attributes(of: entity) + relationships(of: entity) + fetchedProperties(of: entity)
            var table = TextTable(header: ["", "", ""])
            table.rows = rows
            // The header of the table is the entity's own line.
            lines += table.lines.dropFirst(2).map { "  " + $0 }
        }
        return lines
    }

    private func title(of entity: Model.Entity) -> String {
        var title = entity.name
        if let parent = entity.parentName { title += ": \(parent)" }
        var notes = entity.isAbstract ? ["abstract"] : []
        if let name = entity.representedClass?.spelling, name != entity.name { notes.append("class \(name)") }
        notes += entity.uniquenessConstraints.map { "unique " + $0.names.joined(separator: " + ") }
        return notes.isEmpty ? title : title + " (" + notes.joined(separator: ", ") + ")"
    }

    private func attributes(of entity: Model.Entity) -> [[String]] {
        entity.attributes.sorted { $0.name.precedesByCodePoint($1.name) }.map { attribute in
            var notes = attribute.isOptional ? [] : ["required"]
            if attribute.isTransient { notes.append("transient") }
            if attribute.allowsExternalBinaryDataStorage { notes.append("external storage") }
            if let expression = attribute.derivationExpression { notes.append("derived from \(expression)") }
            if let transformer = attribute.valueTransformerName { notes.append("by \(transformer)") }
            if attribute.defaultJSON != .null {
                notes.append("default " + JSONWriter(layout: .compact).string(attribute.defaultJSON))
            }
            return [attribute.name, attribute.type.title, notes.joined(separator: ", ")]
        }
    }

    private func relationships(of entity: Model.Entity) -> [[String]] {
        entity.relationships.sorted { $0.name.precedesByCodePoint($1.name) }.map { relationship in
            let destination = relationship.destinationName ?? "nothing"
            var notes = relationship.isOptional ? [] : ["required"]
            if relationship.isTransient { notes.append("transient") }
            if relationship.isOrdered { notes.append("ordered") }
            if relationship.deleteRule != .nullify {
                notes.append("on delete: \(relationship.deleteRule.title.lowercased())")
            }
            notes.append(relationship.inverseName.map { "inverse \($0)" } ?? "no inverse")
            return [
                relationship.name, relationship.isToMany ? "[\(destination)]" : destination,
                notes.joined(separator: ", "),
            ]
        }
    }

    private func fetchedProperties(of entity: Model.Entity) -> [[String]] {
        entity.fetchedProperties.sorted { $0.name.precedesByCodePoint($1.name) }.map { property in
            let request = property.fetchRequest
            return [
                property.name, "[\(request?.entityName ?? "nothing")]",
                "fetched" + (request?.predicateFormat.map { " where \($0)" } ?? ""),
            ]
        }
    }
}
