// Constraints, indexes, fetch requests, configurations, composites: lists of names of what is elsewhere.

extension ModelChecker {
    mutating func checkConstraints(of entity: Model.Entity, _ entityPlace: Place) {
        let list = entityPlace.child("uniquenessConstraints", 0)
        for (index, constraint) in entity.uniquenessConstraints.enumerated() {
            let place = list.child("uniquenessConstraint", index)
            if constraint.names.isEmpty {
                report(.emptyElement, "A uniqueness constraint of \(entity.name) names no property", place)
            }
            for name in constraint.names { checkConstraintKey(name, of: entity, place) }
        }
    }

    private mutating func checkConstraintKey(_ name: String, of entity: Model.Entity, _ place: Place) {
        let title = "A uniqueness constraint of \(entity.name)"
        switch keyedProperty(name, of: entity) {
        case nil: report(.unknownConstraintKey, "\(title) names \(name), which the entity has not", place)
        case .fetched: report(.constraintKey, "\(title) names \(name), a fetched property", place)
        case .relationship(let relationship):
            if relationship.isToMany {
                report(.constraintKey, "\(title) names \(name), a to-many relationship", place)
            } else if relationship.isTransient {
                report(.constraintKey, "\(title) names \(name), which is transient", place)
            }
        case .attribute(let attribute):
            if attribute.isTransient { report(.constraintKey, "\(title) names \(name), which is transient", place) }
        }
    }

    mutating func checkIndexes(of entity: Model.Entity, _ entityPlace: Place) {
        let places = entity.fetchIndexes.enumerated().map { entityPlace.property("fetchIndex", $0, $1.name) }
        checkNames(places, .duplicateElement, "fetch index")
        for (index, fetchIndex) in entity.fetchIndexes.enumerated() {
            let place = entityPlace.child("fetchIndex", index)
            if fetchIndex.elements.isEmpty {
                report(.emptyElement, "The fetch index \(entity.name).\(fetchIndex.name) has no elements", place)
            }
            for (number, element) in fetchIndex.elements.enumerated() {
                guard let name = element.propertyName else { continue }
                let elementPlace = place.child("fetchIndexElement", number)
                checkIndexKey(name, of: entity, element.collation, "The fetch index \(fetchIndex.name)", elementPlace)
            }
        }
        let list = entityPlace.child("compoundIndexes", 0)
        for (index, tuple) in entity.compoundIndexes.enumerated() {
            for name in tuple.names {
                checkIndexKey(name, of: entity, .binary, "A compound index", list.child("compoundIndex", index))
            }
        }
    }

    private mutating func checkIndexKey(
        _ name: String, of entity: Model.Entity, _ collation: Model.FetchIndex.Collation, _ subject: String,
        _ place: Place
    ) {
        let title = "\(subject) of \(entity.name)"
        switch keyedProperty(name, of: entity) {
        case nil where name == "self" || name == "entity": break
        case nil: report(.unknownIndexKey, "\(title) names \(name), which the entity has not", place)
        case .fetched: report(.indexKey, "\(title) names \(name), a fetched property", place)
        case .relationship(let relationship):
            if relationship.isToMany {
                report(.indexKey, "\(title) names \(name), a to-many relationship, which has no column", place)
            }
        case .attribute(let attribute):
            if attribute.isTransient {
                report(.indexKey, "\(title) names \(name), which is transient and has no column", place)
            } else if collation == .rTree, !attribute.type.isNumber, attribute.type != .date {
                report(.indexKey, "\(title) is an R-tree over \(name), which is no number", place)
            }
        }
    }

    /// A property by its name, or the leaf of a composite by its path, such as `address.city`.
    private func keyedProperty(_ name: String, of entity: Model.Entity) -> Property? {
        let keys = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard var found = property(keys[0], of: entity) else { return nil }
        for key in keys.dropFirst() {
            guard case .attribute(let attribute) = found, let composite = attribute.compositeName,
                let element = composites[composite]?.elements.first(where: {
                    $0.name == key
                })
            else { return nil }
            found = .attribute(element)
        }
        return found
    }
}

