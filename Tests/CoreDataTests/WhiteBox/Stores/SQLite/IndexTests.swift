import Foundation
import Testing

@testable import CoreData

/// The indexes that a model asks for.
@Suite struct IndexTests {
    private func indexes(_ change: (NSEntityDescription) -> Void) throws -> Set<String> {
        let note = entity(
            "Note",
            [
                attribute("title", .stringAttributeType), attribute("rank", .integer32AttributeType),
                attribute("isDone", .booleanAttributeType), attribute("date", .dateAttributeType),
            ])
        change(note)
        let model = CoreDataTests.model(note)
        return try withExtendedLifetime(model) {
            let statements = try SQLSchema.derived(from: model.storeModel(configuration: nil).layouts)
                .creationStatements()
            return Set(statements.filter { $0.hasPrefix("CREATE INDEX") })
        }
    }

    private func index(
        _ name: String, on entity: NSEntityDescription, _ elements: [(String, Bool)], _ part: String? = nil
    ) {
        let descriptions = elements.map { property, isAscending in
            let element = NSFetchIndexElementDescription(
                property: entity.propertiesByName[property]!, collationType: .binary)
            element.isAscending = isAscending
            return element
        }
        let index = NSFetchIndexDescription(name: name, elements: descriptions)
        index.partialIndexPredicate = part.map { NSPredicate(format: $0) }
        entity.indexes.append(index)
    }

    @Test func elementsKeepTheirOrderAndDirection() throws {
        let made = try indexes { index("byRank", on: $0, [("rank", false), ("title", true)]) }
        #expect(
            made == [
                "CREATE INDEX Z_Note_byRank ON ZNOTE (ZRANK COLLATE BINARY DESC, ZTITLE COLLATE BINARY ASC)"
            ])
    }

    @Test(arguments: [
        ("isDone == NO", "ZISDONE = 0"), ("title != nil", "ZTITLE IS NOT NULL"),
        ("rank > 5 AND title == \"O'Neal\"", "(ZRANK > 5) AND (ZTITLE = 'O''Neal')"),
        ("NOT (rank IN {1, 2}) OR date == nil", "(NOT (ZRANK IN (1, 2))) OR (ZDATE IS NULL)"),
        ("rank BETWEEN {1, 9}", "ZRANK BETWEEN 1 AND 9"),
    ])
    func aPartialIndexHasItsPredicateInSQL(predicate: String, condition: String) throws {
        let made = try indexes { index("part", on: $0, [("rank", true)], predicate) }
        #expect(made == ["CREATE INDEX Z_Note_part ON ZNOTE (ZRANK COLLATE BINARY ASC) WHERE \(condition)"])
    }

    @Test(arguments: ["title CONTAINS[cd] 'a'", "title MATCHES 'a+'", "TRUEPREDICATE"])
    func aPredicateThatNeedsAFunctionMakesAnIndexOfAllRows(predicate: String) throws {
        let made = try indexes { index("part", on: $0, [("rank", true)], predicate) }
        #expect(made == ["CREATE INDEX Z_Note_part ON ZNOTE (ZRANK COLLATE BINARY ASC)"])
    }

    @Test func indexesOfOlderModelsAreMadeOnce() throws {
        let made = try indexes { note in
            note.attributesByName["title"]?.isIndexed = true
            note.attributesByName["rank"]?.isIndexed = true
            note.compoundIndexes = [["rank", "date"]]
            index("byRank", on: note, [("rank", true)])
        }
        #expect(
            made == [
                "CREATE INDEX Z_Note_byRank ON ZNOTE (ZRANK COLLATE BINARY ASC)",
                "CREATE INDEX Z_Note_title ON ZNOTE (ZTITLE COLLATE BINARY ASC)",
                "CREATE INDEX Z_Note_rank_date ON ZNOTE (ZRANK COLLATE BINARY ASC, ZDATE COLLATE BINARY ASC)",
            ])
    }

    /// The Photos library's model has five indexes of a single to-one relationship, and its file has none of them.
    @Test func anIndexOfOneToOneRelationshipAloneIsNotMadeTwice() throws {
        func made(_ elements: [(String, Bool)], _ part: String? = nil) throws -> [String] {
            try indexes { note in
                let parent = toOne("parent")
                let children = toMany("children")
                note.properties += [parent, children]
                connect(note, parent, note, children)
                index("byParent", on: note, elements, part)
            }.filter { $0.contains("byParent") }
        }
        #expect(try made([("parent", true)]).isEmpty)
        #expect(try made([("parent", true), ("rank", true)]).count == 1)
        #expect(try made([("parent", true)], "isDone == NO").count == 1)
    }
}
