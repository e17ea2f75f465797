/// A change that a studio has staged: how its windows showed the fact, and how they want it.
struct StagedFact {
    var saw: FactValue
    var wants: FactValue
    /// The entity of an object that is created or deleted.
    var entity = ""
    /// Of a deletion: the row that the windows showed.
    var row: [Fact: FactValue] = [:]
    /// Of an order: the members that may have any place among the others.
    var free: Set<String> = []
    /// Of a member: others have made the same change. If they take it back, it may be a change again or none.
    var isShared = false
}

/// What a studio's windows show: the store, and on it what is staged.
struct ShopView {
    let stored: ShopWorld
    let staged: [Fact: StagedFact]
    /// The entities of all objects that are there.
    let entities: [String: String]

    init(_ stored: ShopWorld, _ staged: [Fact: StagedFact] = [:]) {
        (self.stored, self.staged) = (stored, staged)
        var all = stored.entities
        for (fact, change) in staged {
            if case .exists(let id) = fact { all[id] = change.wants.flag ? change.entity : nil }
        }
        entities = all
    }

    subscript(fact: Fact) -> FactValue { staged[fact]?.wants ?? stored[fact] }

    func ids(_ entity: String) -> [String] {
        entities.filter { WideShop.isKind($0.value, of: entity) }.keys.sorted()
    }

    /// The object at the end of a to-one relationship; one that is not there does not count.
    func target(_ id: String, _ key: String) -> String? {
        self[.link(id, key)].text.flatMap { entities[$0] == nil ? nil : $0 }
    }

    /// The members of a to-many relationship, in its order if it has one.
    func members(_ owner: String, _ key: String) -> [String] {
        let entity = entities[owner] ?? ""
        if let link = WideShop.link(entity, key) {
            let all = ids(link.entity).filter { self[.link($0, link.key)].text == owner }
            return link.isOrdered ? ordered(all, owner, key) : all
        }
        if let own = WideShop.memberships.first(where: { $0.owner == entity && $0.key == key }) {
            let all = ids(own.member).filter { self[.member(owner, key, $0)].flag }
            return own.isOrdered ? ordered(all, owner, key) : all
        }
        guard let other = WideShop.membership(entity, inverse: key) else { return [] }
        return ids(other.owner).filter { self[.member($0, other.key, owner)].flag }
    }

    private func ordered(_ members: [String], _ owner: String, _ key: String) -> [String] {
        let (there, known) = (Set(members), self[.order(owner, key)].list)
        let others = stored[.order(owner, key)].list + members
        return (known + others).filter(there.contains).withoutRepetitions
    }
}

extension WideShop {
    /// The to-one relationship whose inverse a to-many relationship is.
    static func link(_ owner: String, _ inverse: String) -> Link? {
        links.first { isKind(owner, of: $0.owner) && $0.inverse == inverse }
    }

    static func membership(_ member: String, inverse: String) -> Membership? {
        memberships.first { isKind(member, of: $0.member) && $0.inverse == inverse }
    }

    /// The to-many relationships of an entity.
    static func manyKeys(of entity: String) -> [String] {
        links.filter { isKind(entity, of: $0.owner) }.map(\.inverse)
            + memberships.filter { isKind(entity, of: $0.owner) }.map(\.key)
            + memberships.filter { isKind(entity, of: $0.member) }.map(\.inverse)
    }

    static func isOrdered(_ entity: String, _ key: String) -> Bool {
        link(entity, key)?.isOrdered ?? memberships.contains { $0.owner == entity && $0.key == key && $0.isOrdered }
    }
}

extension [String] {
    var withoutRepetitions: [String] {
        var known: Set<String> = []
        return filter { known.insert($0).inserted }
    }

    /// The part that others have too.
    func kept(_ others: some Sequence<String>) -> [String] {
        let others = Set(others)
        return filter(others.contains)
    }

    func without(_ others: some Sequence<String>) -> [String] {
        let others = Set(others)
        return filter { !others.contains($0) }
    }
}

/// Lists of the same members: as they were, and as each side has them.
struct ThreeOrders {
    let base: [String]
    let mine: [String]
    let theirs: [String]

    /// Whether a side did more than to remove members, and to add some at the end.
    private func isReordered(_ side: [String]) -> Bool { side != base.kept(side) + side.without(base) }

    var isMine: Bool { isReordered(mine) }
    var isTheirs: Bool { isReordered(theirs) }

    /// The members of both sides, in my order.
    var joined: [String] {
        mine.filter { theirs.contains($0) || !base.contains($0) } + theirs.without(mine + base)
    }

    /// The members of both sides, in their order.
    var inTheirOrder: [String] { theirs.kept(joined) + joined.without(theirs) }

    /// Whether both sides put members into orders of which one can stay.
    var isConflict: Bool { isMine && isTheirs && joined.kept(theirs) != theirs.kept(joined) }

    /// The members that sides have added, where both have.
    var added: Set<String> {
        let (own, others) = (mine.without(base), theirs.without(base))
        return own.isEmpty || others.isEmpty ? [] : Set(own + others)
    }

    /// Without some members.
    func without(_ members: Set<String>) -> ThreeOrders {
        ThreeOrders(base: base.without(members), mine: mine.without(members), theirs: theirs.without(members))
    }

    /// What is wrong with a list that a save made of them without a conflict.
    func flaw(_ saved: [String]) -> String? {
        func follows(_ side: [String]) -> Bool { saved.kept(side) == side.kept(saved) }
        let isRight =
            if theirs == base {
                saved == mine.kept(saved)
            } else if mine == base {
                saved == theirs.kept(saved)
            } else {
                (follows(mine) || isTheirs && !isMine) && (follows(theirs) || isMine)
            }
        return isRight ? nil : "\(saved), made of \(mine) and \(theirs), which were \(base)"
    }
}
