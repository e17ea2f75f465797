import CoreData
import Foundation
import StoreBrowsing

/// What one types to find an object for a relationship.
struct PickRequest: Sendable, Decodable {
    var entity: String
    var text: String
    var titles: [String: [String]]?
}

/// Finds objects by their titles, new ones included.
struct ObjectPicker {
    private let request: PickRequest
    private let titles: ObjectTitles

    /// As many objects as are offered.
    static let most = 50

    init(_ request: PickRequest) {
        self.request = request
        titles = ObjectTitles(chosen: request.titles ?? [:])
    }

    /// - Throws: `ToolFailure` for an entity that the model lacks.
    func objects(_ changes: StagedChanges) throws -> JSON {
        let fetch = NSFetchRequest<NSManagedObject>(
            entityName: try changes.session.entity(named: request.entity).name ?? "")
        fetch.fetchLimit = Self.most
        let keys = titles.keys(of: try changes.session.entity(named: request.entity))
        fetch.predicate = predicate(keys, changes)
        fetch.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: true) }
        let found = try changes.context.fetch(fetch)
        return [
            "objects": .array(found.map { titles.link(to: $0) }), "isWhole": .bool(found.count < Self.most),
        ]
    }

    /// Each word has to be in one of the attributes that make the title; an identifier stands for itself.
    private func predicate(_ keys: [String], _ changes: StagedChanges) -> NSPredicate? {
        let words = request.text.split(whereSeparator: \.isWhitespace).map(String.init)
        guard !words.isEmpty else { return nil }
        if words.count == 1, let object = try? changes.object(words[0]) {
            return NSPredicate(format: "SELF == %@", argumentArray: [object])
        }
        guard !keys.isEmpty else { return NSPredicate(value: false) }
        return NSCompoundPredicate(
            andPredicateWithSubpredicates: words.map { word in
                NSCompoundPredicate(
                    orPredicateWithSubpredicates: keys.map {
                        NSPredicate(format: "%K CONTAINS[cd] %@", argumentArray: [$0, word])
                    })
            })
    }
}
