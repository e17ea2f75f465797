import Foundation
import Testing

@testable import CoreData

/// What is worked out from two models alone.
@Suite struct InferredMappingTests {
    private func string(_ name: String, optional: Bool = true) -> NSAttributeDescription {
        attribute(name, .stringAttributeType, optional: optional)
    }

    private func sources(_ old: [String: String?], _ new: [String: String?]) -> [String: String] {
        func properties(_ names: [String: String?]) -> [NSAttributeDescription] {
            names.sorted { $0.key < $1.key }.map { name, identifier in
                identifier.map { string(name).renamed(from: $0) } ?? string(name)
            }
        }
        let mapping = InferredMapping(
            from: model(entity("Book", properties(old))), to: model(entity("Book", properties(new))))
        let pairs = mapping.entities[0].properties.compactMap { property in
            property.source.map { (property.destination.name, $0.name) }
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    @Test func propertiesArePairedByNamesAndIdentifiers() {
        #expect(sources(["a": nil], ["a": nil]) == ["a": "a"])
        #expect(sources(["a": nil], ["b": "a"]) == ["b": "a"])
        #expect(sources(["b": "a"], ["c": "a"]) == ["c": "b"])
        #expect(sources(["b": "a"], ["c": "b"]) == ["c": "b"])
        #expect(sources(["b": "a"], ["b": nil]) == ["b": "b"])
        #expect(sources(["b": "a"], ["a": nil]) == ["a": "b"])
        #expect(sources(["a": nil, "b": nil], ["a": "b", "b": "a"]) == ["a": "b", "b": "a"])
    }

    @Test func aNameThatIsUsedAgainIsNew() {
        #expect(sources(["a": nil], ["b": "a", "a": nil]) == ["b": "a"])
        #expect(sources(["b": "a", "a": nil], ["b": "a", "a": nil]) == ["a": "a", "b": "b"])
        #expect(sources(["b": "a"], ["b": "a", "a": nil]) == ["b": "b"])
    }

    @Test func anIdentifierSaysNothingWhereBothNamesAreInBothVersions() {
        #expect(sources(["a": nil, "b": nil], ["a": nil, "b": "a"]) == ["a": "a", "b": "b"])
    }

    @Test func theErrorNamesEntityAndProperty() throws {
        let old = model(entity("Book", [string("title"), string("note")]))
        let new = model(
            entity("Book", [attribute("title", .dateAttributeType), string("note", optional: false)]))
        let error = try #require(thrown { _ = try InferredMapping.unconditional(from: old, to: new) })
        #expect(error.code == NSInferredMappingModelError)
        #expect(error.userInfo["entity"] as? String == "Book" && error.userInfo["property"] as? String == "note")
        #expect(
            error.localizedFailureReason == """
                Book.note: now required, no default; Book.title: String became Date, which values do not become by \
                themselves.
                """)
    }

    @Test func elementsOfCompositesArePairedOneByOne() throws {
        let old = model(entity("Book", [composite("place", [string("shelf"), string("room")])]))
        let new = model(
            entity(
                "Book",
                [composite("spot", [string("board").renamed(from: "shelf"), string("room")]).renamed(from: "place")]))
        let mapping = InferredMapping(from: old, to: new)
        let pairs = mapping.entities[0].properties.map { [$0.destination.name, $0.source?.name] }
        #expect(pairs == [["spot.board", "place.shelf"], ["spot.room", "place.room"]])
    }

    @Test func elementsOfNestedCompositesArePairedByTheIdentifiersOfAllLevels() throws {
        let old = model(
            entity(
                "Book", [composite("place", [composite("room", [string("name"), string("floor")]), string("note")])]))
        let new = model(
            entity(
                "Book",
                [
                    composite(
                        "spot",
                        [
                            composite("hall", [string("title").renamed(from: "name"), string("floor")])
                                .renamed(from: "room"),
                            string("remark").renamed(from: "note"),
                        ]
                    ).renamed(from: "place")
                ]))
        let pairs = InferredMapping(from: old, to: new).entities[0].properties.map {
            [$0.destination.name, $0.source?.name]
        }
        #expect(
            Set(pairs) == [
                ["spot.hall.title", "place.room.name"], ["spot.hall.floor", "place.room.floor"],
                ["spot.remark", "place.note"],
            ])
    }

    @Test func whatBecomesACompositeOrCeasesToBeOneIsAnObstacle() throws {
        let (plain, whole) = (string("place"), composite("place", [string("shelf")]))
        let nested = composite("place", [composite("shelf", [string("name")])])
        let cases: [(old: NSAttributeDescription, new: NSAttributeDescription, property: String)] = [
            (plain, whole, "place"), (whole, plain, "place"),
            (plain, composite("spot", [string("shelf")]).renamed(from: "place"), "spot"),
            (whole, string("spot").renamed(from: "place"), "spot"), (whole, nested, "place.shelf"),
            (nested, whole, "place.shelf"),
            (plain, composite("spot", [string("shelf").renamed(from: "place")]), "spot.shelf"),
        ]
        for (old, new, property) in cases {
            let models = [old, new].map { attribute in
                // Each attribute belongs to one model alone.
                (attribute.copy() as? NSAttributeDescription).map { model(entity("Book", [$0])) }
            }
            let (from, to) = (try #require(models[0]), try #require(models[1]))
            let error = try #require(thrown { _ = try InferredMapping.unconditional(from: from, to: to) })
            #expect(error.code == NSInferredMappingModelError)
            #expect(error.userInfo["entity"] as? String == "Book" && error.userInfo["property"] as? String == property)
            #expect(error.localizedFailureReason?.contains("composite") ?? false)
        }
    }

    @Test func anAttributeOfTheNameOfANewElementIsSimplyGone() throws {
        let old = model(entity("Book", [string("shelf")]))
        let new = model(entity("Book", [composite("place", [string("shelf")])]))
        let mapping = InferredMapping(from: old, to: new)
        #expect(mapping.obstacles.isEmpty && mapping.entities[0].removedSlots.map(\.name) == ["shelf"])
    }

    @Test func entitiesAreCopiedChangedAddedAndRemoved() {
        let old = model(entity("A", [string("x")]), entity("B", [string("x")]), entity("C", []))
        let new = model(entity("A", [string("x")]), entity("B", [string("y")]), entity("D", []))
        let mapping = InferredMapping(from: old, to: new)
        #expect(mapping.entities.map(\.kind) == [.copied, .transformed, .added, .removed])
        #expect(mapping.obstacles.isEmpty)
    }
}
