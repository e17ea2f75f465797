import ModelDocument
import RandomSeeds

/// A change of a model that can be told from the result.
struct RandomEdit {
    /// What is changed, for messages.
    let title: String
    let apply: (inout Model) throws -> Void
    /// Whether a model has the change.
    let isKept: (Model) -> Bool
}

/// Something in a model that can be edited without touching what else is edited.
enum EditTarget: Hashable {
    case attribute(String, String)
    case relationship(String, String)
    case entity(String)
    case model
}

extension RandomEdit {
    /// A random edit of a target.
    ///
    /// - Parameter number: Told apart what is added.
    static func random(
        of target: EditTarget, in model: Model, number: Int, using generator: inout SeededGenerator
    ) -> RandomEdit {
        switch target {
        case .attribute(let entity, let name): attributeEdit(entity, name, model, number, &generator)
        case .relationship(let entity, let name): relationshipEdit(entity, name, &generator)
        case .entity(let name): entityEdit(name, number, &generator)
        case .model: addedEntity(number, &generator)
        }
    }

    private static func attributeEdit(
        _ entity: String, _ name: String, _ model: Model, _ number: Int, _ generator: inout SeededGenerator
    ) -> RandomEdit {
        let title = "\(entity).\(name)"
        let attribute = model[entity: entity]?[attribute: name]
        switch Int.random(in: 0..<5, using: &generator) {
        case 0:
            let isOptional = !(attribute?.isOptional ?? false)
            return RandomEdit(title: "\(title) optional \(isOptional)") {
                $0[entity: entity]?[attribute: name]?.isOptional = isOptional
            } isKept: {
                $0[entity: entity]?[attribute: name]?.isOptional == isOptional
            }
        case 1:
            return RandomEdit(title: "\(title) default") {
                $0[entity: entity]?[attribute: name]?.defaultValueString = "\(number)"
            } isKept: {
                $0[entity: entity]?[attribute: name]?.defaultValueString == "\(number)"
            }
        case 2:
            let newName = "renamed\(number)"
            return RandomEdit(title: "\(title) renamed \(newName)") { model in
                try model.renameProperty(name, of: entity, to: newName)
                model[entity: entity]?[attribute: newName]?.renamingIdentifier = name
            } isKept: {
                $0[entity: entity]?[attribute: newName]?.type == attribute?.type
                    && $0[entity: entity]?[attribute: name] == nil
            }
        case 3:
            return RandomEdit(title: "\(title) removed") {
                try $0.removeProperty(name, of: entity)
            } isKept: {
                $0[entity: entity]?.propertyNames.contains(name) == false
            }
        default:
            return RandomEdit(title: "\(title) user info") { model in
                let old = model[entity: entity]?[attribute: name]?.userInfo
                var info = old ?? Model.UserInfo()
                info.entries.append(.init(key: "key\(number)", value: "a <b> & \"c\""))
                model[entity: entity]?[attribute: name]?.userInfo = info
            } isKept: {
                $0[entity: entity]?[attribute: name]?.userInfo?["key\(number)"] == "a <b> & \"c\""
            }
        }
    }

    private static func relationshipEdit(
        _ entity: String, _ name: String, _ generator: inout SeededGenerator
    ) -> RandomEdit {
        let rule = Model.DeleteRule.allCases.randomElement(using: &generator) ?? .deny
        let modifier = String(UInt16.random(in: 0...999, using: &generator))
        return RandomEdit(title: "\(entity).\(name) rule \(rule)") { model in
            model[entity: entity]?[relationship: name]?.deleteRule = rule
            model[entity: entity]?[relationship: name]?.versionHashModifier = modifier
        } isKept: {
            let relationship = $0[entity: entity]?[relationship: name]
            return relationship?.deleteRule == rule && relationship?.versionHashModifier == modifier
        }
    }

    /// An addition to an entity, which both sides may make.
    private static func entityEdit(_ name: String, _ number: Int, _ generator: inout SeededGenerator) -> RandomEdit {
        let added = ["aAdded", "mAdded", "zAdded"].randomElement(using: &generator).map { $0 + "\(number)" } ?? ""
        switch Int.random(in: 0..<3, using: &generator) {
        case 0:
            return RandomEdit(title: "\(name) + constraint") { model in
                model[entity: name]?.attributes.append(.init(name: added, type: .string))
                model[entity: name]?.uniquenessConstraints.append([added])
            } isKept: {
                $0[entity: name]?.uniquenessConstraints.contains([added]) == true
            }
        case 1:
            return RandomEdit(title: "\(name) + index") { model in
                model[entity: name]?.attributes.insert(.init(name: added, type: .date), at: 0)
                model[entity: name]?.fetchIndexes.append(
                    .init(name: added, elements: [.init(propertyName: added)]))
            } isKept: {
                $0[entity: name]?[fetchIndex: added]?.elements.map(\.propertyName) == [added]
            }
        default:
            return RandomEdit(title: "\(name) + attribute") {
                $0[entity: name]?.attributes.append(.init(name: added, type: .uuid))
            } isKept: {
                $0[entity: name]?[attribute: added]?.type == .uuid
            }
        }
    }

    private static func addedEntity(_ number: Int, _ generator: inout SeededGenerator) -> RandomEdit {
        let name = (["Aa", "Mm", "Zz"].randomElement(using: &generator) ?? "Zz") + "Entity\(number)"
        return RandomEdit(title: "+ \(name)") { model in
            var entity = Model.Entity(name: name)
            entity.attributes = [.init(name: "x", type: .integer64)]
            model.entities.append(entity)
            model.fetchRequests.append(.init(name: "All\(name)", entityName: name))
            if !model.diagramElements.isEmpty {
                model.diagramElements.append(.init(name: name, width: 128, height: 44))
            }
        } isKept: {
            $0[entity: name]?.attributes.count == 1 && $0[fetchRequest: "All\(name)"]?.entityName == name
        }
    }
}

extension Model {
    /// What can be edited. An inverse counts as one with its relationship.
    var editTargets: [EditTarget] {
        entities.flatMap { entity -> [EditTarget] in
            entity.attributes.map { .attribute(entity.name, $0.name) }
                + entity.relationships.map { .relationship(entity.name, $0.name) }
        }
    }
}
