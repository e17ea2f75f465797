import ArgumentParser
import CoreData
import Foundation
import StoreBrowsing

/// `coredata search STORE TEXT`: the objects with a text.
struct SearchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Find objects by the words of their texts.",
        discussion: """
            All words must be in an object's texts, in any order, whatever their case and diacritics. dat* stands for words \
            that begin so, and "core data" in quotes for words side by side.

            A store with an index for full-text search is searched by that, the best objects of each entity first. Without \
            one, each object is read: its attributes that are marked for search, or all texts if the model marks none. A \
            note on standard error says so.

            EXAMPLES
              coredata search Library.sqlite 'core dat*'
              coredata search Library.sqlite '"core data"' --entity Book --limit 20
              coredata search Library.sqlite swift --format jsonl
            """)

    @OptionGroup var source: StoreSource

    @Argument(help: "What to search for.")
    var text: String

    @Option(help: "Search this entity and its subentities alone.")
    var entity: String?

    @Option(help: "Show that many objects of each entity at most.")
    var limit: Int?

    @OptionGroup var rows: RowOptions

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1 on.") }
    }

    func run() throws {
        try source.look { store in
            let session = try QuerySession(store)
            let entities = try entity.map { [try session.entity(named: $0)] } ?? Self.roots(session.model)
            let found = try session.perform { context in try entities.flatMap { try matches(of: $0, context) } }
            let columns = ["id", "rank", "text"].map { RowColumn(title: $0, isNumeric: $0 == "rank") }
            let printer = try rows.printer(columns, standard: .table, table: "search", stores: [source.store])
            for row in found { try printer.write(row) }
            try printer.finish(counting: ("object", "objects"))
        }
    }

    /// The entities without a parent: their searches find objects of all others, too.
    private static func roots(_ model: NSManagedObjectModel) -> [NSEntityDescription] {
        model.entities.filter { $0.superentity == nil }.sorted { ($0.name ?? "").precedesByCodePoint($1.name ?? "") }
    }

    private func matches(of entity: NSEntityDescription, _ context: NSManagedObjectContext) throws -> [[JSONValue]] {
        let request = NSFetchRequest<NSManagedObject>()
        request.entity = entity
        if try context.hasSearchIndex(of: entity) {
            request.fetchLimit = limit ?? 0
            return try context.matches(for: text, in: request).map { match in
                [.string(match.object.shortIdentifier), .double(match.rank), .string(match.snippet)]
            }
        }
        return try scan(request, entity, context)
    }

    // MARK: Without an index

    /// Reads each object.
    private func scan(
        _ request: NSFetchRequest<NSManagedObject>, _ entity: NSEntityDescription, _ context: NSManagedObjectContext
    ) throws -> [[JSONValue]] {
        let all = try ([entity] + entity.allSubentities).flatMap { try Self.texts(of: $0, context) }
        let names = Set(all).sorted { $0.precedesByCodePoint($1) }
        if names.isEmpty { return [] }
        report(
            "note: there is no index for full-text search of \(entity.name ?? ""); each object's "
                + names.joined(separator: ", ") + (names.count == 1 ? " is read" : " are read"))
        let search = try TextSearch(for: text, by: try context.searchedAttributes(of: entity).tokenizer)
        var rows: [[JSONValue]] = []
        for object in try context.fetch(request) {
            let texts = try Self.texts(of: object.entity, context).compactMap {
                object.value(forKeyPath: $0) as? String
            }
            guard try search.finds(texts) else { continue }
            let text = try texts.first { try search.touches($0) } ?? ""
            rows.append([.string(object.shortIdentifier), .null, .string(text)])
            if let limit, rows.count == limit { break }
        }
        return rows
    }

    /// The attributes that are marked for search; without any, all stored ones with texts.
    private static func texts(of entity: NSEntityDescription, _ context: NSManagedObjectContext) throws -> [String] {
        let marked = try context.searchedAttributes(of: entity).names
        return marked.isEmpty ? entity.texts : marked
    }
}

extension NSEntityDescription {
    /// Those below, at all levels.
    fileprivate var allSubentities: [NSEntityDescription] { subentities.flatMap { [$0] + $0.allSubentities } }

    /// The names of the stored attributes with texts.
    fileprivate var texts: [String] {
        attributesByName.values.filter { $0.attributeType == .stringAttributeType && !$0.isTransient }.map(\.name)
            .sorted { $0.precedesByCodePoint($1) }
    }
}
