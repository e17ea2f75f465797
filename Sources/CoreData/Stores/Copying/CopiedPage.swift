import Foundation

/// Some rows of a store on their way into another one.
package struct CopiedPage {
    package let rows: [RowSnapshot]
    private let reader: any StoreReader
    /// The number of the store that the rows are of.
    private let store: Int32

    init(_ rows: [RowSnapshot], _ reader: any StoreReader, store: Int32) {
        (self.rows, self.reader, self.store) = (rows, reader, store)
    }

    /// The row as an insertion. Its version and its values stay; its data with external storage are read for it.
    package func change(_ row: RowSnapshot) throws -> RowChange {
        let layout = row.layout
        let values = ChangeRecord.make(slotCount: layout.slots.count)
        for slot in layout.slots where slot.isStoredInRow { values[slot.index] = try value(of: slot, row) }
        values.keepVersion(row.version)
        return RowChange(
            reference: ObjectReference(key: row.key, entity: layout.number, store: store), layout: layout,
            snapshot: nil, values: values, members: [])
    }

    private func value(of slot: PropertySlot, _ row: RowSnapshot) throws -> Slot {
        guard slot.isExternal, !row.isNull(slot.cell) else { return row.value(of: slot, store: store) }
        return .data(try reader.requiredData(of: slot, row))
    }
}

extension StoreReader {
    /// The value of an attribute with external storage, which is not nil.
    ///
    /// - Throws: 260 where the file with the value is missing.
    func requiredData(of slot: PropertySlot, _ row: RowSnapshot) throws -> Data {
        if let data = try externalData(row.data(slot.cell)) { return data }
        let object = "\(row.layout.name)/p\(row.key)"
        throw NSError.cocoa(
            CocoaError.Code.fileReadNoSuchFile.rawValue,
            "The store can't be copied: the file with “\(slot.name)” of \(object) is missing.",
            reason: "Set the value anew, or to nil.")
    }
}

/// How many rows are read at once: many small ones, and few large ones.
struct PageSize {
    private(set) var count = 128

    private static let mostRows = 8_192
    private static let fewBytes = 2 << 20
    private static let manyBytes = 8 << 20

    /// Takes in how many bytes a page of this size had.
    mutating func adapt(to bytes: Int) {
        if bytes > Self.manyBytes {
            count = max(1, count / 4)
        } else if bytes < Self.fewBytes {
            count = min(2 * count, Self.mostRows)
        }
    }
}

/// The members of the relationships of some objects that no row says.
struct CopiedMembers {
    private let rows: [RowSnapshot]
    private let slots: [Int32: [PropertySlot]]
    private let lists: [ToManyKey: [Int64: [ObjectReference]]]
    private let store: Int32
    /// About how many bytes the members take.
    private(set) var byteCount = 0

    /// The relationships of an entity with members that no row says, not even its order.
    static func slots(of layout: EntityLayout) -> [PropertySlot] {
        layout.toManySlots.filter { !$0.isTransient && ToManyKey($0, in: layout).needsList }
    }

    /// A member, and the row that may be read for it.
    private static let memberSize = 256

    /// Reads the members of all relationships.
    ///
    /// - Parameter rows: The objects, of one entity tree.
    init(of rows: [RowSnapshot], _ reader: any StoreReader, store: Int32) throws {
        (self.rows, self.store) = (rows, store)
        var slots: [Int32: [PropertySlot]] = [:]
        var lists: [ToManyKey: [Int64: [ObjectReference]]] = [:]
        for (number, rows) in Dictionary(grouping: rows, by: { $0.layout.number }) {
            guard let layout = rows.first?.layout else { continue }
            let own = Self.slots(of: layout)
            slots[number] = own
            for slot in own {
                let found = try reader.members(ofAll: rows.map(\.key), in: layout, slot: slot)
                byteCount += found.references.count * Self.memberSize
                for run in found.runs {
                    lists[ToManyKey(slot, in: layout), default: [:]][run.source, default: []] +=
                        found.references[run.members]
                }
            }
        }
        (self.slots, self.lists) = (slots, lists)
    }

    private init(_ members: CopiedMembers, _ rows: [RowSnapshot]) {
        (self.rows, slots, lists, store) = (rows, members.slots, members.lists, members.store)
    }

    /// Only those of objects up to a key.
    func upTo(_ key: Int64) -> CopiedMembers { CopiedMembers(self, rows.filter { $0.key <= key }) }

    /// Visits the lists that are not empty, by the objects' keys.
    func forEach(_ body: (RowSnapshot, ToManyKey, [ObjectReference]) -> Void) {
        for row in rows {
            for slot in slots[row.layout.number] ?? [] {
                let relationship = ToManyKey(slot, in: row.layout)
                if let members = lists[relationship]?[row.key], !members.isEmpty { body(row, relationship, members) }
            }
        }
    }

    /// The changes that add the members to a store that has none.
    var changes: [RowChange] {
        var changes: [RowChange] = []
        for row in rows {
            let layout = row.layout
            let members = (slots[layout.number] ?? []).compactMap { slot -> MemberChange? in
                let relationship = ToManyKey(slot, in: layout)
                guard !relationship.isSaidByInverse, let members = lists[relationship]?[row.key], !members.isEmpty
                else { return nil }
                return MemberChange(
                    slot: slot, added: members, removed: [], order: slot.kind == .orderedToMany ? members : nil)
            }
            if members.isEmpty { continue }
            changes.append(
                RowChange(
                    reference: ObjectReference(key: row.key, entity: layout.number, store: store), layout: layout,
                    snapshot: nil, values: .make(slotCount: layout.slots.count), members: members))
        }
        return changes
    }
}

extension ToManyKey {
    /// Whether the members of the inverse of a many-to-many say everything of this side, too.
    fileprivate var isSaidByInverse: Bool {
        guard slot.kind == .toMany, slot.inverse >= 0 else { return false }
        let destination = layout.model[slot.destination]
        let inverse = destination.slots[slot.inverse]
        if inverse.kind != .toMany { return inverse.kind == .orderedToMany }
        let other = ToManyKey(inverse, in: destination)
        return (other.declaring, inverse.index) < (declaring, slot.index)
    }
}
