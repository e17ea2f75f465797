import Foundation
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

extension Comparison {
    private func fetch(_ entity: String, _ format: String?) throws -> StoreFetch {
        let layout = try #require(store.schema.layouts.layout(named: entity))
        var fetch = StoreFetch(entity: layout, output: .references)
        fetch.predicate = format.map { NSPredicate(format: $0) }
        return fetch
    }

    private var translator: PostgreSQLTranslator { PostgreSQLTranslator(schema: store.schema, store: 1) }

    private func run(_ query: PostgreSQLQuery) throws -> Int {
        var script = PostgreSQLScript()
        script.add(query)
        return try script.answers(of: server, in: store.database)[0].get().count
    }

    /// Changes the same rows in both stores.
    func change(_ entity: String, _ format: String?, _ values: [String: String]) throws {
        let request = NSBatchUpdateRequest(entityName: entity)
        request.predicate = format.map { NSPredicate(format: $0) }
        request.resultType = .updatedObjectsCountResultType
        request.propertiesToUpdate = values.mapValues { NSExpression(format: $0) }
        let count = try store.context.performAndWait {
            (try store.context.execute(request) as? NSBatchUpdateResult)?.result as? Int
        }
        let fetch = try fetch(entity, format)
        let settings = try values.sorted { $0.key < $1.key }.map { name, format in
            let slot = try #require(fetch.entity.slot(named: name))
            return BatchSetting(slot: slot, value: .expression(NSExpression(format: format)))
        }
        let update = StoreBatchUpdate(fetch: fetch, settings: settings, wantsReferences: true)
        #expect(try run(translator.translate(update)) == count)
    }

    /// Deletes the same rows from both stores.
    func delete(_ entity: String, _ format: String) throws {
        let rows = NSFetchRequest<NSFetchRequestResult>(entityName: entity)
        rows.predicate = NSPredicate(format: format)
        let request = NSBatchDeleteRequest(fetchRequest: rows)
        request.resultType = .resultTypeCount
        let count = try store.context.performAndWait {
            (try store.context.execute(request) as? NSBatchDeleteResult)?.result as? Int
        }
        let deletion = StoreBatchDeletion(fetch: try fetch(entity, format), wantsReferences: true)
        #expect(try run(translator.translate(deletion)) == count)
    }
}
