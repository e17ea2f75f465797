import CoreData
import Foundation
import StoreBrowsing

/// An object as it was when a transaction had been saved, as far as history says.
///
/// History has the names of the properties that a transaction changed, and no old values. So a property that did not
/// change since has the value that it has now. Of others nothing is known, unless the deletion kept the value.
struct ObjectAsOf {
    /// What can be said of a value.
    private enum Knowledge {
        /// It did not change since: it is the present one.
        case unchanged
        /// The deletion kept it, and it did not change before.
        case kept
        /// It was changed by this transaction, and perhaps by others behind it.
        case changed(StoreTransaction, times: Int)
        /// Something that may have changed it was changed.
        case unsure(StoreTransaction?)
        /// The object is deleted, and the deletion did not keep it.
        case lost

        var word: String {
            switch self {
            case .unchanged: "unchanged"
            case .kept: "kept"
            case .changed: "changed"
            case .unsure: "unsure"
            case .lost: "lost"
            }
        }
    }

    private let session: QuerySession
    private let titles: ObjectTitles
    private let id: NSManagedObjectID
    /// Nil for an object that the store does not have now.
    private let object: NSManagedObject?
    private let history: ObjectHistory

    /// - Throws: `ToolFailure` for an object or a transaction that neither the store nor its history has.
    init(_ request: AsOfRequest, _ session: QuerySession) throws {
        guard let store = session.objects as? any HistoryStore, store.hasHistory else {
            throw ToolFailure(.invalidQuery, "The store has no history.")
        }
        (self.session, titles) = (session, ObjectTitles(chosen: request.titles ?? [:]))
        let asked = try session.objectID(request.object)
        object = try session.storedObject(asked)
        let number = try request.transaction.map { number in
            guard number > 0 else { throw ToolFailure(.invalidQuery, "Transactions are numbered from 1 on.") }
            return Int64(number)
        }
        history = try ObjectHistory(of: object?.objectID ?? asked, at: number, isStored: object != nil, store)
        // Of a subentity's object the identifier may have the name of an entity above.
        id = try object?.objectID ?? history.changes.first.map { try session.objectID(of: $0.object) } ?? asked
        if object == nil, history.deletion == nil {
            throw ToolFailure(
                .invalidQuery, "There is no object \(request.object), and no deletion of it in the history.")
        }
    }

    var json: JSON {
        get throws {
            let insertion = history.later.last { $0.kind == .insertion }
            let isGone = history.deletion.map { $0.transaction.number <= history.chosen?.number ?? 0 } ?? false
            let state = isGone ? "gone" : insertion != nil ? "notYet" : "there"
            return [
                "id": .text(id.shortIdentifier), "entity": .optional(id.entity.name), "title": .optional(title),
                "state": .text(state), "isStored": .bool(object != nil),
                "transaction": history.chosen?.json ?? .null,
                "inserted": insertion?.transaction.json ?? .null,
                "deleted": history.deletion?.transaction.json ?? .null,
                "values": .array(state == "notYet" ? [] : try values(isGone: isGone)),
                "choices": .array(history.changes.prefix(ObjectHistory.mostChanges).map(\.json)),
                "hasMoreChoices": .bool(history.isCut || history.changes.count > ObjectHistory.mostChanges),
            ]
        }
    }

    /// What the object is called now, or was called when it was deleted.
    private var title: String? {
        if let object { return titles.title(of: object) }
        let kept = history.deletion?.kept ?? [:]
        let parts = titles.keys(of: id.entity).compactMap { kept[$0] as? String }
        return parts.isEmpty ? nil : String(parts.joined(separator: " ").prefix(80))
    }

    // MARK: Values

    private func values(isGone: Bool) throws -> [JSON] {
        let properties = ShownProperty.all(of: id.entity)
        let counts = try MemberCounts(
            object == nil ? [] : properties.filter { $0.kind == .toMany }, of: id.entity, [id], session)
        let places = try ExternalPlaces(object == nil ? [] : properties, [id], session)
        return try properties.compactMap { property in
            let knowledge = isGone ? ofDeleted(property) : try look(at: property)
            if isGone, case .lost = knowledge { return nil }
            guard case .object(var members) = value(of: property, knowledge, counts, places) else { return nil }
            members["knowledge"] = .text(knowledge.word)
            if case .changed(let transaction, let times) = knowledge {
                (members["change"], members["times"]) = (transaction.json, .integer(times))
            }
            if case .unsure(let transaction) = knowledge { members["change"] = transaction?.json ?? .null }
            return .object(members)
        }
    }

