import Foundation
import Testing

@testable import CoreData

@Suite("Large rows in the row cache")
struct LargeRowTests {
    private static let size = 1 << 20

    @Test("of those that nothing uses, no more than a bounded number of bytes stays, also while more of them come")
    func bound() throws {
        let read = try TeamRead()
        let cache = read.cache
        var (used, most) = ([RowSnapshot](), 0)
        for key in 0..<Int64(400) {
            let row = read.row(key, Self.size)
            if key % 20 == 0 { used.append(row) }
            read.insert(row)
            most = max(most, cache.largeBytes)
            read.sweepIfDue()
        }
        read.end()
        #expect(most <= 2 * (used.count * Self.size + RowCache.warmBytes) + Self.size)
        #expect(cache.beginSweep())
        while cache.sweepStep() {}
        let left = (0..<Int64(400)).filter { cache.row(read.group, $0) != nil }
        #expect(used.allSatisfy { left.contains($0.key) })
        #expect(left.count <= used.count + RowCache.warmBytes / Self.size)
        #expect(cache.largeBytes == left.count * Self.size)
    }

    @Test("small rows beside them stay as warm as ever")
    func smallRows() throws {
        let read = try TeamRead()
        for key in 0..<Int64(1_000) {
            read.insert(read.row(key, key % 2 == 0 ? Self.size : 100))
            read.sweepIfDue()
        }
        read.end()
        let small = stride(from: Int64(1), to: 1_000, by: 2)
        #expect(small.allSatisfy { read.cache.row(read.group, $0) != nil })
    }

    @Test("when objects go away, their large rows follow")
    func objects() throws {
        let photos = try Photos(count: 100, size: Self.size)
        try photos.stack.work { context throws in _ = try photos.read(in: context) }
        #expect(photos.largeBytes(after: 30) <= RowCache.warmBytes)
    }

    @Test("when objects go away one by one, the large rows of the last ones follow, too")
    func oneByOne() throws {
        let photos = try Photos(count: 90, size: Self.size)
        try photos.stack.work { context throws in
            var objects = try photos.read(in: context)
            while !objects.isEmpty {
                objects.removeLast()
                usleep(5_000)  // A sweep that is due now sees the other objects.
            }
        }
        #expect(photos.largeBytes(after: 30) <= RowCache.warmBytes)
    }

    @Test("rows that are released while a sweep is under way have another one")
    func duringASweep() throws {
        let read = try TeamRead()
        let cache = read.cache
        var used = (0..<Int64(100)).map { read.row($0, Self.size) }
        used.forEach(read.insert)
        read.end()
        #expect(cache.beginSweep())
        #expect(cache.sweepStep())
        used = []
        #expect(cache.isLarge)
        #expect(!cache.beginSweep())
        while cache.sweepStep() {}
        #expect(cache.largeBytes <= RowCache.sweptBytes)
    }
}

/// Saved objects of which each has one large value.
private struct Photos {
    let stack: Stack
    private let size: Int

    init(count: Int, size: Int) throws {
        self.size = size
        stack = try Stack(CoreDataTests.model(entity("Photo", [attribute("image", .binaryDataAttributeType)])))
        try stack.work { context throws in
            for _ in 0..<count {
                context.insert("Photo").setValue(Data(repeating: 7, count: size), forKey: "image")
            }
            try context.save()
            context.reset()
        }
    }

    /// All of them, with their values.
    func read(in context: NSManagedObjectContext) throws -> [NSManagedObject] {
        let photos = try context.all("Photo")
        for photo in photos { #expect((photo.value(forKey: "image") as? Data)?.count == size) }
        return photos
    }

    /// How many bytes of large rows the cache has, once they are few or that many seconds are over.
    func largeBytes(after seconds: Double) -> Int {
        let bytes = { stack.coordinator.locked { stack.coordinator.rows.largeBytes } }
        let deadline = Date(timeIntervalSinceNow: seconds)
        while bytes() > RowCache.warmBytes, Date() < deadline { usleep(10_000) }
        return bytes()
    }
}

/// A read of teams into a cache of its own.
private struct TeamRead {
    let cache = RowCache()
    let group: KeyGroup
    private let model = League.model()
    private let layout: EntityLayout
    private let ticket: ReadTicket

    init() throws {
        layout = try #require(model.layouts.layout(named: "Team"))
        group = KeyGroup(store: 0, root: layout.rootNumber)
        ticket = cache.beginRead()
    }

    /// A row that takes so many bytes.
    func row(_ key: Int64, _ byteCount: Int) -> RowSnapshot {
        RowSnapshot.make(layout: layout, key: key, version: 1, byteCount: byteCount) { _ in }
    }

    func insert(_ row: RowSnapshot) { _ = cache.insert(row, group, ticket) }

    func sweepIfDue() {
        if cache.wantsSweep, cache.beginSweep() { while cache.sweepStep() {} }
    }

    func end() { _ = cache.endRead(ticket) }
}
