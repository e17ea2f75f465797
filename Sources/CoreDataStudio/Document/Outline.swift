import ModelDocument

/// What elements a model has, without what they say: the shape that identifiers are given to.
struct OutlineNode: Sendable, Hashable {
    var kind: ElementKind
    /// What tells the element from its siblings: its name, or what it consists of.
    var key: String
    var children: [OutlineNode] = []
}

extension Model {
    /// The elements that the model has, each kind in the order of its list.
    var outline: [OutlineNode] {
        entities.map(\.outline)
            + fetchRequests.map { OutlineNode(kind: .fetchRequest, key: $0.name) }
            + configurations.map { OutlineNode(kind: .configuration, key: $0.name) }
            + composites.map { composite in
                OutlineNode(kind: .composite, key: composite.name, children: composite.elements.map(\.outline))
            }
    }
}

extension Model.Entity {
    fileprivate var outline: OutlineNode {
        var children = attributes.map(\.outline)
        children += relationships.map {
            OutlineNode(kind: .relationship, key: $0.name, children: $0.userInfo.outline)
        }
        children += fetchedProperties.map {
            OutlineNode(kind: .fetchedProperty, key: $0.name, children: $0.userInfo.outline)
        }
        children += fetchIndexes.map { index in
            OutlineNode(kind: .index, key: index.name, children: index.elements.map(\.outline))
        }
        children += uniquenessConstraints.map {
            OutlineNode(kind: .constraint, key: $0.names.joined(separator: ","))
        }
        children += compoundIndexes.map {
            OutlineNode(kind: .compoundIndex, key: $0.names.joined(separator: ","))
        }
        return OutlineNode(kind: .entity, key: name, children: children + userInfo.outline)
    }
}

extension Model.Attribute {
    fileprivate var outline: OutlineNode {
        OutlineNode(kind: .attribute, key: name, children: userInfo.outline)
    }
}

extension Model.FetchIndex.Element {
    fileprivate var outline: OutlineNode {
        OutlineNode(kind: .indexElement, key: propertyName ?? expression ?? "")
    }
}

extension Model.UserInfo? {
    fileprivate var outline: [OutlineNode] {
        (self?.entries ?? []).map { OutlineNode(kind: .userInfo, key: $0.key) }
    }
}
