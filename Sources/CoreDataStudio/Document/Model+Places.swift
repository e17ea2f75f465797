import ModelDocument

// Access to the elements of a model by their places. Places come from the tree of identifiers, which has the model's
// own shape, so their indices are good.

extension Model {
    /// The attribute of an entity or a composite.
    subscript(attribute place: ElementPlace) -> Attribute {
        get {
            let owner = place.owner
            return owner.kind == .composite
                ? composites[owner.index].elements[place.index] : entities[owner.index].attributes[place.index]
        }
        set {
            let owner = place.owner
            if owner.kind == .composite {
                composites[owner.index].elements[place.index] = newValue
            } else {
                entities[owner.index].attributes[place.index] = newValue
            }
        }
    }

    subscript(relationship place: ElementPlace) -> Relationship {
        get { entities[place.owner.index].relationships[place.index] }
        set { entities[place.owner.index].relationships[place.index] = newValue }
    }

    subscript(fetchedProperty place: ElementPlace) -> FetchedProperty {
        get { entities[place.owner.index].fetchedProperties[place.index] }
        set { entities[place.owner.index].fetchedProperties[place.index] = newValue }
    }

    subscript(index place: ElementPlace) -> FetchIndex {
        get { entities[place.owner.index].fetchIndexes[place.index] }
        set { entities[place.owner.index].fetchIndexes[place.index] = newValue }
    }

    /// The user info of what has one; of other elements none.
    subscript(userInfo owner: ElementPlace) -> UserInfo? {
        get {
            switch owner.kind {
            case .entity: entities[owner.index].userInfo
            case .attribute: self[attribute: owner].userInfo
            case .relationship: self[relationship: owner].userInfo
            case .fetchedProperty: self[fetchedProperty: owner].userInfo
            default: nil
            }
        }
        set {
            switch owner.kind {
            case .entity: entities[owner.index].userInfo = newValue
            case .attribute: self[attribute: owner].userInfo = newValue
            case .relationship: self[relationship: owner].userInfo = newValue
            case .fetchedProperty: self[fetchedProperty: owner].userInfo = newValue
            default: break
            }
        }
    }

    /// The name of an element, where it has one.
    func name(at place: ElementPlace) -> String? {
        guard place != .model else { return nil }
        var copy = self
        return copy.editElement(at: place) { $0.listedName }
    }

    /// Carries out the same edit on whatever list an element is in.
    mutating func editList<Edit: ListEdit>(of place: ElementPlace, _ edit: Edit) -> Edit.Result {
        let owner = place.owner
        switch place.kind {
        case .entity: return edit.apply(to: &entities)
        case .fetchRequest: return edit.apply(to: &fetchRequests)
        case .configuration: return edit.apply(to: &configurations)
        case .composite: return edit.apply(to: &composites)
        case .attribute where owner.kind == .composite: return edit.apply(to: &composites[owner.index].elements)
        case .attribute: return edit.apply(to: &entities[owner.index].attributes)
        case .relationship: return edit.apply(to: &entities[owner.index].relationships)
        case .fetchedProperty: return edit.apply(to: &entities[owner.index].fetchedProperties)
        case .index: return edit.apply(to: &entities[owner.index].fetchIndexes)
        case .constraint: return edit.apply(to: &entities[owner.index].uniquenessConstraints)
        case .compoundIndex: return edit.apply(to: &entities[owner.index].compoundIndexes)
        case .indexElement:
            return edit.apply(to: &entities[owner.owner.index].fetchIndexes[owner.index].elements)
        case .userInfo, .version:
            var info = self[userInfo: owner] ?? UserInfo()
            let result = edit.apply(to: &info.entries)
            self[userInfo: owner] = info == UserInfo() ? nil : info
            return result
        }
    }

    /// Carries out an edit on an element, whatever it is.
    mutating func editElement<Result>(
        at place: ElementPlace, _ body: (inout any ListedElement) -> Result
    ) -> Result {
        withoutActuallyEscaping(body) { editList(of: place, ElementEdit(index: place.index, body: $0)) }
    }
}

/// An edit that is the same for lists of whatever kind.
protocol ListEdit {
    associatedtype Result
    func apply<Element: ListedElement>(to list: inout [Element]) -> Result
}

private struct ElementEdit<Result>: ListEdit {
    var index: Int
    var body: (inout any ListedElement) -> Result

    func apply<Element: ListedElement>(to list: inout [Element]) -> Result {
        var element: any ListedElement = list[index]
        let result = body(&element)
        if let element = element as? Element { list[index] = element }
        return result
    }
}

/// Takes an element out.
struct RemoveEdit: ListEdit {
    var index: Int

    func apply<Element: ListedElement>(to list: inout [Element]) {
        list.remove(at: index)
    }
}

/// Moves an element to a place, counted as it is after the move.
struct MoveEdit: ListEdit {
    var index: Int
    var target: Int

    func apply<Element: ListedElement>(to list: inout [Element]) {
        let element = list.remove(at: index)
        list.insert(element, at: min(max(target, 0), list.count))
    }
}

/// Puts a copy of an element, with a name of its own, behind it, or where Xcode would write it.
struct DuplicateEdit: ListEdit {
    var index: Int

    /// The copy's name.
    func apply<Element: ListedElement>(to list: inout [Element]) -> String? {
        var copy = list[index]
        let names = list.map(\.listedName)
        let isSorted = zip(names, names.dropFirst()).allSatisfy { !($1 ?? "").comesBeforeInXcode($0 ?? "") }
        copy.listedName = copy.listedName.map { $0.freshCopyName(among: Set(names.compactMap { $0 })) }
        let name = copy.listedName
        let place = name.flatMap { name in list.firstIndex { name.comesBeforeInXcode($0.listedName ?? "") } }
        list.insert(copy, at: isSorted && name != nil ? place ?? list.count : index + 1)
        return name
    }
}

/// How many elements there are, and their names.
struct NamesOfList: ListEdit {
    func apply<Element: ListedElement>(to list: inout [Element]) -> [String?] { list.map(\.listedName) }
}

extension String {
    /// `PlayerCopy`, `PlayerCopy2`, …: the first that is free.
    func freshCopyName(among taken: Set<String>) -> String {
        (self + "Copy").fresh(among: taken, firstNumber: 2)
    }

    /// The name itself, or the first of it with a number that is free.
    func fresh(among taken: Set<String>, firstNumber: Int = 1) -> String {
        guard taken.contains(self) else { return self }
        var number = firstNumber
        while taken.contains(self + String(number)) { number += 1 }
        return self + String(number)
    }
}
