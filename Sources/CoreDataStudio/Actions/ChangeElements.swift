import ModelDocument
import ModelLint

/// An element gets another name, and what refers to it follows.
struct Rename: EditAction {
    static let kind = "rename"
    var element: ElementID
    var name: String
    /// Whether texts are changed that may mean something else.
    var includesUnsure: Bool?
    /// Whether what refers to the element follows; it does unless this says no.
    var updatesReferences: Bool?
    /// Whether the old name becomes the renaming identifier, by which stores of the old version are migrated.
    var setsRenamingIdentifier: Bool?

    func title(in document: EditedDocument) -> String { "Rename \(document.title(of: element)) to “\(name)”" }

    func apply(to editor: inout Editor) throws {
        let location = try editor.original.location(of: element)
        let name = try ActionChecks.name(name)
        guard location.place.kind != .version else {
            let former = editor.document.versions[location.version].name
            return try editor.document.renameVersion(former, to: name)
        }
        try editor.edit(location.version) { model in
            try model.keepingXcodeOrder { model in
                let former = model.name(at: location.place)
                try rename(&model, location.place, to: name)
                guard setsRenamingIdentifier ?? false, former != name else { return }
                model.setRenamingIdentifier(former, at: location.place)
            }
        }
    }

    private func rename(_ model: inout Model, _ place: ElementPlace, to name: String) throws {
        let siblings = model.editList(of: place, NamesOfList()).compactMap { $0 }
        guard let former = model.name(at: place) else {
            throw StudioError(.invalidRequest, "A \(place.kind.title.lowercased()) has no name.")
        }
        // Of two of the same name it is not known which one others mean: only this one is renamed.
        let isAmbiguous = siblings.filter { $0 == former }.count > 1
        if let target = model.renameTarget(place), updatesReferences ?? true, !isAmbiguous {
            try ModelRename(target, to: name).carryOut(in: &model, includingUnsure: includesUnsure ?? false)
        } else {
            guard former == name || !siblings.contains(name) else {
                throw StudioError(.invalidEdit, "There is “\(name)” already.")
            }
            model.editElement(at: place) { $0.listedName = name }
        }
    }
}

extension Model {
    /// What others refer to by name; `nil` for elements that nothing refers to.
    func renameTarget(_ place: ElementPlace) -> ModelRename.Target? {
        let owner = place.owner.index
        switch place.kind {
        case .entity: return .entity(entities[place.index].name)
        case .composite: return .composite(composites[place.index].name)
        case .attribute where place.owner.kind == .composite:
            return .element(composites[owner].elements[place.index].name, composite: composites[owner].name)
        case .attribute, .relationship, .fetchedProperty:
            return name(at: place).map { .property($0, entity: entities[owner].name) }
        default: return nil
        }
    }
}

extension Model {
    /// Notes the name in older versions, unless one is noted already: that is what still older stores know.
    fileprivate mutating func setRenamingIdentifier(_ name: String?, at place: ElementPlace) {
        switch place.kind {
        case .entity: entities[place.index].renamingIdentifier = entities[place.index].renamingIdentifier ?? name
        case .attribute: self[attribute: place].renamingIdentifier = self[attribute: place].renamingIdentifier ?? name
        case .relationship:
            self[relationship: place].renamingIdentifier = self[relationship: place].renamingIdentifier ?? name
        case .fetchedProperty:
            self[fetchedProperty: place].renamingIdentifier = self[fetchedProperty: place].renamingIdentifier ?? name
        default: break
        }
    }
}

/// Elements go, and what would refer to nothing without them.
struct Delete: EditAction {
    static let kind = "delete"
    var elements: [ElementID]

    func title(in document: EditedDocument) -> String {
        guard elements.count == 1, let location = try? document.location(of: elements[0]) else {
            return "Delete \(elements.count) Elements"
        }
        let (kind, name) = (location.place.kind.title, document.title(of: elements[0]))
        return kind == name ? "Delete \(kind)" : "Delete \(kind) \(name)"
    }

    func apply(to editor: inout Editor) throws {
        for id in elements {
            _ = try editor.original.location(of: id)
            // What goes may take others with it and moves those behind it, so each is looked up anew.
            guard let location = try? editor.current.location(of: id) else { continue }
            if location.place.kind == .version {
                try editor.document.removeVersion(editor.document.versions[location.version].name)
            } else {
                try editor.edit(location.version) { try Self.remove(location.place, from: &$0) }
            }
        }
    }

    private static func remove(_ place: ElementPlace, from model: inout Model) throws {
        let names = model.editList(of: place, NamesOfList())
        let name = names[place.index]
        let isAmbiguous = name != nil && names.filter { $0 == name }.count > 1
        switch (place.kind, name) {
        case (.entity, let name?) where !isAmbiguous: try model.removeEntity(name)
        case (.attribute, let name?) where place.owner.kind == .entity && !isAmbiguous,
            (.relationship, let name?) where !isAmbiguous,
            (.fetchedProperty, let name?) where !isAmbiguous:
            try model.removeProperty(name, of: model.entities[place.owner.index].name)
        default: model.editList(of: place, RemoveEdit(index: place.index))
        }
    }
}

/// An element goes to another place in its list.
struct Move: EditAction {
    static let kind = "move"
    var element: ElementID
    var to: Int

    func title(in document: EditedDocument) -> String { "Move \(document.title(of: element))" }

    func apply(to editor: inout Editor) throws {
        let location = try editor.original.location(of: element)
        guard location.place.kind != .version else {
            throw StudioError(.invalidEdit, "Versions are in the order of their names.")
        }
        editor.edit(location.version) { model in
            model.editList(of: location.place, MoveEdit(index: location.place.index, target: to))
        }
    }
}

/// The lists of an element, or of a version, go into the order in which Xcode writes them.
struct Sort: EditAction {
    static let kind = "sort"
    var element: ElementID

    func title(in document: EditedDocument) -> String { "Sort \(document.title(of: element))" }

    func apply(to editor: inout Editor) throws {
        let location = try editor.location(of: element, .version, .entity, .composite)
        editor.edit(location.version) { model in
            switch location.place.kind {
            case .entity: model.entities[location.place.index].sortProperties()
            case .composite: model.composites[location.place.index].elements.sortAsXcode()
            default:
                model.entities.sortAsXcode()
                model.fetchRequests.sortAsXcode()
                model.configurations.sortAsXcode()
                model.composites.sortAsXcode()
            }
        }
    }
}

extension Model.Entity {
    fileprivate mutating func sortProperties() {
        attributes.sortAsXcode()
        relationships.sortAsXcode()
        fetchedProperties.sortAsXcode()
        fetchIndexes.sortAsXcode()
    }
}

/// Two relationships become each other's inverse, or a relationship loses its inverse.
struct SetInverse: EditAction {
    static let kind = "setInverse"
    var relationship: ElementID
    var inverse: ElementID?

    func title(in document: EditedDocument) -> String {
        inverse == nil ? "Remove Inverse" : "Set Inverse of \(document.title(of: relationship))"
    }

    func apply(to editor: inout Editor) throws {
        let location = try editor.location(of: relationship, .relationship)
        let other = try inverse.map { try editor.location(of: $0, .relationship) }
        guard other?.version ?? location.version == location.version else {
            throw StudioError(.invalidRequest, "The relationships are in different versions.")
        }
        try editor.edit(location.version) { model in
            let (entity, name) = (
                model.entities[location.place.owner.index].name, model[relationship: location.place].name
            )
            try model.setInverse(
                other.map { model[relationship: $0.place].name }, ofRelationship: name, of: entity)
        }
    }
}