    private func value(
        of property: ShownProperty, _ knowledge: Knowledge, _ counts: MemberCounts, _ places: ExternalPlaces
    ) -> JSON {
        switch knowledge {
        case .unchanged:
            guard let object else { return property.json }
            return property.json(of: object, titles, places) { counts.count(property.path, id) }
        case .kept:
            guard case .object(var members) = property.json else { return property.json }
            members["value"] = ShownValue(longest: 20_000).json(
                history.deletion?.kept.value(at: property.keys),
                property.attribute?.attributeType ?? .undefinedAttributeType)
            return .object(members)
        case .changed, .unsure, .lost: return property.json
        }
    }

    /// What is known of a property of an object that was there.
    private func look(at property: ShownProperty) throws -> Knowledge {
        let changes = history.later.filter { $0.properties.contains(property.keys[0]) }
        if let first = changes.last { return .changed(first.transaction, times: changes.count) }
        if object == nil { return ofDeleted(property) }
        if let attribute = property.attribute as? NSDerivedAttributeDescription { return derived(attribute) }
        return try property.relationship.flatMap(otherEnd) ?? .unchanged
    }

    private func ofDeleted(_ property: ShownProperty) -> Knowledge {
        (history.deletion?.kept.has(property.keys) ?? false) && property.kind == .attribute ? .kept : .lost
    }

    /// The store computes the value when what it is made of changes, and names it nowhere. What is made of other
    /// objects names a relationship.
    private func derived(_ attribute: NSDerivedAttributeDescription) -> Knowledge {
        let words = attribute.derivationExpression.map { "\($0)" }?.matches(of: /[\p{L}_][\p{L}\p{N}_]*/)
            .map { String($0.output) }
        let isOfOthers = words.map { $0.contains { id.entity.relationshipsByName[$0] != nil } } ?? true
        let isTouched = isOfOthers ? history.others.areThere : !history.later.isEmpty
        return isTouched ? .unsure(history.later.last?.transaction) : .unchanged
    }

    /// What is not known of a relationship although the object's own changes do not name it; nil where it is known.
    private func otherEnd(_ relationship: NSRelationshipDescription) throws -> Knowledge? {
        if let transaction = history.others.touched[relationship.name] { return .unsure(transaction) }
        if let deletion = history.others.emptied[relationship.name], object?.value(forKey: relationship.name) == nil {
            return .unsure(deletion)
        }
        guard let inserted = history.others.inserted[relationship.name] else { return nil }
        // A new object that is no member now was none then: it was not there.
        return try members(relationship).lazy.compactMap { inserted[$0] }.first.map { .unsure($0) }
    }

    private func members(_ relationship: NSRelationshipDescription) throws -> [ObjectReference] {
        if relationship.isToMany { return try session.members(of: id.reference, relationship) }
        let destination = object?.value(forKey: relationship.name) as? NSManagedObject
        return destination.map { [$0.objectID.reference] } ?? []
    }
}

extension QuerySession {
    /// The object that the store has; nil for one that is deleted.
    fileprivate func storedObject(_ id: NSManagedObjectID) throws -> NSManagedObject? {
        do {
            return try context.existingObject(with: id)
        } catch let error as CocoaError where error.code.rawValue == NSManagedObjectReferentialIntegrityError {
            return nil
        }
    }
}

extension StoreTransaction {
    /// What names the transaction.
    var json: JSON {
        [
            "number": .integer(Int(number)),
            "date": ShownValue(longest: 100).json(Date(timeIntervalSinceReferenceDate: time), .dateAttributeType),
            "author": .optional(author), "context": .optional(contextName), "process": .optional(processID),
        ]
    }
}

extension ObjectHistory.Change {
    /// A transaction that can be chosen.
    fileprivate var json: JSON {
        guard case .object(var members) = transaction.json else { return .null }
        members["kind"] = .text(kind.word)
        return .object(members)
    }
}
