import Foundation

/// What a copy has done.
package struct StoreCopyReport {
    /// How many objects the destination has.
    package let objectCount: Int
    /// SHA-256 over all objects and relationships, as they were read of the source.
    package let digest: Data
    /// Whether the copy went on with what an earlier one had left.
    package let isContinued: Bool
}

/// What a copy does at the moment.
package struct StoreCopyProgress {
    package enum Activity: Sendable { case readingAgain, copying, indexing, relating, comparing }

    package let activity: Activity
    /// How many objects the activity is done with.
    package let done: Int
    /// How many objects there are.
    package let total: Int
}

/// Copies all objects of a store into another one page by page, and goes on where a copy before it ended. Keys and
/// versions stay as they are.
///
/// 1. Rows with all their values and to-ones, in the order of their keys, one entity tree after the other. A to-one may
///    lead to a row that is still to come.
/// 2. Indexes by which rows are looked up.
/// 3. Members of relationships that no row says: all objects are there by then.
/// 4. Uniqueness constraints, and that all to-ones lead somewhere.
/// 5. The comparison: all objects are read of the destination, and must have the digest of those that were read of the
///    source.
///
/// The destination says in its metadata how far it is (``UnfinishedCopy``). Behind the comparison it gets the source's
/// metadata and is an ordinary store.
package final class PagedCopy {
    private let source: any ObjectStore
    private let target: any PagedStore
    private let objects: CopiedObjects
    private let told: (StoreCopyProgress) -> Void
    private var state: UnfinishedCopy
    private let isContinued: Bool
    private var read = CopyDigests()
    private var total = 0
    private var done = 0

    /// - Parameters:
    ///   - target: A store that was opened with ``StoreCopyOption``.
    ///   - told: Called after each page.
    package init(
        from source: any ObjectStore, to target: any PagedStore, told: @escaping (StoreCopyProgress) -> Void = { _ in }
    ) {
        (self.source, self.target, self.told) = (source, target, told)
        objects = CopiedObjects(of: source)
        state = UnfinishedCopy(target.metadata) ?? UnfinishedCopy(source: source.token.identifier)
        isContinued = !state.digests.isEmpty
    }

    /// Copies everything, or what is left.
    ///
    /// - Parameter compares: Whether all objects are read back. Without that the digests are not compared.
    /// - Throws: 134070 where the source has changed since the copy began, and where the destination has other objects
    ///   than the source; what the stores throw. The destination is unfinished then, and a later copy may go on.
    package func run(compares: Bool = true) throws -> StoreCopyReport {
        let highest = try givenKeys()
        try source.readingSteadily { reader in
            total = try objects.roots.reduce(0) { try $0 + count(of: $1, reader) }
            if isContinued { try readAgain(reader) }
            if state.step == .rows { try copyRows(reader, highest) }
            if state.step == .indexes {
                tell(.indexing)
                try step(to: .members) { try target.makeLookupIndexes() }
            }
            if state.step == .members { try copyMembers(reader) }
            if state.step == .constraints { try step(to: .comparison) { try target.finishLoading() } }
        }
        if compares { try compare() }
        try finish()
        return StoreCopyReport(objectCount: read.rows.count, digest: read.value, isContinued: isContinued)
    }

    /// The last keys that the source has given, also to objects that are deleted. A store that is only read tells none.
    private func givenKeys() throws -> [Int32: Int64] {
        if source.isReadOnly { return [:] }
        var keys: [Int32: Int64] = [:]
        for root in objects.roots { keys[root.number] = try source.allocateKeys(for: root, count: 1) - 1 }
        return keys
    }

    private func count(of root: EntityLayout, _ reader: any StoreReader) throws -> Int {
        guard case .count(let count) = try reader.fetch(StoreFetch(entity: root, output: .count)) else { return 0 }
        return count
    }

    private func tell(_ activity: StoreCopyProgress.Activity, _ more: Int = 0) {
        done += more
        told(StoreCopyProgress(activity: activity, done: done, total: total))
    }

    // MARK: The state

    /// Has the next transaction of the destination write how far the copy is.
    private func note() {
        var metadata = target.metadata ?? [:]
        metadata[UnfinishedCopy.key] = state.values
        target.metadata = metadata
    }

    /// Does what ends a step, in the transaction that says so.
    private func step(to step: UnfinishedCopy.Step, _ body: () throws -> Void) throws {
        (state.step, state.root, state.lastKey) = (step, nil, .min)
        note()
        try body()
        done = 0
    }

    // MARK: Steps

    private func copyRows(_ reader: any StoreReader, _ highest: [Int32: Int64]) throws {
        let place = state
        try objects.forEachPage(reader, from: place) { root, rows in
            let size = try rows.reduce(0) { try $0 + read.rows.add($1, reader) }
            (state.root, state.lastKey) = (root.name, rows.last?.key ?? .min)
            state.digests = read.values
            note()
            try target.insert(CopiedPage(rows, reader, store: source.token.number))
            tell(.copying, rows.count)
            return size
        } tree: { root, last in
            read.endTree()
            let last = max(last, highest[root.number] ?? 0)
            if last > 0 { try target.reserveKeys(upTo: last, rootedAt: root) }
        }
        try step(to: .indexes) { _ = try target.save(StoreChanges()) }
    }

    private func copyMembers(_ reader: any StoreReader) throws {
        let place = state
        try objects.forEachMembers(reader, of: source, from: place) { root, last, count, members in
            read.members.add(members)
            (state.root, state.lastKey) = (root.name, last)
            state.digests = read.values
            note()
            try target.addMembers(members.changes)
            tell(.relating, count)
        }
        try step(to: .constraints) { _ = try target.save(StoreChanges()) }
    }

    private func finish() throws {
        target.metadata = source.metadata.filter { !StoreCopy.ownMetadata.contains($0.key) }
        _ = try target.save(StoreChanges())
    }

    // MARK: Going on

    /// Reads what was copied before: it must be what it was.
    private func readAgain(_ reader: any StoreReader) throws {
        let place = state
        let end = place.step == .rows ? objects.roots.firstIndex { $0.name == place.root } ?? 0 : objects.roots.count
        for (index, root) in objects.roots.enumerated() where index <= end {
            let last = index == end ? place.lastKey : .max
            try readRows(rootedAt: root, upTo: last, reader)
            if index < end { read.endTree() }
        }
        if place.step.rawValue >= UnfinishedCopy.Step.members.rawValue { try readMembersAgain(reader, place) }
        guard read.values == place.digests else { throw changed }
    }

    private func readRows(rootedAt root: EntityLayout, upTo last: Int64, _ reader: any StoreReader) throws {
        var (key, size) = (Int64.min, PageSize())
        while key < last {
            let rows = try reader.rows(rootedAt: root, after: key, most: size.count).prefix { $0.key <= last }
            guard let end = rows.last else { return }
            size.adapt(to: try rows.reduce(0) { try $0 + read.rows.add($1, reader) })
            key = end.key
            tell(.readingAgain, rows.count)
        }
    }

    private func readMembersAgain(_ reader: any StoreReader, _ place: UnfinishedCopy) throws {
        let isWhole = place.step != .members
        let end = isWhole ? objects.roots.count : objects.roots.firstIndex { $0.name == place.root } ?? -1
        try objects.forEachMembers(reader, of: source) { root, _, _, members in
            let index = objects.roots.firstIndex { $0 === root } ?? 0
            if index > end { return }
            read.members.add(index == end ? members.upTo(place.lastKey) : members)
        }
    }

    private var changed: NSError {
        .cocoa(
            NSPersistentStoreOperationError, "The source has changed since the copy began.",
            reason: "Objects that were copied already have other values now. Destroy the unfinished destination, and "
                + "begin anew.")
    }

    // MARK: Comparing

    /// Reads everything back.
    private func compare() throws {
        done = 0
        let written = try CopyDigests(of: target, objects) { tell(.comparing, $0) }
        try read.requireSame(written, objects.roots)
    }
}
