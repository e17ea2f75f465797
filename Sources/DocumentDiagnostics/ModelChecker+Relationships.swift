extension ModelChecker {
    mutating func checkRelationship(_ relationship: Model.Relationship, of entity: Model.Entity, _ place: Place) {
        checkCounts(of: relationship, place)
        guard let name = relationship.destinationName, !name.isEmpty else {
            return report(.noDestination, "\(place.title) has no destination", place)
        }
        guard let destination = entities[name] else {
            return report(.unknownDestination, "\(place.title) leads to \(name), which is not in the model", place)
        }
        checkInverse(of: relationship, in: entity, to: destination, place)
        if !relationship.isTransient { checkStores(of: entity, and: destination, place) }
    }

    mutating func checkFetchedProperty(_ property: Model.FetchedProperty, _ place: Place) {
        guard let name = property.fetchRequest?.entityName, !name.isEmpty else {
            return report(.noDestination, "\(place.title) has no destination", place)
        }
        if entities[name] == nil {
            report(.unknownDestination, "\(place.title) leads to \(name), which is not in the model", place)
        }
    }

    private mutating func checkCounts(of relationship: Model.Relationship, _ place: Place) {
        let (least, greatest) = (relationship.minCount, relationship.maxCount)
        if greatest > 0, least > greatest {
            report(
                .minimumAboveMaximum, "\(place.title) has the minimum \(least) above its maximum \(greatest)", place)
        }
        if greatest == 1, relationship.foreign.spellings["toMany"] == "YES" {
            report(
                .toManyOfOne, "\(place.title) is to many, but with 1 at most: Core Data takes it for a to-one", place)
        }
        if relationship.isOrdered, !relationship.isToMany {
            report(.ignoredSetting, "\(place.title) is ordered, which means nothing for a to-one", place)
        }
    }

    // MARK: - Inverses

    private mutating func checkInverse(
        of relationship: Model.Relationship, in entity: Model.Entity, to destination: Model.Entity, _ place: Place
    ) {
        guard let inverseName = relationship.inverseName, !inverseName.isEmpty else {
            return report(
                .noInverse,
                "\(place.title) has no inverse: objects of \(destination.name) that are deleted leave it dangling",
                place)
        }
        let inverseTitle = "\(destination.name).\(inverseName)"
        guard case .relationship(let inverse)? = property(inverseName, of: destination) else {
            return report(
                .unknownInverse,
                "\(place.title) has the inverse \(inverseTitle), which is no relationship of the model",
                place)
        }
        guard let back = inverse.destinationName, areRelated(back, entity.name) else {
            return report(
                .wrongInverse,
                "\(place.title) has the inverse \(inverseTitle), which leads to \(inverse.destinationName ?? "nothing"), not to \(entity.name)",
                place)
        }
        guard inverse.inverseName == relationship.name else {
            let other = inverse.inverseName.map { "has the inverse \(back).\($0)" } ?? "has none"
            return report(
                .oneSidedInverse,
                "\(place.title) has the inverse \(inverseTitle), which \(other): a change of one does not change the other",
                place)
        }
        checkDeleteRule(of: relationship, inverse, inverseTitle, place)
    }

    private mutating func checkDeleteRule(
        of relationship: Model.Relationship, _ inverse: Model.Relationship, _ inverseTitle: String, _ place: Place
    ) {
        let isRequired = !inverse.isOptional && !inverse.isToMany && !inverse.isTransient
        switch relationship.deleteRule {
        case .noAction:
            report(
                .noAction,
                "\(place.title) has the delete rule No Action: deleting its object leaves \(inverseTitle) dangling",
                place)
        case .nullify where isRequired && !relationship.isTransient:
            report(
                .nullifiesRequired,
                "\(place.title) has the delete rule Nullify, but \(inverseTitle) is required: saving fails after its object was deleted, unless its destinations are deleted or given another",
                place)
        default: break
        }
    }

    // MARK: - Configurations

    /// A relationship can't be saved if its ends never share a store.
    private mutating func checkStores(of entity: Model.Entity, and destination: Model.Entity, _ place: Place) {
        let (sources, targets) = (configurations[entity.name] ?? [], configurations[destination.name] ?? [])
        guard !sources.isEmpty, !targets.isEmpty, sources.isDisjoint(with: targets) else { return }
        report(
            .separatedByConfigurations,
            "\(place.title) leads from the configuration \(sources.sorted().joined(separator: ", ")) to \(targets.sorted().joined(separator: ", ")): a relationship can't lead from one store into another",
            place)
    }
}
