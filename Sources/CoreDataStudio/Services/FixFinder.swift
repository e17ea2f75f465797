import ModelDocument

/// Finds what could be done about a problem.
struct FixFinder {
    let diagnostic: Model.Diagnostic
    let place: ElementPlace
    let names: ModelNames

    private var model: Model { names.model }
    private var id: String { names.tree.nearestID(to: place).rawValue }

    var fixes: [Problem.Fix] {
        switch place.kind {
        case .relationship: relationshipFixes
        case .attribute: attributeFixes
        case .entity: entityFixes
        default: otherFixes
        }
    }

    private func set(_ title: String, _ field: String, _ value: JSON) -> Problem.Fix {
        Problem.Fix(
            title: title,
            action: ["kind": "set", "element": .text(id), "changes": .object([field: value])])
    }

    private func delete(_ title: String) -> Problem.Fix {
        Problem.Fix(title: title, action: ["kind": "delete", "elements": .array([.text(id)])])
    }

    /// A name that nothing beside the element has.
    private func rename() -> [Problem.Fix] {
        guard let name = model.name(at: place), !name.isEmpty else { return [] }
        let taken =
            place.owner.kind == .entity
            ? names.lineage(model.entities[place.owner.index].name).flatMap { model.entities[$0].propertyNames }
            : model.entities.map(\.name) + model.fetchRequests.map(\.name) + model.configurations.map(\.name)
        let new = name.fresh(among: Set(taken + [name]), firstNumber: 2)
        return [
            Problem.Fix(
                title: "Rename to “\(new)”",
                action: ["kind": "rename", "element": .text(id), "name": .text(new)])
        ]
    }

    private var isNameProblem: Bool {
        [.duplicateEntity, .duplicateProperty, .duplicateElement, .inheritedName, .reservedName, .caseClash]
            .contains(diagnostic.code)
    }
}

// MARK: - Relationships

extension FixFinder {
    private var relationshipFixes: [Problem.Fix] {
        let relationship = model[relationship: place]
        switch diagnostic.code {
        case .noInverse: return inverseFixes(for: relationship)
        case .oneSidedInverse, .wrongInverse, .unknownInverse:
            var fixes = diagnostic.code == .oneSidedInverse ? bothSides(of: relationship) : []
            fixes.append(set("Remove the Inverse", "inverse", .null))
            return fixes
        case .noDestination, .unknownDestination: return destinationFixes(for: relationship.destinationName)
        case .minimumAboveMaximum:
            return [set("Set the Minimum to \(relationship.maxCount)", "minimumCount", .integer(relationship.maxCount))]
        case .toManyOfOne:
            return [set("Make It To-One", "isToMany", false), set("Lift the Limit", "maximumCount", .null)]
        case .noAction: return [set("Use the Delete Rule Nullify", "deleteRule", "nullify")]
        case .nullifiesRequired:
            return [
                set("Use the Delete Rule Cascade", "deleteRule", "cascade"),
                set("Use the Delete Rule Deny", "deleteRule", "deny"),
            ]
        case .ignoredSetting: return relationship.isOrdered ? [set("Make It Unordered", "isOrdered", false)] : []
        default: return isNameProblem ? rename() : []
        }
    }

    /// The relationships that could be the other side, and a new one.
    private func inverseFixes(for relationship: Model.Relationship) -> [Problem.Fix] {
        let entity = model.entities[place.owner.index].name
        let family = Set(names.lineage(entity).map { model.entities[$0].name })
        var fixes: [Problem.Fix] = []
        for owner in names.lineage(relationship.destinationName) {
            for (index, other) in model.entities[owner].relationships.enumerated()
            where other.inverseName == nil && family.contains(other.destinationName ?? "") {
                let otherPlace = ElementPlace.model.child(.entity, owner).child(.relationship, index)
                guard otherPlace != place, let otherID = names.tree.id(at: otherPlace) else { continue }
                fixes.append(
                    setInverse(
                        "Use “\(other.name)” of \(model.entities[owner].name) as Inverse", otherID))
            }
        }
        if let destination = relationship.destinationName {
            fixes.append(
                Problem.Fix(
                    title: "Create an Inverse in \(destination)",
                    action: ["kind": "addInverse", "relationship": .text(id)]))
        }
        return fixes
    }

