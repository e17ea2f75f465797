import FoundationGaps
import Testing

@Suite("What Foundation on Linux lacks beside predicates")
struct LiteralTests {
    @Test("array literals make NSSet, NSMutableSet and NSCountedSet")
    func literals() {
        let set: NSSet = ["a", "b", "a"]
        let mutable: NSMutableSet = [1]
        mutable.add(2)
        let counted: NSCountedSet = ["a", "a"]
        let empty: NSSet = []
        #expect(set == NSSet(array: ["a", "b"]) && set as? Set<String> == ["a", "b"])
        #expect(mutable.count == 2 && counted.count(for: "a") == 2 && empty.count == 0)
    }

    @Test("autoreleasepool returns what its block returns, and throws what it throws")
    func pool() {
        #expect(autoreleasepool { 3 } == 3)
        #expect(throws: CocoaError.self) { try autoreleasepool { throw CocoaError(.userCancelled) } }
    }

    @Test("notifications(named:object:) gives what is posted from the first wait on, of that object alone")
    func notifications() async {
        let (center, object, other) = (NotificationCenter(), NSObject(), NSObject())
        let name = Notification.Name("LiteralTests")
        var iterator = center.notifications(named: name, object: object).makeAsyncIterator()
        center.post(name: name, object: other)
        center.post(name: name, object: object, userInfo: ["number": 1])
        center.post(name: name, object: object, userInfo: ["number": 2])
        #expect(await iterator.next()?.userInfo?["number"] as? Int == 1)
        #expect(await iterator.next()?.userInfo?["number"] as? Int == 2)
    }

    @Test("a cancelled task gets no more notifications")
    func cancelling() async {
        let name = Notification.Name("LiteralTests")
        let waiting = Task {
            var count = 0
            for await _ in NotificationCenter.default.notifications(named: name) { count += 1 }
            return count
        }
        waiting.cancel()
        #expect(await waiting.value == 0)
    }
}
