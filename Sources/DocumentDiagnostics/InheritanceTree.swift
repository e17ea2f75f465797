import ModelFormat

/// The entities of a model as trees, and which entities have a property of which name: found in one walk down from the
/// roots.
///
/// Questions about what an entity inherits are answered without a walk up its parents. In a line of thousands of
/// parents such walks, one for each property, would cost the square of its length.
package struct InheritanceTree: Sendable {
    /// Where an entity's own property stands.
    package enum Element: Sendable, Hashable {
        case attribute(Int)
        case relationship(Int)
        case fetchedProperty(Int)
    }

    /// An entity that has a property of some name itself.
    package struct Owner: Sendable, Hashable {
        /// The entity's position in the model.
        package let entity: Int
        package let element: Element
        /// The property's name, as the entity spells it.
        package let name: String
        /// The position, in the list of the owners, of the nearest ancestor that is one too; -1 where none is.
        fileprivate let enclosing: Int
    }

    /// The positions of the entities by their names; of a name that is there twice the first.
    package let positions: [String: Int]
    /// The names of the entities that inherit from themselves.
    package private(set) var circular: Set<String> = []

    private let parents: [Int?]
    private var enter: [Int]
    private var leave: [Int]
    private var roots: [Int]
    /// Of a tree that is a circle, by its root: the entity that the root inherits from.
    private var closing: [Int: Int] = [:]
    private var exact = Owners()
    private var folded = Owners()

    package init(_ model: Model) {
        let positions = Dictionary(model.entities.enumerated().map { ($1.name, $0) }) { first, _ in first }
        self.positions = positions
        parents = model.entities.map { $0.parentName.flatMap { positions[$0] } }
        enter = [Int](repeating: 0, count: model.entities.count)
        (leave, roots) = (enter, enter)
        var children = [[Int]](repeating: [], count: model.entities.count)
        for (index, parent) in parents.enumerated() {
            if let parent { children[parent].append(index) }
        }
        cutCircles(model)
        var clock = 0
        for root in parents.indices where parents[root] == nil || closing[root] != nil {
            walk(from: root, model, children, &clock)
        }
    }

    // MARK: - Walking

    /// Finds the circles of parents, and begins each at its first entity.
    private mutating func cutCircles(_ model: Model) {
        var isDone = [Bool](repeating: false, count: parents.count)
        var round = [Int](repeating: -1, count: parents.count)
        for start in parents.indices {
            var line: [Int] = []
            var next: Int? = start
            while let entity = next, !isDone[entity], round[entity] != start {
                round[entity] = start
                line.append(entity)
                next = parents[entity]
            }
            if let entity = next, !isDone[entity], let place = line.firstIndex(of: entity) {
                let circle = line[place...]
                circular.formUnion(circle.map { model.entities[$0].name })
                if let root = circle.min(), let parent = parents[root] { closing[root] = parent }
            }
            for entity in line { isDone[entity] = true }
        }
    }

    private enum Step {
        case enter(Int)
        case leave(Int)
    }

    private mutating func walk(from root: Int, _ model: Model, _ children: [[Int]], _ clock: inout Int) {
        var open = [Step.enter(root)]
        while let step = open.popLast() {
            switch step {
            case .enter(let index):
                clock += 1
                (enter[index], roots[index]) = (clock, root)
                let entity = model.entities[index]
                // What has the name of an entity before it is found by no name.
                if positions[entity.name] == index {
                    for (name, element) in entity.elements {
                        exact.add(name, element, of: index, key: name)
                        folded.add(name, element, of: index, key: name.lowercased())
                    }
                }
                open.append(.leave(index))
                open += children[index].filter { $0 != root }.map { .enter($0) }
            case .leave(let index):
                leave[index] = clock
                let entity = model.entities[index]
                guard positions[entity.name] == index else { continue }
                for (name, _) in entity.elements {
                    exact.close(index, key: name)
                    folded.close(index, key: name.lowercased())
                }
            }
        }
    }

    /// The entities that have a property of some name, in the order in which the walk meets them.
    private struct Owners: Sendable {
        private(set) var lists: [String: [Owner]] = [:]
        /// The positions of the entities that have their subentities walked now.
        private var open: [String: [Int]] = [:]

        mutating func add(_ name: String, _ element: Element, of entity: Int, key: String) {
            let count = lists[key]?.count ?? 0
            let enclosing = open[key]?.last ?? -1
            lists[key, default: []].append(Owner(entity: entity, element: element, name: name, enclosing: enclosing))
            open[key, default: []].append(count)
        }

        mutating func close(_ entity: Int, key: String) {
            open[key]?.removeLast()
            if open[key]?.isEmpty == true { open[key] = nil }
        }
    }
}

