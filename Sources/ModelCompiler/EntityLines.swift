import ModelFormat

/// What classes need to know of the entities above theirs, found once for all entities of a model, parents first.
struct EntityLines {
    /// Why an entity has no line of parents.
    enum Fault: Equatable {
        /// The parent of the entity at that position is not in the model.
        case unknownParent(of: Int)
        case circle
    }

    /// The positions of the entities by their names; of a name that is there twice the first.
    let positions: [String: Int]
    /// The names of the entities that others inherit from.
    let parentNames: Set<String>
    /// The position of each entity's parent.
    private let parents: [Int?]
    /// The index of each property, by entity.
    private(set) var layouts: [Layout]
    /// The nearest ancestor with a class of its own, by entity.
    private(set) var classesAbove: [Int?]
    /// Whether the class of an ancestor is written by hand.
    private(set) var isWrittenAbove: [Bool]
    private var faults: [Fault?]

    init(_ model: Model) {
        let positions = Dictionary(model.entities.enumerated().map { ($1.name, $0) }) { first, _ in first }
        self.positions = positions
        parentNames = Set(model.entities.compactMap(\.parentName))
        parents = model.entities.map { $0.parentName.flatMap { positions[$0] } }
        let count = model.entities.count
        layouts = [Layout](repeating: Layout(), count: count)
        classesAbove = [Int?](repeating: nil, count: count)
        isWrittenAbove = [Bool](repeating: false, count: count)
        faults = [Fault?](repeating: nil, count: count)
        var isDone = [Bool](repeating: false, count: count)
        var round = [Int](repeating: -1, count: count)
        for start in 0..<count {
            var line: [Int] = []
            var next: Int? = start
            while let index = next, !isDone[index], round[index] != start {
                round[index] = start
                line.append(index)
                next = parents[index]
            }
            let isCircular = next.map { !isDone[$0] } ?? false
            for index in line.reversed() {
                isDone[index] = true
                note(model.entities, index, isCircular)
            }
        }
    }

    private mutating func note(_ entities: [Model.Entity], _ index: Int, _ isCircular: Bool) {
        let entity = entities[index]
        if let parent = parents[index], !isCircular {
            faults[index] = faults[parent]
            layouts[index] = layouts[parent]
            let parentEntity = entities[parent]
            let hasClass = parentEntity.ownClass != nil
            classesAbove[index] = hasClass ? parent : classesAbove[parent]
            isWrittenAbove[index] = isWrittenAbove[parent] || hasClass && parentEntity.codeGeneration == .manual
        } else if isCircular {
            faults[index] = .circle
        } else if entity.parentName != nil {
            faults[index] = .unknownParent(of: index)
        }
        layouts[index].add(entity)
    }

    func fault(of entity: Int) -> Fault? { faults[entity] }

    /// An entity and those above it up to the next that has a class, the oldest first.
    func withoutClass(_ entity: Int) -> [Int] {
        var line = [entity]
        while let parent = parents[line[line.count - 1]], parent != classesAbove[entity] { line.append(parent) }
        return line.reversed()
    }
}

extension Model.Entity {
    /// The class that represents the entity, unless it is `NSManagedObject` itself.
    var ownClass: ClassReference? {
        guard let representedClass, !["", "NSManagedObject"].contains(representedClass.className) else { return nil }
        return representedClass
    }
}
