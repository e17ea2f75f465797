import ModelDocument

/// A place of a model where a name of something else stands.
struct NameSite {
    var path: Model.ElementPath
    var field: String
    var title: String
    var name: String

    /// All such places, in an order that does not depend on the names.
    static func all(in model: Model) -> [NameSite] {
        model.entities.enumerated().flatMap { sites(of: $1, at: .model.child("entity", $0)) }
            + model.fetchRequests.enumerated().compactMap { index, request in
                request.entityName.map {
                    NameSite(
                        path: .model.child("fetchRequest", index), field: "entity",
                        title: "Fetch request \(request.name)", name: $0)
                }
            }
            + model.configurations.enumerated().flatMap { index, configuration in
                configuration.entityNames.map {
                    NameSite(
                        path: .model.child("configuration", index), field: "entities",
                        title: "Configuration \(configuration.name)", name: $0)
                }
            }
            + model.composites.enumerated().flatMap { index, composite in
                sites(of: composite.elements, in: composite.name, at: .model.child("composite", index))
            }
    }

    private static func sites(of entity: Model.Entity, at path: Model.ElementPath) -> [NameSite] {
        var sites = [
            NameSite(path: path, field: "parent", title: entity.name, name: entity.parentName ?? ""),
            NameSite(path: path, field: "className", title: entity.name, name: entity.representedClass?.spelling ?? ""),
        ]
        sites += self.sites(of: entity.attributes, in: entity.name, at: path)
        for (index, relationship) in entity.relationships.enumerated() {
            let (path, title) = (path.child("relationship", index), "\(entity.name).\(relationship.name)")
            let destination = relationship.destinationName ?? ""
            sites.append(NameSite(path: path, field: "destination", title: title, name: destination))
            sites.append(
                NameSite(path: path, field: "inverse", title: title, name: relationship.inverseName ?? ""))
        }
        for (index, property) in entity.fetchedProperties.enumerated() {
            sites.append(
                NameSite(
                    path: path.child("fetchedProperty", index), field: "destination",
                    title: "\(entity.name).\(property.name)", name: property.fetchRequest?.entityName ?? ""))
        }
        return sites + lists(of: entity, at: path)
    }

    private static func sites(
        of attributes: [Model.Attribute], in owner: String, at path: Model.ElementPath
    ) -> [NameSite] {
        attributes.enumerated().map { index, attribute in
            NameSite(
                path: path.child("attribute", index), field: "composite", title: "\(owner).\(attribute.name)",
                name: attribute.compositeName ?? "")
        }
    }

    private static func lists(of entity: Model.Entity, at path: Model.ElementPath) -> [NameSite] {
        var sites: [NameSite] = []
        for (index, fetchIndex) in entity.fetchIndexes.enumerated() {
            for (place, element) in fetchIndex.elements.enumerated() {
                sites.append(
                    NameSite(
                        path: path.child("fetchIndex", index).child("fetchIndexElement", place), field: "propertyName",
                        title: "Index \(fetchIndex.name) of \(entity.name)", name: element.propertyName ?? ""))
            }
        }
        let tuples = [
            (entity.uniquenessConstraints, "uniquenessConstraints", "uniquenessConstraint", "Constraint"),
            (entity.compoundIndexes, "compoundIndexes", "compoundIndex", "Compound index"),
        ]
        for (list, wrapper, element, title) in tuples {
            for (index, tuple) in list.enumerated() {
                for name in tuple.names {
                    sites.append(
                        NameSite(
                            path: path.child(wrapper, 0).child(element, index), field: "names",
                            title: "\(title) of \(entity.name)", name: name))
                }
            }
        }
        return sites
    }
}
