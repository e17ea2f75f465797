extension ModelChecker {
    /// What `NSPersistentCloudKitContainer` refuses, for models that are made for it.
    mutating func checkCloudKit() {
        let configurations = model.configurations.filter(\.isUsedWithCloudKit)
        let isWhole = model.documentInfo?.isUsedWithCloudKit == true
        guard isWhole || !configurations.isEmpty else { return }
        report(
            .cloudKitPort,
            "The model is made for NSPersistentCloudKitContainer, which exists on Apple's platforms alone: elsewhere its stores are plain ones that NSPersistentContainer opens, and what is to reach other devices goes through the persistent history",
            Place())
        let members = Set(configurations.flatMap(\.entityNames))
        for (index, entity) in model.entities.enumerated() where members.isEmpty || members.contains(entity.name) {
            checkCloudKit(entity, Place(path: .model.child("entity", index), entity: entity.name))
        }
    }

    private mutating func checkCloudKit(_ entity: Model.Entity, _ place: Place) {
        if !entity.uniquenessConstraints.isEmpty {
            report(
                .cloudKit, "\(entity.name) has uniqueness constraints, which CloudKit doesn't keep",
                place.child("uniquenessConstraints", 0))
        }
        for (index, attribute) in entity.attributes.enumerated() {
            let place = place.property("attribute", index, attribute.name)
            let hasDefault = attribute.defaultValueString != nil || attribute.defaultDateTimeInterval != nil
            if !attribute.isOptional, !attribute.isTransient, !hasDefault, !attribute.isDerived {
                report(.cloudKit, "\(place.title) is neither optional nor has a default, which CloudKit demands", place)
            }
            if [.undefined, .objectID].contains(attribute.type), !attribute.isTransient {
                report(
                    .cloudKit, "\(place.title) has the type \(attribute.type.documentName), unknown to CloudKit", place)
            }
        }
        for (index, relationship) in entity.relationships.enumerated() where !relationship.isTransient {
            checkCloudKit(relationship, place.property("relationship", index, relationship.name))
        }
    }

    private mutating func checkCloudKit(_ relationship: Model.Relationship, _ place: Place) {
        var demands: [String] = []
        if !relationship.isOptional { demands.append("is required") }
        if relationship.isOrdered, relationship.isToMany { demands.append("is ordered") }
        if relationship.inverseName == nil { demands.append("has no inverse") }
        if relationship.deleteRule == .deny { demands.append("has the delete rule Deny") }
        guard !demands.isEmpty else { return }
        report(.cloudKit, "\(place.title) \(demands.joined(separator: " and ")), which CloudKit doesn't allow", place)
    }
}
