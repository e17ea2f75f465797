import CoreData
import Foundation
import StoreBrowsing

/// Finds the objects of a query in a store: as references, which are small.
struct RowFinder {
    private let session: QuerySession
    private let query: RowQuery
    let entity: NSEntityDescription
    private let predicate: NSPredicate?
    /// The owner of the members that are shown, with the relationship.
    private let membership: (owner: NSManagedObjectID, relationship: NSRelationshipDescription)?

    /// What sorts by primary key.
    static let key = "objectID"

    /// - Throws: `ToolFailure` for an entity, a key or a predicate that does not fit the model.
    init(_ query: RowQuery, _ session: QuerySession) throws {
        (self.session, self.query) = (session, query)
        entity = try session.entity(named: query.entity)
        predicate = try query.predicateText.map { try session.predicate(naming: $0) }
        membership = try query.member.map { try Self.membership($0, session) }
        try Self.checkSort(of: query, entity)
    }

    /// - Throws: `ToolFailure` for a key that can't sort objects of the entity.
    static func checkSort(of query: RowQuery, _ entity: NSEntityDescription) throws {
        for sort in query.sort ?? [] where sort.key != key { _ = try QueryPath(sort.key, of: entity) }
    }

    private static func membership(
        _ member: RowQuery.Membership, _ session: QuerySession
    ) throws -> (NSManagedObjectID, NSRelationshipDescription) {
        let owner = try session.objectID(member.object)
        guard let relationship = owner.entity.relationshipsByName[member.relationship], relationship.isToMany else {
            throw ToolFailure(
                .invalidQuery, "\(owner.entity.name ?? "") has no to-many relationship \(member.relationship).")
        }
        return (owner, relationship)
    }

    // MARK: References

    /// All objects of the query, in its order.
    func all(_ monitor: ReadMonitor?) throws -> [ObjectReference] {
        if let members = try plainMembers() { return members }
        var fetch = try fetch()
        // The order of a part has the key at its end: so the parts that ``first(_:)`` and ``last(_:)`` find fit in.
        fetch.limit = Int(Int32.max)
        fetch.monitor = monitor
        return try references(fetch)
    }

    /// The first objects, without a look at the others.
    func first(_ count: Int) throws -> [ObjectReference] {
        if let members = try plainMembers() { return Array(members.prefix(count)) }
        var fetch = try fetch()
        fetch.limit = count
        return try references(fetch)
    }

    /// The last objects, which are the first ones of the reversed order.
    func last(_ count: Int) throws -> [ObjectReference] {
        if let members = try plainMembers() { return members.suffix(count) }
        var fetch = try fetch()
        fetch.sortDescriptors = fetch.sortDescriptors.map {
            NSSortDescriptor(key: $0.key ?? "", ascending: !$0.ascending)
        }
        fetch.limit = count
        return try references(fetch).reversed()
    }

    private func references(_ fetch: StoreFetch) throws -> [ObjectReference] {
        guard case .references(let found) = try store().fetch(fetch) else { return [] }
        return found
    }

    private func fetch() throws -> StoreFetch {
        var fetch = StoreFetch(entity: try layout(), output: .references)
        fetch.includesSubentities = includesSubentities
        fetch.predicate = try wholePredicate()
        fetch.sortDescriptors = sortDescriptors
        return fetch
    }

    private func layout() throws -> EntityLayout {
        guard let layout = try store().layouts.layout(named: query.entity) else {
            throw ToolFailure(.invalidQuery, "The store has no entity \(query.entity).")
        }
        return layout
    }

    private var includesSubentities: Bool { query.includesSubentities ?? true }

    private func store() throws -> any ObjectStore {
        guard let store = session.objects else { throw ToolFailure(.other, "The store is closed.") }
        return store
    }

    /// The same as a request, for what the store says about it.
    func request() throws -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: query.entity)
        request.includesSubentities = includesSubentities
        request.predicate = try wholePredicate()
        request.sortDescriptors = sortDescriptors
        return request
    }

    /// Without a wish, the order is that of the keys.
    private var sortDescriptors: [NSSortDescriptor] {
        let wished = (query.sort ?? []).map { NSSortDescriptor(key: $0.key, ascending: $0.ascending) }
        return wished.isEmpty ? [NSSortDescriptor(key: Self.key, ascending: true)] : wished
    }

    // MARK: Members

    /// The members of a relationship in its own order, where nothing filters or sorts them.
    private func plainMembers() throws -> [ObjectReference]? {
        guard let membership, predicate == nil, query.object == nil, (query.sort ?? []).isEmpty else { return nil }
        let members = try session.members(of: membership.owner.reference, membership.relationship)
        let own = try layout()
        let shown = includesSubentities ? Set(own.selfAndDescendants.map(\.number)) : [own.number]
        return members.filter { shown.contains($0.entity) }
    }

    private func wholePredicate() throws -> NSPredicate? {
        let conditions = [
            try query.object.map { NSPredicate(format: "SELF == %@", argumentArray: [try session.objectID($0)]) },
            try membership.map { try predicateOfMembers($0.owner, $0.relationship) },
            predicate,
        ].compactMap { $0 }
        return conditions.count > 1 ? NSCompoundPredicate(andPredicateWithSubpredicates: conditions) : conditions.first
    }

    /// What is true for the members: the other end leads back, or without one their identifiers are known.
    private func predicateOfMembers(
        _ owner: NSManagedObjectID, _ relationship: NSRelationshipDescription
    ) throws -> NSPredicate {
        guard let inverse = relationship.inverseRelationship else {
            let ids = try session.members(of: owner.reference, relationship).map(session.objectID(of:))
            return NSPredicate(format: "SELF IN %@", argumentArray: [ids])
        }
        let format = inverse.isToMany ? "ANY %K == %@" : "%K == %@"
        return NSPredicate(format: format, argumentArray: [inverse.name, owner])
    }
}
