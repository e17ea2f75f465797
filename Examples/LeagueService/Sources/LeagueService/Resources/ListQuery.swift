import CoreData
import HummingbirdCore

/// What a client asks of a list: how many objects, after which one, and which.
///
/// A page begins after the last object of the page before, by its values. The database seeks there by the index. With
/// an offset it would count all objects before, and a page would miss objects when earlier ones are deleted.
struct ListQuery: Sendable {
    static let limits = 1...100

    let limit: Int
    /// The sort values of the object after which the page begins.
    let cursor: [String]?
    /// Only objects whose name contains the text.
    let search: String?
    /// Only the members of a team.
    let team: UUID?

    /// - Throws: ``Problem`` 400 for a parameter that is unknown, twice there, or wrong.
    init(_ uri: URI, for resource: Resource) throws {
        var values: [String: String] = [:]
        for (name, value) in uri.queryParameters {
            guard ["limit", "after", "search", "team"].contains(name) else {
                throw Problem.badRequest("The list has no parameter \(name.prefix(60)).")
            }
            guard values.updateValue(String(value), forKey: String(name)) == nil else {
                throw Problem.badRequest("The parameter \(name) is there twice.")
            }
        }
        guard let limit = values["limit"].map({ Int($0) }) ?? 20, Self.limits.contains(limit) else {
            throw Problem.badRequest("limit is a number from \(Self.limits.lowerBound) to \(Self.limits.upperBound).")
        }
        self.limit = limit
        cursor = try values["after"].map { try Cursor.values($0, count: resource.order.count + 1) }
        search = values["search"].flatMap { $0.isEmpty ? nil : $0 }
        guard let team = values["team"] else {
            self.team = nil
            return
        }
        guard resource.toOnes.contains("team"), let id = UUID(uuidString: team) else {
            throw Problem.badRequest("team is the id of a team, in the list of players or coaches.")
        }
        self.team = id
    }
}

/// A part of a list.
struct ListPage: Sendable {
    let items: [JSON]
    /// Where the next page begins; nil if this is the last one.
    let next: String?
}

extension Resource {
    /// - Throws: ``Problem`` 400 for a cursor of another list.
    func page(_ query: ListQuery, in context: NSManagedObjectContext) throws -> ListPage {
        let request = fetchRequest()
        request.sortDescriptors = (order + ["id"]).map { NSSortDescriptor(key: $0, ascending: true) }
        // One more than the page has tells whether there is a next page.
        request.fetchLimit = query.limit + 1
        request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: try predicates(query))
        let objects = try context.fetch(request)
        let shown = objects.prefix(query.limit)
        let last = objects.count > query.limit ? shown.last : nil
        return ListPage(items: shown.map(summary(of:)), next: last.map { Cursor.text(values(of: $0)) })
    }

    private func values(of object: NSManagedObject) -> [String] {
        order.map { object.value(forKey: $0) as? String ?? "" } + [object.publicID?.uuidString ?? ""]
    }

    private func predicates(_ query: ListQuery) throws -> [NSPredicate] {
        var predicates: [NSPredicate] = []
        if let search = query.search {
            predicates.append(
                NSCompoundPredicate(
                    orPredicateWithSubpredicates: order.map { NSPredicate(format: "%K CONTAINS[cd] %@", $0, search) }))
        }
        if let team = query.team { predicates.append(NSPredicate(format: "team.id == %@", team as NSUUID)) }
        if let cursor = query.cursor { predicates.append(try after(cursor)) }
        return predicates
    }

    /// The objects that come later in the order: `lastName >= a AND (lastName > a OR (firstName > b OR …))`. The first
    /// comparison lets the database seek in the index.
    private func after(_ cursor: [String]) throws -> NSPredicate {
        guard let last = cursor.last, let id = UUID(uuidString: last) else { throw Cursor.unknown }
        var later = NSPredicate(format: "id > %@", id as NSUUID)
        for (key, value) in zip(order, cursor).reversed() {
            let beyond = NSCompoundPredicate(
                orPredicateWithSubpredicates: [NSPredicate(format: "%K > %@", key, value), later])
            later = NSCompoundPredicate(
                andPredicateWithSubpredicates: [NSPredicate(format: "%K >= %@", key, value), beyond])
        }
        return later
    }
}

/// The sort values of an object, as a text that a client gives back and does not look into.
private enum Cursor {
    static var unknown: Problem { .badRequest("after is none of the cursors that a list gave.") }

    static func text(_ values: [String]) -> String {
        JSON.list(values.map(JSON.text)).data.base64URL
    }

    static func values(_ text: String, count: Int) throws -> [String] {
        guard text.utf8.count <= 4_096, let data = Data(base64URL: text),
            let values = try? JSONDecoder().decode([String].self, from: data), values.count == count,
            !values.contains(where: { $0.contains("\0") })
        else { throw unknown }
        return values
    }
}

extension Data {
    /// Base64 with letters that need no escape in a URL or a header.
    var base64URL: String {
        base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }

    init?(base64URL text: String) {
        let standard = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        self.init(base64Encoded: standard + String(repeating: "=", count: (4 - standard.count % 4) % 4))
    }
}