    private func bothSides(of relationship: Model.Relationship) -> [Problem.Fix] {
        let other = names.relationship(
            relationship.inverseName, seenFrom: relationship.inverseEntityName ?? relationship.destinationName)
        guard let other, let otherID = names.tree.id(at: other) else { return [] }
        return [setInverse("Make Both Each Other's Inverse", otherID)]
    }

    private func setInverse(_ title: String, _ other: ElementID) -> Problem.Fix {
        Problem.Fix(
            title: title,
            action: ["kind": "setInverse", "relationship": .text(id), "inverse": .text(other.rawValue)])
    }

    private func destinationFixes(for name: String?) -> [Problem.Fix] {
        guard let name, !name.isEmpty else { return [] }
        return [
            Problem.Fix(
                title: "Add an Entity “\(name)”",
                action: ["kind": "addEntity", "version": .text(names.tree.id.rawValue), "name": .text(name)])
        ]
    }
}

// MARK: - The others

extension FixFinder {
    private var attributeFixes: [Problem.Fix] {
        let attribute = model[attribute: place]
        switch diagnostic.code {
        case .undefinedType: return [set("Make It a String", "type", "string")]
        case .missingDefault: return [set("Make It Optional", "isOptional", true)] + zero(for: attribute.type)
        case .invalidDefault, .defaultOutsideBounds: return [set("Remove the Default", "defaultValue", .null)]
        case .minimumAboveMaximum:
            guard let least = attribute.minValueString, let greatest = attribute.maxValueString else { return [] }
            return [
                Problem.Fix(
                    title: "Swap Minimum and Maximum",
                    action: [
                        "kind": "set", "element": .text(id),
                        "changes": ["minimum": .text(greatest), "maximum": .text(least)],
                    ])
            ]
        case .insecureTransformer:
            return [set("Use NSSecureUnarchiveFromData", "transformer", "NSSecureUnarchiveFromData")]
        case .externalStorage: return [set("Turn Off External Storage", "allowsExternalStorage", false)]
        case .invalidPattern: return [set("Remove the Pattern", "regularExpression", .null)]
        default: return isNameProblem ? rename() : []
        }
    }

    private func zero(for type: Model.AttributeType) -> [Problem.Fix] {
        switch type {
        case .integer16, .integer32, .integer64: [set("Set the Default to 0", "defaultValue", "0")]
        case .decimal, .double, .float: [set("Set the Default to 0.0", "defaultValue", "0.0")]
        case .boolean: [set("Set the Default to NO", "defaultValue", "NO")]
        default: []
        }
    }

    private var entityFixes: [Problem.Fix] {
        let entity = model.entities[place.index]
        switch diagnostic.code {
        case .unknownParent, .parentCycle: return [set("Remove the Parent", "parent", .null)]
        case .missingClass, .duplicateClass, .duplicateGeneratedClass:
            return [set("Use the Class “\(entity.name)”", "className", .text(entity.name))]
        case .abstractWithoutSubentities: return [set("Make It Not Abstract", "isAbstract", false)]
        default: return isNameProblem ? rename() : []
        }
    }

    private var otherFixes: [Problem.Fix] {
        switch (place.kind, diagnostic.code) {
        case (.fetchedProperty, .noDestination), (.fetchedProperty, .unknownDestination):
            return destinationFixes(for: model[fetchedProperty: place].fetchRequest?.entityName)
        case (.constraint, .emptyElement), (.constraint, .constraintKey), (.constraint, .unknownConstraintKey):
            return [delete("Delete the Constraint")]
        case (.index, .emptyElement): return [delete("Delete the Index")]
        case (.indexElement, _): return [delete("Delete the Index Element")]
        case (.composite, .emptyElement): return [delete("Delete the Composite")]
        case (.fetchRequest, .unknownRequestEntity):
            return destinationFixes(for: model.fetchRequests[place.index].entityName)
                + [delete("Delete the Fetch Request")]
        case (.configuration, .unknownMember):
            let known = model.configurations[place.index].entityNames.compactMap { names.entityID($0) }
            return [set("Remove Unknown Entities", "entities", .ids(known))]
        default: return isNameProblem ? rename() : []
        }
    }
}
