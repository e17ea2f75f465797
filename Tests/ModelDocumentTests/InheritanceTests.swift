import ModelDocument
import RandomSeeds
import Testing

/// What `InheritanceTree` answers is what a walk from parent to parent finds.
@Suite struct InheritanceTests {
    @Test(arguments: 0..<200) func aTreeKnowsWhatAWalkFinds(number: Int) throws {
        let seed = SeededGenerator.seed &+ UInt64(number)
        var random = SeededGenerator(seed: seed)
        let model = Self.model(&random, entities: 1 + number % 40)
        let tree = InheritanceTree(model)
        for (index, entity) in model.entities.enumerated() {
            let line = Self.line(index, model)
            #expect(tree.circular.contains(entity.name) == Self.isCircular(index, model), "seed \(seed)")
            for name in Self.names {
                let expected = line.first { model.entities[$0].propertyNames.contains(name) }
                #expect(tree.owner(of: name, in: index)?.entity == expected, "\(name) in \(index), seed \(seed)")
                let below = tree.owner(of: name, below: index)?.entity
                let heirs = model.entities.indices.filter { $0 != index && Self.line($0, model).contains(index) }
                    .filter { model.entities[$0].propertyNames.contains(name) }
                if !Self.isCircular(index, model) {
                    #expect((below == nil) == heirs.isEmpty, "\(name) below \(index), seed \(seed)")
                }
                if let below { #expect(heirs.contains(below) || Self.isCircular(index, model)) }
            }
            for other in model.entities.indices {
                let areRelated = line.contains(other) || Self.line(other, model).contains(index)
                #expect(tree.areRelated(index, other) == areRelated, "\(index) and \(other), seed \(seed)")
            }
        }
    }

    private static let names = ["name", "Name", "age", "team", "rank"]

    /// Entities with some properties of few names. Their parents are any others, unknown ones or none.
    private static func model(_ random: inout SeededGenerator, entities count: Int) -> Model {
        Model(
            entities: (0..<count).map { index in
                var entity = Model.Entity(name: "E\(index)")
                switch Int.random(in: 0..<8, using: &random) {
                case 0: break
                case 1: entity.parentName = "Missing"
                // Circles now and then; otherwise lines and trees.
                case 2: entity.parentName = "E\(Int.random(in: 0..<count, using: &random))"
                default:
                    entity.parentName =
                        index == 0 ? nil : "E\(Int.random(in: max(0, index - 4)..<index, using: &random))"
                }
                for name in names where Int.random(in: 0..<5, using: &random) == 0 {
                    if Bool.random(using: &random) {
                        entity.attributes.append(Model.Attribute(name: name, type: .string))
                    } else {
                        entity.relationships.append(Model.Relationship(name: name))
                    }
                }
                return entity
            })
    }

    /// The positions of an entity and its ancestors; a circle is walked once.
    private static func line(_ start: Int, _ model: Model) -> [Int] {
        var line: [Int] = []
        var next: Int? = start
        while let index = next, !line.contains(index) {
            line.append(index)
            next = model.entities[index].parentName.flatMap { name in model.entities.firstIndex { $0.name == name } }
        }
        return line
    }

    private static func isCircular(_ start: Int, _ model: Model) -> Bool {
        guard let last = line(start, model).last, let parent = model.entities[last].parentName else { return false }
        return parent == model.entities[start].name
    }
}