// MARK: - Questions

extension InheritanceTree {
    /// The nearest of an entity and its ancestors that has a property of that name.
    package func owner(of name: String, in entity: Int) -> Owner? {
        nearest(exact.lists[name] ?? [], entity)
    }

    /// The nearest ancestor that has a property of that name.
    package func owner(of name: String, above entity: Int) -> Owner? {
        parents[entity].flatMap { nearest(exact.lists[name] ?? [], $0) }.flatMap { $0.entity == entity ? nil : $0 }
    }

    /// The nearest ancestor that has a property with the same name but for capitals.
    package func owner(ofNameLike name: String, above entity: Int) -> Owner? {
        parents[entity].flatMap { nearest(folded.lists[name.lowercased()] ?? [], $0) }
            .flatMap { $0.entity == entity ? nil : $0 }
    }

    /// An entity below one, at any depth, that has a property of that name.
    package func owner(of name: String, below entity: Int) -> Owner? {
        guard let list = exact.lists[name] else { return nil }
        // All of a circle's tree is below each entity of the circle.
        let isOnCircle = closing[roots[entity]].map { isAncestor(entity, of: $0) } ?? false
        let top = isOnCircle ? roots[entity] : entity
        let first = firstPlace(in: list, after: enter[top] - (isOnCircle ? 1 : 0))
        guard first < list.count, enter[list[first].entity] <= leave[top] else { return nil }
        return list[first]
    }

    /// Whether one of the entities inherits from the other, or they are the same.
    package func areRelated(_ one: Int, _ other: Int) -> Bool {
        inherits(one, from: other) || inherits(other, from: one)
    }

    private func inherits(_ entity: Int, from ancestor: Int) -> Bool {
        if isAncestor(ancestor, of: entity) { return true }
        guard let last = closing[roots[entity]], roots[entity] == roots[ancestor] else { return false }
        return isAncestor(ancestor, of: last)
    }

    /// Whether the walk met the entity while it was below the other, or at it.
    private func isAncestor(_ ancestor: Int, of entity: Int) -> Bool {
        enter[ancestor] <= enter[entity] && leave[entity] <= leave[ancestor]
    }

    private func nearest(_ list: [Owner], _ entity: Int) -> Owner? {
        if let owner = enclosing(list, entity) { return owner }
        // A circle's tree begins somewhere on the circle: above the beginning is the circle's end.
        return closing[roots[entity]].flatMap { enclosing(list, $0) }
    }

    private func enclosing(_ list: [Owner], _ entity: Int) -> Owner? {
        var place = firstPlace(in: list, after: enter[entity]) - 1
        while place >= 0 {
            if leave[list[place].entity] >= leave[entity] { return list[place] }
            place = list[place].enclosing
        }
        return nil
    }

    /// The position of the first owner that the walk met after a time.
    private func firstPlace(in list: [Owner], after time: Int) -> Int {
        var (low, high) = (0, list.count)
        while low < high {
            let middle = (low + high) / 2
            if enter[list[middle].entity] <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension Model.Entity {
    /// The entity's own properties with their places; of a name that is there twice only the first.
    fileprivate var elements: [(name: String, element: InheritanceTree.Element)] {
        var elements: [(name: String, element: InheritanceTree.Element)] = []
        var names: Set<String> = []
        for (index, attribute) in attributes.enumerated() where names.insert(attribute.name).inserted {
            elements.append((attribute.name, .attribute(index)))
        }
        for (index, relationship) in relationships.enumerated() where names.insert(relationship.name).inserted {
            elements.append((relationship.name, .relationship(index)))
        }
        for (index, property) in fetchedProperties.enumerated() where names.insert(property.name).inserted {
            elements.append((property.name, .fetchedProperty(index)))
        }
        return elements
    }
}
