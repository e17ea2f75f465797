import FoundationGaps

/// A coordinator with stores of an app's class, which learn which context asks.
struct AttendedSource: ObjectSource {
    let coordinator: NSPersistentStoreCoordinator
    let context: AnyObject

    private func asking<R>(_ body: (NSPersistentStoreCoordinator) throws -> R) rethrows -> R {
        try CallingContext.with(context) { try body(coordinator) }
    }

    func row(for reference: ObjectReference, _ age: RowAge) throws -> RowSnapshot? {
        try asking { try $0.row(for: reference, age) }
    }

    func anyRow(for reference: ObjectReference, _ age: RowAge) throws -> RowSnapshot? {
        try asking { try $0.anyRow(for: reference, age) }
    }

    func freshRow(for reference: ObjectReference) throws -> RowSnapshot? {
        try asking { try $0.freshRow(for: reference) }
    }

    func rows(for references: [ObjectReference], _ age: RowAge) throws -> [RowSnapshot] {
        try asking { try $0.rows(for: references, age) }
    }

    func freshRows(for references: [ObjectReference]) throws -> [RowSnapshot] {
        try asking { try $0.freshRows(for: references) }
    }

    func parts(_ part: RowPart, of references: [ObjectReference]) throws -> [RowSnapshot] {
        try asking { try $0.parts(part, of: references) }
    }

    func forgetRow(of reference: ObjectReference) { coordinator.forgetRow(of: reference) }

    func members(of reference: ObjectReference, _ slot: PropertySlot) throws -> [ObjectReference] {
        try asking { try $0.members(of: reference, slot) }
    }

    func members(
        ofAll references: [ObjectReference], _ slot: PropertySlot, in layout: EntityLayout
    ) throws -> StoreMembers? {
        try asking { try $0.members(ofAll: references, slot, in: layout) }
    }

    func storedRows(_ fetch: StoreFetch, in stores: [NSPersistentStore]) throws -> StoredRows? {
        if stores.contains(where: { $0.givesReferencesOnly }) { return nil }
        return try asking { try $0.storedRows(fetch, in: stores) }
    }

    func references(_ fetch: StoreFetch, in stores: [NSPersistentStore]) throws -> [ObjectReference] {
        try asking { try $0.references(fetch, in: stores) }
    }

    func count(_ fetch: StoreFetch, in stores: [NSPersistentStore]) throws -> Int {
        try asking { try $0.count(fetch, in: stores) }
    }

    func dictionaries(_ fetch: StoreFetch, in stores: [NSPersistentStore]) throws -> [NSDictionary] {
        try asking { try $0.dictionaries(fetch, in: stores) }
    }

    func externalData(_ raw: Data, store number: Int32) throws -> Data? {
        try asking { try $0.externalData(raw, store: number) }
    }
}
