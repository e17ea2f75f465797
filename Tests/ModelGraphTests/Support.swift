import Foundation
import ModelDocument
import ModelGraph
import RandomSeeds

/// Models with that many entities and relationships, half of which have an inverse, and some parents.
struct RandomModel {
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func model(entities: Int, relationships: Int) -> Model {
        var model = Model(entities: (0..<entities).map { Model.Entity(name: "Entity\($0)") })
        for index in model.entities.indices {
            for number in 0..<Int.random(in: 0...8, using: &random) {
                let type = Model.AttributeType.allCases.randomElement(using: &random) ?? .string
                model.entities[index].attributes.append(Model.Attribute(name: "attribute\(number)", type: type))
            }
            if index > 0, Int.random(in: 0..<5, using: &random) == 0 {
                model.entities[index].parentName = "Entity\(Int.random(in: 0..<index, using: &random))"
            }
        }
        guard entities > 0 else { return model }
        for number in 0..<(relationships / 2) { addPair(number, to: &model) }
        for number in 0..<(relationships - relationships / 2 * 2) {
            model.entities[0].relationships.append(Model.Relationship(name: "odd\(number)", destinationName: "Entity0"))
        }
        return model
    }

    private mutating func addPair(_ number: Int, to model: inout Model) {
        let a = Int.random(in: model.entities.indices, using: &random)
        let b = Int.random(in: model.entities.indices, using: &random)
        var there = Model.Relationship(name: "there\(number)", destinationName: model.entities[b].name)
        var back = Model.Relationship(name: "back\(number)", destinationName: model.entities[a].name)
        there.maxCount = Bool.random(using: &random) ? 1 : 0
        back.maxCount = Bool.random(using: &random) ? 1 : 0
        if Int.random(in: 0..<5, using: &random) > 0 {
            (there.inverseName, there.inverseEntityName) = (back.name, model.entities[b].name)
            (back.inverseName, back.inverseEntityName) = (there.name, model.entities[a].name)
        }
        model.entities[a].relationships.append(there)
        model.entities[b].relationships.append(back)
    }
}

enum Samples {
    private static let package = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    /// The whole collection of documents beside the package, where it is at hand.
    private static let collection = package.deletingLastPathComponent().appending(path: "shared/fixtures/models")
    static var hasCollection: Bool { FileManager.default.fileExists(atPath: collection.path) }

    /// Every document of the collection.
    static func documents() throws -> [(path: String, model: Model)] {
        let files = FileManager.default.enumerator(at: collection, includingPropertiesForKeys: nil)
        return (files?.allObjects as? [URL] ?? []).filter { $0.lastPathComponent == "contents" }
            .sorted { $0.path < $1.path }
            .compactMap { url in
                // Some of the documents are damaged on purpose, and not the drawing's business.
                (try? Data(contentsOf: url)).flatMap { try? Model(contents: $0) }.map { (url.path, $0) }
            }
    }

    static func league() throws -> Model {
        let path = "Examples/LeagueManager/League.xcdatamodeld/League.xcdatamodel/contents"
        return try Model(contents: Data(contentsOf: package.appending(path: path)))
    }
}

extension Diagram {
    /// The names of boxes that share an area.
    var overlaps: [String] {
        boxes.indices.flatMap { a in
            boxes.indices.filter { $0 > a && boxes[a].frame.intersects(boxes[$0].frame) }
                .map { "\(boxes[a].name) and \(boxes[$0].name)" }
        }
    }
}
