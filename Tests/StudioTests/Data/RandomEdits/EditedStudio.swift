import Foundation
import Synchronization
import Testing

@testable import CoreDataStudio

/// A browser window of a studio: its name, and what the studio told it last.
final class ListeningWindow: Sendable {
    private struct Told {
        /// The windows that made the changes, by revision. The studio may follow the store behind a change.
        var clients: [Int: String] = [:]
        var storeEvents = 0
        var names: [String: String] = [:]
    }

    let name: String
    private let told = Mutex(Told())

    init(_ name: String, _ session: StoreSession) async {
        self.name = name
        let events = await session.events()
        Task { [weak self] in for await event in events { self?.take(event) } }
    }

    private func take(_ event: StoreEvent) {
        told.withLock {
            switch event {
            case .changes(let state, let client, let identifiers):
                if case .integer(let revision)? = state["revision"], let client { $0.clients[revision] = client }
                $0.names.merge(identifiers ?? [:]) { $1 }
            case .store: $0.storeEvents += 1
            case .progress, .replaced: break
            }
        }
    }

    /// Waits until the window is told of a change that a window made.
    func isTold(_ revision: Int, by client: String) async throws -> Bool {
        try await eventually { self.told.withLock { $0.clients[revision] == client } }
    }

    /// How often the window was told that the store has other objects.
    var storeEvents: Int { told.withLock { $0.storeEvents } }

    /// What new objects are called since a save, as the window was told it.
    var names: [String: String] { told.withLock { $0.names } }
}

/// Waits for what comes soon: ten seconds, where the machine does nothing else. It counts looks, because on a busy
/// machine all that it waits for is as slow as it is.
func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
    for _ in 0..<5_000 {
        if try await condition() { return true }
        try await Task.sleep(for: .milliseconds(2))
    }
    return false
}

/// A studio with its windows, and what the oracle says of it.
final class EditedStudio {
    struct Step {
        /// What the store had.
        var stored: ShopWorld
        var changes: [(fact: Fact, before: StagedFact?, after: StagedFact?, saw: FactValue)] = []
    }

    let name: String
    let session: StoreSession
    let windows: [ListeningWindow]
    /// Whether the studio hears of others' saves at once.
    let isListening: Bool
    var staged: [Fact: StagedFact] = [:]
    /// All steps since the steps were forgotten, those included that can't be redone any more.
    private var steps: [Step] = []
    var done: [Step] = []
    var undone: [Step] = []
    /// The objects whose conflicts were settled since the last save.
    var settled: Set<String> = []
    /// Whether the studio has followed the last save of others.
    var isFollowing = true
    /// What the store had when the studio followed it last.
    private var seen: ShopWorld

    private var numbered: [String: String] = [:]
    private var asked: [String: String] = [:]

    init(_ store: SampleStore, _ windows: [String], isListening: Bool, _ stored: ShopWorld) async throws {
        (name, seen) = (windows[0], stored)
        session = try StoreSession(.file(store.url), isEdited: true)
        if isListening { session.listenToStore() }
        var all: [ListeningWindow] = []
        for window in windows { all.append(await ListeningWindow(window, session)) }
        (self.windows, self.isListening) = (all, isListening)
    }

    // MARK: Names

    /// Identifiers of new objects are others in each run. Here they are numbered, so that a run can be repeated.
    func known(_ id: String) -> String {
        guard id.contains("/t") else { return id }
        if let known = numbered[id] { return known }
        let new = "\(id.prefix { $0 != "/" })/\(name)\(numbered.count + 1)"
        (numbered[id], asked[new]) = (new, id)
        return new
    }

    func asked(_ id: String) -> JSON { .text(asked[id] ?? id) }

    func isNew(_ id: String) -> Bool { asked[id] != nil }

    // MARK: Steps

    /// Stages changes as one step to undo.
    func stage(_ changes: [StudioEdit.Change], _ stored: ShopWorld) {
        var step = Step(stored: stored)
        for change in changes {
            let before = staged[change.fact]
            let saw = before?.saw ?? change.saw
            let after = StagedFact(
                saw: saw, wants: change.wants, entity: change.entity, row: change.row, free: before?.free ?? [])
            staged[change.fact] = saw == change.wants ? nil : after
            step.changes.append((change.fact, before, staged[change.fact], saw))
        }
        steps.append(step)
        done.append(step)
        undone = []
    }