extension ModelChecker {
    mutating func checkFetchRequests() {
        checkElementNames(model.fetchRequests.map(\.name), "fetchRequest", "fetch request")
        for (index, request) in model.fetchRequests.enumerated() {
            let place = Place(path: .model.child("fetchRequest", index))
            guard let name = request.entityName, !name.isEmpty else {
                report(.unknownRequestEntity, "The fetch request \(request.name) names no entity", place)
                continue
            }
            if entities[name] == nil {
                report(
                    .unknownRequestEntity,
                    "The fetch request \(request.name) is for \(name), which is not in the model", place)
            }
        }
    }

    private mutating func checkElementNames(_ names: [String], _ element: String, _ kind: String) {
        let places = names.enumerated().map { Place(path: .model.child(element, $0), property: $1) }
        checkNames(places, .duplicateElement, kind)
    }

    mutating func checkConfigurations() {
        checkElementNames(model.configurations.map(\.name), "configuration", "configuration")
        for (index, configuration) in model.configurations.enumerated() {
            for (number, name) in configuration.entityNames.enumerated() where entities[name] == nil {
                report(
                    .unknownMember, "The configuration \(configuration.name) has \(name), which is not in the model",
                    Place(path: .model.child("configuration", index).child("memberEntity", number)))
            }
        }
    }

    mutating func checkComposites() {
        checkElementNames(model.composites.map(\.name), "composite", "composite")
        let circular = circularComposites()
        for (index, composite) in model.composites.enumerated() {
            let place = Place(path: .model.child("composite", index), property: composite.name)
            if circular.contains(composite.name) {
                report(.compositeCycle, "The composite \(composite.name) contains itself", place)
            }
            if composite.elements.isEmpty {
                report(.emptyElement, "The composite \(composite.name) has no elements", place)
            }
            for (number, element) in composite.elements.enumerated() {
                let elementPlace = Place(
                    path: place.path.child("attribute", number), property: "\(composite.name).\(element.name)")
                checkAttribute(element, isElement: true, elementPlace)
            }
        }
    }

    /// The composites that contain themselves: each strongly connected group of more than one, and those that name
    /// themselves (Tarjan's algorithm, with a stack of its own).
    private func circularComposites() -> Set<String> {
        var circular: Set<String> = []
        var numbers: [String: Int] = [:]
        var lowest: [String: Int] = [:]
        var group: [String] = []
        var isInGroup: Set<String> = []
        for start in composites.keys where numbers[start] == nil {
            var open = [(name: start, parts: parts(of: start), next: 0)]
            while let step = open.last {
                let name = step.name
                if step.next == 0, numbers[name] == nil {
                    numbers[name] = numbers.count
                    lowest[name] = numbers[name]
                    group.append(name)
                    isInGroup.insert(name)
                }
                if step.next < step.parts.count {
                    open[open.count - 1].next += 1
                    let part = step.parts[step.next]
                    if part == name { circular.insert(name) }
                    if numbers[part] == nil {
                        open.append((part, parts(of: part), 0))
                    } else if isInGroup.contains(part) {
                        lowest[name] = min(lowest[name] ?? 0, numbers[part] ?? 0)
                    }
                    continue
                }
                open.removeLast()
                if let above = open.last?.name { lowest[above] = min(lowest[above] ?? 0, lowest[name] ?? 0) }
                guard lowest[name] == numbers[name], let place = group.lastIndex(of: name) else { continue }
                if group.count - place > 1 { circular.formUnion(group[place...]) }
                isInGroup.subtract(group[place...])
                group.removeSubrange(place...)
            }
        }
        return circular
    }

    private func parts(of composite: String) -> [String] {
        composites[composite]?.elements.compactMap(\.compositeName).filter { composites[$0] != nil } ?? []
    }
}
