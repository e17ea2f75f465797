import Foundation
import Testing

@testable import CoreData

@Suite("Large rows in the row cache")
struct LargeRowTests {
    private static let size = 1 << 20

    @Test("of those that nothing uses, no more than a bounded number of bytes stays, also while more of them come")
    func bound() throws {
        let model = League.model()
        let layout = try #require(model.layouts.layout(named: "Team"))
        let group = KeyGroup(store: 0, root: layout.rootNumber)
        let cache = RowCache()
        let ticket = cache.beginRead()
        var (used, most) = ([RowSnapshot](), 0)
        for key in 0..<Int64(400) {
            let row = RowSnapshot.make(layout: layout, key: key, version: 1, byteCount: Self.size) { _ in }
            if key % 20 == 0 { used.append(row) }
            _ = cache.insert(row, group, ticket)
            most = max(most, cache.largeBytes)
            if cache.wantsSweep, cache.beginSweep() { while cache.sweepStep() {} }
        }
        _ = cache.endRead(ticket)
        #expect(most <= 2 * (used.count * Self.size + RowCache.warmBytes) + Self.size)
        #expect(cache.beginSweep())
        while cache.sweepStep() {}
        let left = (0..<Int64(400)).filter { cache.row(group, $0) != nil }
        #expect(used.allSatisfy { left.contains($0.key) })
        #expect(left.count <= used.count + RowCache.warmBytes / Self.size)
        #expect(cache.largeBytes == left.count * Self.size)
    }

    @Test("small rows beside them stay as warm as ever")
    func smallRows() throws {
        let model = League.model()
        let layout = try #require(model.layouts.layout(named: "Team"))
        let group = KeyGroup(store: 0, root: layout.rootNumber)
        let cache = RowCache()
        let ticket = cache.beginRead()
        for key in 0..<Int64(1_000) {
            let count = key % 2 == 0 ? Self.size : 100
            _ = cache.insert(
                RowSnapshot.make(layout: layout, key: key, version: 1, byteCount: count) { _ in }, group, ticket)
            if cache.wantsSweep, cache.beginSweep() { while cache.sweepStep() {} }
        }
        _ = cache.endRead(ticket)
        let small = stride(from: Int64(1), to: 1_000, by: 2)
        #expect(small.allSatisfy { cache.row(group, $0) != nil })
    }

    @Test("when objects go away, their large rows follow")
    func objects() throws {
        let stack = try Stack(CoreDataTests.model(entity("Photo", [attribute("image", .binaryDataAttributeType)])))
        try stack.work { context throws in
            for _ in 0..<100 {
                context.insert("Photo").setValue(Data(repeating: 7, count: Self.size), forKey: "image")
            }
            try context.save()
            context.reset()
            for photo in try context.all("Photo") {
                #expect((photo.value(forKey: "image") as? Data)?.count == Self.size)
            }
        }
        let bytes = { stack.coordinator.locked { stack.coordinator.rows.largeBytes } }
        let deadline = Date(timeIntervalSinceNow: 30)
        while bytes() > RowCache.warmBytes, Date() < deadline { usleep(10_000) }
        #expect(bytes() <= RowCache.warmBytes)
    }
}
