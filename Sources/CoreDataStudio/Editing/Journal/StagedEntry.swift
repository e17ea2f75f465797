import CoreData
import Foundation
import StoreBrowsing

/// What is staged, as the journal has it: the objects as they are to be, with the values and the versions of the rows
/// that they were changed from.
///
/// It has no steps. Recovering is one step of its own.
struct StagedEntry: Codable, Sendable {
    var format = 1
    /// When it was written, in seconds since 2001.
    var time: Double
    /// The UUID of the store.
    var store: String?
    var objects: [KeptObject]

    /// What windows are told of it.
    var json: JSON {
        let time = time.isFinite && abs(time) < 1e11 ? time : 0
        let date = Date(timeIntervalSinceReferenceDate: time)
        return ["savedAt": .text(date.ISO8601Format()), "count": .integer(objects.count)]
    }
}

/// An object with changes.
struct KeptObject: Codable, Sendable {
    enum Kind: String, Codable, Sendable {
        case inserted, updated, deleted
    }

    struct Value: Codable, Sendable {
        var mine: KeptValue
        /// What the row had; nil for a new object.
        var base: KeptValue?
    }

    /// The destination of a to-one relationship, by its identifier.
    struct Link: Codable, Sendable {
        var mine: String?
        var base: String?
    }

    /// The members of a to-many relationship: those that joined and left it; of an ordered one all, now and before.
    struct Members: Codable, Sendable {
        var added: [String]
        var removed: [String]
        var order: [String]?
        /// Missing in journals of earlier versions, and for a new object.
        var before: [String]?
    }

    var id: String
    var entity: String
    var kind: Kind
    /// The version of the row.
    var version: Int?
    var values: [String: Value] = [:]
    var links: [String: Link] = [:]
    var members: [String: Members] = [:]
}

/// What is staged, ready to be written.
struct StagedSnapshot: Sendable {
    var entry: StagedEntry
    /// The bytes of large values, by digest.
    var files: [String: Data] = [:]
    /// What can't be kept, a sentence each.
    var omissions: [String] = []
    /// The large values of the snapshot before, whose digests need not be found again.
    fileprivate let known: [String: LargeValue]
    fileprivate(set) var large: [String: LargeValue] = [:]

    struct LargeValue: Sendable {
        var bytes: Data
        var kept: KeptValue
    }

    init(_ entry: StagedEntry, known: [String: LargeValue] = [:]) { (self.entry, self.known) = (entry, known) }

    /// - Parameter key: Names the value.
    fileprivate mutating func kept(_ value: Any?, _ key: String) -> KeptValue? {
        guard let bytes = KeptValue.largeBytes(value) else { return KeptValue(value) }
        if let same = known[key], same.bytes == bytes {
            large[key] = same
        } else {
            large[key] = KeptValue(value).map { LargeValue(bytes: bytes, kept: $0) }
        }
        return large[key]?.kept
    }
}

extension StagedChanges {
    /// What the journal has to say.
    func snapshot(ofStore identifier: String?) -> StagedSnapshot {
        var snapshot = StagedSnapshot(
            StagedEntry(time: Date.now.timeIntervalSinceReferenceDate, store: identifier, objects: []),
            known: keptLarge)
        snapshot.entry.objects = changedObjects.map { $0.kept(&snapshot) }
        keptLarge = snapshot.large
        return snapshot
    }
}

extension NSManagedObject {
    fileprivate func kept(_ snapshot: inout StagedSnapshot) -> KeptObject {
        var kept = KeptObject(
            id: objectID.shortIdentifier, entity: entity.name ?? "",
            kind: isDeleted ? .deleted : isInserted ? .inserted : .updated, version: rowVersion)
        guard kept.kind != .deleted else { return kept }
        let new = changedValues()
        let old = isInserted ? [:] : committedValues(forKeys: nil)
        for property in ShownProperty.all(of: entity) {
            guard isInserted || new.has(property.keys) else { continue }
            if let attribute = property.attribute {
                if attribute is NSDerivedAttributeDescription { continue }
                keep(property, old, &kept, &snapshot)
            } else if let relationship = property.relationship {
                keep(relationship, old[property.path], &kept)
            }
        }
        return kept
    }

    private func keep(
        _ property: ShownProperty, _ old: [String: Any], _ kept: inout KeptObject, _ snapshot: inout StagedSnapshot
    ) {
        let value = currentValue(at: property.keys)
        let base = old.value(at: property.keys)
        if !isInserted, StoredValues.areEqual(value, base) { return }
        let key = "\(kept.id)/\(property.path)"
        guard let mine = snapshot.kept(value, key) else {
            snapshot.omissions.append("The value of \(property.path) of \(kept.id) can't be kept.")
            return
        }
        if let digest = mine.digest { snapshot.files[digest] = snapshot.large[key]?.bytes }
        kept.values[property.path] = KeptObject.Value(
            mine: mine, base: isInserted ? nil : snapshot.kept(base, key + "/base"))
    }

    private func currentValue(at keys: [String]) -> Any? {
        guard let first = value(forKey: keys[0]) else { return nil }
        return keys.dropFirst().reduce(first as Any?) { ($0 as? [String: Any])?[$1] }
    }

    private func keep(_ relationship: NSRelationshipDescription, _ old: Any?, _ kept: inout KeptObject) {
        let name = relationship.name
        if !relationship.isToMany {
            let mine = (value(forKey: name) as? NSManagedObject)?.objectID.shortIdentifier
            if isInserted, mine == nil { return }
            kept.links[name] = KeptObject.Link(mine: mine, base: (old as? NSManagedObject)?.objectID.shortIdentifier)
            return
        }
        // The members say it themselves, where each has one owner.
        guard relationship.isOrdered || relationship.inverseRelationship?.isToMany != false else { return }
        let now = members(relationship).map(\.objectID.shortIdentifier)
        let before = Self.identifiers(old)
        let (known, wanted) = (Set(before), Set(now))
        kept.members[name] = KeptObject.Members(
            added: now.filter { !known.contains($0) }, removed: before.filter { !wanted.contains($0) },
            order: relationship.isOrdered ? now : nil, before: relationship.isOrdered && !isInserted ? before : nil)
    }

    /// The short identifiers of the members in a value of a to-many relationship, in their order if they have one.
    static func identifiers(_ members: Any?) -> [String] {
        let objects: [Any] = (members as? NSOrderedSet)?.array ?? (members as? NSSet)?.allObjects ?? []
        return objects.compactMap { ($0 as? NSManagedObject)?.objectID.shortIdentifier }
    }
}
