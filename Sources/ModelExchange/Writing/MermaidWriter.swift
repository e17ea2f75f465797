import ModelDocument
import StoreBrowsing

/// A model as an entity relationship diagram of Mermaid.
///
/// A line without breaks is a relationship with its inverse; the marks at its ends tell how many objects are there. A
/// dotted line with the label "is" leads from a subentity to its parent: the language knows no inheritance.
struct MermaidWriter {
    private let model: Model

    init(_ model: Model) { self.model = model }

    var text: String {
        let entities = model.entitiesByName
        let lines = ["erDiagram"] + entities.flatMap(block) + entities.compactMap(inheritance) + links(entities)
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: Entities

    private func block(_ entity: Model.Entity) -> [String] {
        let name = MermaidText.quoted(entity.name)
        let attributes = StoredAttribute.all(of: entity, in: model)
        if attributes.isEmpty { return ["    \(name)"] }
        let unique = entity.uniqueNames
        return ["    \(name) {"] + attributes.map { line($0, isUnique: unique.contains($0.path)) } + ["    }"]
    }

    private func line(_ stored: StoredAttribute, isUnique: Bool) -> String {
        let word = MermaidText.word(stored.path)
        var remarks = word.isChanged ? [stored.path] : []
        if stored.isOptional { remarks.append("optional") }
        if let value = stored.attribute.defaultValueString { remarks.append("default \(value)") }
        remarks += stored.remarks
        let comment = remarks.isEmpty ? "" : " " + MermaidText.quoted(remarks.joined(separator: ", "))
        return "        \(stored.typeName) \(word.text)\(isUnique ? " UK" : "")\(comment)"
    }

    // MARK: Lines

    private func inheritance(_ entity: Model.Entity) -> String? {
        entity.parentName.map {
            "    \(MermaidText.quoted(entity.name)) |o..|| \(MermaidText.quoted($0)) : \"is\""
        }
    }

    private func links(_ entities: [Model.Entity]) -> [String] {
        var met = MetRelationships()
        return entities.flatMap { entity in
            entity.relationships.compactMap { relationship -> String? in
                let inverse = model.inverse(of: relationship, in: entity)
                guard met.meet(relationship, of: entity, inverse), let destination = relationship.destinationName
                else { return nil }
                return link(relationship, of: entity, to: destination, inverse?.relationship)
            }
        }
    }

    private func link(
        _ relationship: Model.Relationship, of entity: Model.Entity, to destination: String,
        _ inverse: Model.Relationship?
    ) -> String {
        let left = inverse.map { ["|o", "||", "}o", "}|"][Self.place($0)] } ?? "}o"
        let right = ["o|", "||", "o{", "|{"][Self.place(relationship)]
        let label = inverse.map { "\(relationship.name) / \($0.name)" } ?? relationship.name
        return
            "    \(MermaidText.quoted(entity.name)) \(left)--\(right) \(MermaidText.quoted(destination)) : \(MermaidText.quoted(label))"
    }

    private static func place(_ relationship: Model.Relationship) -> Int {
        let isRequired = !relationship.isOptional || relationship.minCount > 0
        return (relationship.isToMany ? 2 : 0) + (isRequired ? 1 : 0)
    }
}
