import Foundation
import ModelDocument
import RandomSeeds
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite("Whatever a value says, its document says")
struct RandomRoundTripTests {
    @Test("A random model comes back equal from its document, and its document from the model")
    func models() throws {
        let seed = SeededGenerator.seed
        print("seed \(seed)")
        var models = RandomModels(seed: seed)
        for _ in 0..<200 {
            let model = models.model()
            let contents = try model.contents()
            let copy = try Model(contents: contents)
            try #require(copy == model, "seed \(seed)")
            try #require(try copy.contents() == contents, "seed \(seed)")
        }
    }

    @Test("Another parser reads the same names from it")
    func otherParser() throws {
        let seed = SeededGenerator.seed
        print("seed \(seed)")
        var models = RandomModels(seed: seed)
        for _ in 0..<50 {
            let model = models.model()
            let names = NameCollector()
            let parser = XMLParser(data: try model.contents())
            parser.delegate = names
            #expect(parser.parse(), "seed \(seed)")
            #expect(names.names["entity"] ?? [] == model.entities.map(\.name), "seed \(seed)")
            #expect(
                names.names["relationship"] ?? [] == model.entities.flatMap { $0.relationships.map(\.name) },
                "seed \(seed)")
        }
    }

    @Test("A random model comes back equal from JSON")
    func json() throws {
        let seed = SeededGenerator.seed
        print("seed \(seed)")
        var models = RandomModels(seed: seed)
        for _ in 0..<20 {
            let model = models.model()
            #expect(try JSONDecoder().decode(Model.self, from: JSONEncoder().encode(model)) == model, "seed \(seed)")
        }
    }

    @Test("A random XML store comes back equal")
    func stores() throws {
        let seed = SeededGenerator.seed
        print("seed \(seed)")
        var generator = RandomModels(seed: seed)
        for _ in 0..<100 {
            let store = generator.store()
            try #require(try XMLStoreDocument(data: store.data()) == store, "seed \(seed)")
        }
    }
}

extension RandomModels {
    fileprivate mutating func store() -> XMLStoreDocument {
        var store = XMLStoreDocument()
        store.isStandalone = [true, false, nil].randomElement(using: &random) ?? nil
        store.nextObjectID = Int.random(in: 0...10_000, using: &random)
        store.metadata = ["name \(text())": .string(text()), "list": .array([.integer(1), .data(data())])]
        store.objects = list(0...4) { generator in
            var object = XMLStoreDocument.Object(entityName: generator.text(), id: generator.text())
            object.attributes = generator.list(0...4) { generator in
                let value =
                    generator.flip()
                    ? XMLStoreDocument.Value.text(generator.text()) : .data(generator.data())
                let type = if case .data = value { "binary" } else { "string" }
                return .init(name: generator.text(), type: type, value: value)
            }
            object.relationships = generator.list(0...3) { generator in
                .init(
                    name: generator.text(), counts: "0/0", destination: generator.text(),
                    objectIDs: generator.list(0...3) { "z\(Int.random(in: 1...99, using: &$0.random))" })
            }
            return object
        }
        return store
    }

    private mutating func data() -> Data {
        Data(list(0...200) { UInt8.random(in: 0...255, using: &$0.random) })
    }
}

/// The names of elements of each kind, in order.
private final class NameCollector: NSObject, XMLParserDelegate {
    var names: [String: [String]] = [:]

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        names[name, default: []].append(attributes["name"] ?? "")
    }
}
