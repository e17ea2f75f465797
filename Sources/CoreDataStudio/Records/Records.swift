import ModelDocument

/// What the browser sees of an element: its fields and the identifiers of what it lists.
typealias Record = [String: JSON]

/// The records of one version.
struct VersionRecords: Sendable, Hashable {
    private(set) var records: [ElementID: Record] = [:]

    /// The records of a version and of everything in it.
    init(_ version: VersionedModel.Version, _ tree: VersionTree, isCurrent: Bool) {
        let names = ModelNames(version.model, tree)
        let context = FieldContext(names: names)
        var record = Self.record(Field<Model>.all, of: version.model, context)
        record["name"] = .text(version.name)
        record["isCurrent"] = .bool(isCurrent)
        add(record, tree.node, owner: nil)
        for (index, entity) in tree.node.children.lazy.filter({ $0.kind == .entity }).enumerated() {
            add(entity, version.model.entities[index], names)
        }
        addOthers(version.model, tree, context)
    }

    /// The record of the version alone.
    static func version(_ version: VersionedModel.Version, _ tree: VersionTree, isCurrent: Bool) -> Record {
        var shallow = version
        shallow.model.entities = []
        let bare = VersionTree(IdentifiedNode(id: tree.id, kind: .version, key: version.name, children: []))
        let context = FieldContext(names: ModelNames(shallow.model, bare))
        var record = Self.record(Field<Model>.all, of: version.model, context)
        record["name"] = .text(version.name)
        record["isCurrent"] = .bool(isCurrent)
        record.addLists(of: tree.node)
        return record
    }

    private static func record<Element>(
        _ fields: [Field<Element>], of element: Element, _ context: FieldContext
    ) -> Record {
        var record: Record = [:]
        record.reserveCapacity(fields.count + 6)
        for field in fields {
            let value = field.read(element, context)
            if value != .null { record[field.name] = value }
        }
        return record
    }

    private mutating func add(_ record: Record, _ node: IdentifiedNode, owner: ElementID?) {
        var record = record
        if let owner { record["owner"] = .text(owner.rawValue) }
        record.addLists(of: node)
        records[node.id] = record
    }
}

extension Record {
    fileprivate mutating func addLists(of node: IdentifiedNode) {
        self["kind"] = .text(node.kind.rawValue)
        for kind in node.kind.listedKinds { self[kind.listName] = .ids(node.ids(kind)) }
    }
}

extension ElementKind {
    /// The kinds that an element of this kind lists.
    var listedKinds: [ElementKind] {
        switch self {
        case .version: [.entity, .fetchRequest, .configuration, .composite]
        case .entity:
            [.attribute, .relationship, .fetchedProperty, .index, .constraint, .compoundIndex, .userInfo]
        case .attribute, .relationship, .fetchedProperty: [.userInfo]
        case .composite: [.attribute]
        case .index: [.indexElement]
        default: []
        }
    }
}

// MARK: - Element by element

extension VersionRecords {
    private mutating func add(_ node: IdentifiedNode, _ entity: Model.Entity, _ names: ModelNames) {
        let context = FieldContext(names: names, entity: entity)
        add(Self.record(Field<Model.Entity>.all, of: entity, context), node, owner: names.tree.id)
        addAll(.attribute, of: node, entity.attributes, Field<Model.Attribute>.all, context) { $0.userInfo }
        addAll(.relationship, of: node, entity.relationships, Field<Model.Relationship>.all, context) { $0.userInfo }
        addAll(.fetchedProperty, of: node, entity.fetchedProperties, Field<Model.FetchedProperty>.all, context) {
            $0.userInfo
        }
        addAll(.constraint, of: node, entity.uniquenessConstraints, Field<Model.NameTuple>.all, context)
        addAll(.compoundIndex, of: node, entity.compoundIndexes, Field<Model.NameTuple>.all, context)
        addAll(.index, of: node, entity.fetchIndexes, Field<Model.FetchIndex>.all, context)
        for (child, index) in zip(node.children.lazy.filter { $0.kind == .index }, entity.fetchIndexes) {
            addAll(.indexElement, of: child, index.elements, Field<Model.FetchIndex.Element>.all, context)
        }
        addUserInfo(entity.userInfo, of: node, context)
    }

    private mutating func addOthers(_ model: Model, _ tree: VersionTree, _ context: FieldContext) {
        addAll(.fetchRequest, of: tree.node, model.fetchRequests, Field<Model.FetchRequest>.all, context)
        addAll(.configuration, of: tree.node, model.configurations, Field<Model.Configuration>.all, context)
        addAll(.composite, of: tree.node, model.composites, Field<Model.Composite>.all, context)
        for (node, composite) in zip(tree.node.children.lazy.filter { $0.kind == .composite }, model.composites) {
            addAll(.attribute, of: node, composite.elements, Field<Model.Attribute>.all, context) { $0.userInfo }
        }
    }

    private mutating func addAll<Element>(
        _ kind: ElementKind, of owner: IdentifiedNode, _ elements: [Element], _ fields: [Field<Element>],
        _ context: FieldContext, userInfo: (Element) -> Model.UserInfo? = { _ in nil }
    ) {
        for (node, element) in zip(owner.children.lazy.filter { $0.kind == kind }, elements) {
            add(Self.record(fields, of: element, context), node, owner: owner.id)
            addUserInfo(userInfo(element), of: node, context)
        }
    }

    private mutating func addUserInfo(_ info: Model.UserInfo?, of owner: IdentifiedNode, _ context: FieldContext) {
        guard let info else { return }
        addAll(.userInfo, of: owner, info.entries, Field<Model.UserInfo.Entry>.all, context)
    }
}
