import CoreData
import Foundation
import StoreBrowsing

/// Which transactions of a store's history are shown, the newest first.
struct HistoryRequest: Sendable, Decodable {
    /// Only those before the one with this number.
    var before: Int?
    /// Only those of this author; an empty text: of none.
    var author: String?
    /// Only changes of this entity and its subentities.
    var entity: String?
    /// Only changes of the object with this identifier.
    var object: String?
}

extension StoreSession {
    /// As many transactions as a response has at most.
    static let mostTransactions = 50
    /// As many changes of a transaction as a response has at most.
    static let mostChanges = 100
    /// How many transactions are read at once, and how many of these steps a request takes at most. A filter may find
    /// little in a long history.
    private static let (step, mostSteps) = (200, 20)

    /// Transactions, and from where on there are more.
    func history(_ request: HistoryRequest) async throws -> JSON {
        var request = request
        if let object = request.object { request.object = try await current(object) }
        let wanted = request
        return try await screen.read { session in
            guard let store = session.objects as? any HistoryStore, store.hasHistory else {
                return ["transactions": [], "next": .null]
            }
            let filter = try HistoryFilter(wanted, session)
            var shown: [JSON] = []
            var next = wanted.before.map { Int64($0) }
            for _ in 0..<Self.mostSteps {
                let found = try store.transactions(.last(Self.step, before: next), withChanges: true)
                let hasMore = found.count == Self.step
                for transaction in found.reversed() {
                    next = transaction.number
                    guard let json = try filter.json(of: transaction) else { continue }
                    shown.append(json)
                    guard shown.count == Self.mostTransactions else { continue }
                    return Self.answer(shown, next: hasMore || next != found.first?.number ? next : nil)
                }
                if !hasMore { return Self.answer(shown, next: nil) }
            }
            return Self.answer(shown, next: next)
        }
    }

    private static func answer(_ transactions: [JSON], next: Int64?) -> JSON {
        ["transactions": .array(transactions), "next": .optional(next.map { Int($0) })]
    }
}

/// Picks transactions, and shows them.
private struct HistoryFilter {
    private let session: QuerySession
    private let author: String?
    private let entities: Set<String>?
    private let object: String?

    /// - Throws: `ToolFailure` for an entity or an object that the model lacks.
    init(_ request: HistoryRequest, _ session: QuerySession) throws {
        (self.session, author) = (session, request.author)
        entities = try request.entity.map { name in
            let entity = try session.entity(named: name)
            return Set(session.model.entities.filter { $0.isKindOf(entity: entity) }.compactMap(\.name))
        }
        object = try request.object.map { try session.objectID($0).shortIdentifier }
    }

    /// - Returns: Nil for a transaction that is not shown.
    /// - Throws: `ToolFailure` if the store was closed meanwhile.
    func json(of transaction: StoreTransaction) throws -> JSON? {
        if let author, transaction.author ?? "" != author { return nil }
        var changes = try transaction.changes.map { (change: $0, id: try session.objectID(of: $0.object)) }
        if let entities { changes.removeAll { !entities.contains($0.id.entity.name ?? "") } }
        if let object { changes.removeAll { $0.id.shortIdentifier != object } }
        if changes.isEmpty, entities != nil || object != nil { return nil }
        func count(_ kind: StoreTransactionChange.Kind) -> JSON {
            .integer(changes.count { $0.change.kind == kind })
        }
        return [
            "number": .integer(Int(transaction.number)),
            "date": ShownValue(longest: 100).json(
                Date(timeIntervalSinceReferenceDate: transaction.time), .dateAttributeType),
            "author": .optional(transaction.author), "context": .optional(transaction.contextName),
            "process": .optional(transaction.processID), "bundle": .optional(transaction.bundleID),
            "inserted": count(.insertion), "updated": count(.update), "deleted": count(.deletion),
            "changes": .array(changes.prefix(StoreSession.mostChanges).map { json(of: $0.change, $0.id) }),
        ]
    }

    private func json(of change: StoreTransactionChange, _ id: NSManagedObjectID) -> JSON {
        let kept = (change.tombstone as? [String: Any] ?? [:]).sorted { $0.key < $1.key }
        let types = id.entity.attributesByName
        return [
            "kind": .text(change.kind.word), "object": .text(id.shortIdentifier),
            "properties": .array((change.properties ?? []).sorted().map(JSON.text)),
            "kept": .array(
                kept.map { name, value in
                    let type = types[name]?.attributeType ?? .undefinedAttributeType
                    return ["name": .text(name), "value": ShownValue(longest: 200).json(value, type)]
                }),
        ]
    }
}

extension StoreTransactionChange.Kind {
    /// The kind as the page has it.
    var word: String {
        switch self {
        case .insertion: "inserted"
        case .update: "updated"
        case .deletion: "deleted"
        }
    }
}
