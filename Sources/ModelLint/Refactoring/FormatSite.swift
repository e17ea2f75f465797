import ModelDocument

/// A place of a model where a text in the format language stands.
struct FormatSite {
    var path: Model.ElementPath
    var field: String
    var title: String
    var text: String
    /// Whether the text is a predicate, or an expression.
    var isPredicate: Bool
    /// The entity with the keys that the text names.
    var entity: String?
    /// The entities that variables stand for.
    var variables: [String: String] = [:]
    /// Puts another text there.
    var write: (inout Model, String) -> Void

    /// All such places.
    static func all(in model: Model) -> [FormatSite] {
        var sites: [FormatSite] = []
        for (index, entity) in model.entities.enumerated() {
            let path = Model.ElementPath.model.child("entity", index)
            sites += derivations(of: entity, index, path)
            sites += fetchedProperties(of: entity, index, path)
            sites += indexes(of: entity, index, path)
            guard let text = entity.spotlightDisplayNameExpression else { continue }
            sites.append(
                FormatSite(
                    path: path, field: "spotlightExpression", title: entity.name, text: text, isPredicate: false,
                    entity: entity.name
                ) { $0.entities[index].spotlightDisplayNameExpression = $1 })
        }
        for (index, request) in model.fetchRequests.enumerated() {
            guard let text = request.predicateFormat else { continue }
            sites.append(
                FormatSite(
                    path: .model.child("fetchRequest", index), field: "predicate",
                    title: "Fetch request \(request.name)", text: text, isPredicate: true, entity: request.entityName
                ) { $0.fetchRequests[index].predicateFormat = $1 })
        }
        return sites.filter { !$0.text.isEmpty }
    }

    private static func derivations(
        of entity: Model.Entity, _ owner: Int, _ path: Model.ElementPath
    ) -> [FormatSite] {
        entity.attributes.enumerated().compactMap { index, attribute in
            attribute.derivationExpression.map { text in
                FormatSite(
                    path: path.child("attribute", index), field: "derivation",
                    title: "\(entity.name).\(attribute.name)", text: text, isPredicate: false, entity: entity.name
                ) { $0.entities[owner].attributes[index].derivationExpression = $1 }
            }
        }
    }

    private static func fetchedProperties(
        of entity: Model.Entity, _ owner: Int, _ path: Model.ElementPath
    ) -> [FormatSite] {
        entity.fetchedProperties.enumerated().compactMap { index, property in
            guard let request = property.fetchRequest, let text = request.predicateFormat else { return nil }
            return FormatSite(
                path: path.child("fetchedProperty", index), field: "predicate",
                title: "\(entity.name).\(property.name)", text: text, isPredicate: true, entity: request.entityName,
                variables: ["FETCH_SOURCE": entity.name]
            ) { $0.entities[owner].fetchedProperties[index].fetchRequest?.predicateFormat = $1 }
        }
    }

    private static func indexes(of entity: Model.Entity, _ owner: Int, _ path: Model.ElementPath) -> [FormatSite] {
        entity.fetchIndexes.enumerated().flatMap { index, fetchIndex in
            fetchIndex.elements.enumerated().compactMap { place, element in
                element.expression.map { text in
                    FormatSite(
                        path: path.child("fetchIndex", index).child("fetchIndexElement", place), field: "expression",
                        title: "Index \(fetchIndex.name) of \(entity.name)", text: text, isPredicate: false,
                        entity: entity.name
                    ) { $0.entities[owner].fetchIndexes[index].elements[place].expression = $1 }
                }
            }
        }
    }
}
