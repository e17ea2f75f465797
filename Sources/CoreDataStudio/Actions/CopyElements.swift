import ModelDocument

/// Copies of elements, with names of their own.
struct Duplicate: EditAction {
    static let kind = "duplicate"
    var elements: [ElementID]

    func title(in document: EditedDocument) -> String {
        elements.count == 1 ? "Duplicate \(document.title(of: elements[0]))" : "Duplicate \(elements.count) Elements"
    }

    func apply(to editor: inout Editor) throws {
        for id in elements {
            // Each copy moves what is behind it, so each element is looked up anew.
            let location = try editor.current.location(of: id)
            if location.place.kind == .version {
                try editor.document.addVersion(basedOn: editor.document.versions[location.version].name)
            } else {
                editor.edit(location.version) { Self.duplicate(location.place, in: &$0) }
            }
        }
    }

    private static func duplicate(_ place: ElementPlace, in model: inout Model) {
        let copied = model.editList(of: place, DuplicateEdit(index: place.index))
        guard let copied else { return }
        switch place.kind {
        case .entity: finish(entity: copied, in: &model)
        case .relationship:
            // One inverse can't serve two.
            model.entities[place.owner.index][relationship: copied]?.inverseName = nil
            model.entities[place.owner.index][relationship: copied]?.inverseEntityName = nil
        default: break
        }
    }

    /// A copy of an entity has a class of its own and relationships of its own.
    fileprivate static func finish(entity copied: String, in model: inout Model) {
        guard var entity = model[entity: copied] else { return }
        if let reference = entity.representedClass, reference.className != "NSManagedObject" {
            entity.representedClass = ClassReference(reference.modulePrefix + copied)
        }
        for index in entity.relationships.indices {
            (entity.relationships[index].inverseName, entity.relationships[index].inverseEntityName) = (nil, nil)
        }
        model[entity: copied] = entity
        guard !model.diagramElements.isEmpty,
            let element = try? DiagramPoint(x: 0, y: 0).element(for: entity, formerly: nil)
        else { return }
        model.diagramElements.insertAsXcode(element)
    }
}

/// Copies of elements in another entity, composite or version: what a person copies and pastes.
struct Copy: EditAction {
    static let kind = "copy"
    var elements: [ElementID]
    var into: ElementID

    func title(in document: EditedDocument) -> String {
        elements.count == 1 ? "Paste \(document.title(of: elements[0]))" : "Paste \(elements.count) Elements"
    }

    func apply(to editor: inout Editor) throws {
        let target = try editor.location(of: into)
        for id in elements {
            let source = try editor.location(of: id)
            guard target.place.kind.listedKinds.contains(source.place.kind) else {
                throw StudioError(
                    .invalidEdit,
                    "A \(source.place.kind.title.lowercased()) can't be in a \(target.place.kind.title.lowercased()).")
            }
            var original = editor.original.model(source)
            let element = original.editElement(at: source.place) { $0 }
            // The place that takes the copy may have moved by the copies before.
            let place = try editor.current.location(of: into).place
            try editor.edit(target.version) { try Self.add(element, source.place.kind, to: place, in: &$0) }
        }
    }

    private static func add(
        _ element: any ListedElement, _ kind: ElementKind, to owner: ElementPlace, in model: inout Model
    ) throws {
        var element = element
        if var relationship = element as? Model.Relationship {
            // Its inverse belongs to another entity's relationship.
            (relationship.inverseName, relationship.inverseEntityName) = (nil, nil)
            element = relationship
        }
        let taken = owner.kind == .entity ? model.entities[owner.index].propertyNames : []
        let edit = InsertEdit(element: element, taken: Set(taken))
        let (name, former) = (model.editList(of: owner.child(kind, 0), edit), element.listedName)
        guard kind == .entity, let name else { return }
        if name != former { return Duplicate.finish(entity: name, in: &model) }
        for index in model[entity: name]?.relationships.indices ?? 0..<0 {
            model[entity: name]?.relationships[index].inverseName = nil
            model[entity: name]?.relationships[index].inverseEntityName = nil
        }
    }
}

/// Puts an element into a list of its kind, where Xcode would write it, by another name if its own is taken.
private struct InsertEdit: ListEdit {
    var element: any ListedElement
    /// Names that are taken beside those in the list.
    var taken: Set<String>

    /// The name by which the element is in the list.
    func apply<Element: ListedElement>(to list: inout [Element]) -> String? {
        guard var copy = element as? Element else { return nil }
        let names = list.map { $0.listedName ?? "" }
        let isSorted = zip(names, names.dropFirst()).allSatisfy { !$1.comesBeforeInXcode($0) }
        guard let name = copy.listedName else {
            list.append(copy)
            return nil
        }
        let all = taken.union(names)
        let free = all.contains(name) ? name.freshCopyName(among: all) : name
        copy.listedName = free
        let place = isSorted ? names.firstIndex { free.comesBeforeInXcode($0) } : nil
        list.insert(copy, at: place ?? list.count)
        return free
    }
}