    func undo() {
        guard let step = done.popLast() else { return }
        for change in step.changes.reversed() { staged[change.fact] = change.before }
        undone.append(step)
    }

    /// - Parameter stored: What is redone changes what the store has now.
    func redo(_ stored: ShopWorld) {
        guard let step = undone.popLast() else { return }
        for change in step.changes {
            var after = change.after
            if staged[change.fact] == nil { after?.saw = stored[change.fact] }
            staged[change.fact] = after?.saw == after?.wants ? nil : after
        }
        done.append(step)
    }

    func forgetSteps() { (steps, done, undone) = ([], [], []) }

    /// The steps can't be taken back any more. What they have staged is still there: later steps are forgotten with it,
    /// if others change it.
    func forgetSteps(_ stored: ShopWorld) {
        let kept = steps.map { step in
            var kept = Step(stored: stored)
            for change in step.changes where staged[change.fact] != nil {
                kept.changes.append((change.fact, change.before, change.after, stored[change.fact]))
            }
            return kept
        }
        forgetSteps()
        steps = kept
    }

    /// The objects with a change that others have changed in another way: they keep the row that they have.
    func isHeld(_ id: String, _ stored: ShopWorld) -> Bool {
        staged.contains { fact, change in
            guard fact.objects.first == id else { return false }
            return switch fact {
            // An object takes none of another one's elements of a composite value where it has changed some.
            case .value(_, let key): stored[fact] != change.saw || key.contains(".")
            case .link: stored[fact] != change.saw
            case .exists: stored.entities[id] != nil && change.row.contains { stored[$0.key] != $0.value }
            case .member: false
            case .order: orders(fact, stored).isConflict || orders(fact, stored).isTheirs
            }
        }
    }

    func orders(_ fact: Fact, _ stored: ShopWorld) -> ThreeOrders {
        let change = staged[fact]
        return ThreeOrders(
            base: change?.saw.list ?? stored[fact].list, mine: change?.wants.list ?? stored[fact].list,
            theirs: stored[fact].list)
    }

    /// Whether a step has changed what others have changed since it was taken.
    func isOvertaken(_ stored: ShopWorld) -> Bool {
        steps.contains { step in
            step.changes.contains { change in
                let (saw, now) = (change.saw, stored[change.fact])
                switch change.fact {
                case .order: return ThreeOrders(base: saw.list, mine: saw.list, theirs: now.list).isTheirs
                // A deletion ends all that leads to the object, and takes it from the orders that it is in.
                case .exists(let id):
                    return stored.facts(about: id) != step.stored.facts(about: id)
                        || step.stored.orders(with: id).contains { fact, order in
                            ThreeOrders(base: order, mine: order, theirs: stored[fact].list).isTheirs
                        }
                // A step back sets a composite value as a whole.
                case .value(let id, let key) where key.contains("."):
                    return WideShop.elements(beside: key).contains {
                        stored[.value(id, $0)] != step.stored[.value(id, $0)]
                    }
                default: return now != saw
                }
            }
        }
    }

    /// The studio takes the rows that others saved: orders are joined with theirs.
    func follow(_ stored: ShopWorld) {
        (isFollowing, seen) = (true, stored)
        for (fact, change) in staged {
            if case .member = fact, stored[fact] == change.wants { staged[fact]?.isShared = true }
        }
        for fact in staged.keys {
            guard case .order(let owner, _) = fact, !isHeld(owner, stored) else { continue }
            rebase(fact, stored, isTheirs: false)
        }
    }

    /// Whether the windows show the members as the store has them.
    func isCurrent(_ fact: Fact, _ stored: ShopWorld) -> Bool {
        switch fact {
        case .member, .order: stored[fact] == seen[fact]
        case .exists, .value, .link: true
        }
    }

    func rebase(_ fact: Fact, _ stored: ShopWorld, isTheirs: Bool) {
        let orders = orders(fact, stored)
        let wants = isTheirs || orders.isTheirs && !orders.isMine ? orders.inTheirOrder : orders.joined
        let free = orders.added.union(staged[fact]?.free ?? [])
        let saw = stored[fact]
        staged[fact] = saw == .list(wants) ? nil : StagedFact(saw: saw, wants: .list(wants), free: free)
    }
}
