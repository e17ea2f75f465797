import CoreData
import Foundation

/// What happened how often.
struct Tally: Codable {
    private(set) var counts: [String: Int] = [:]

    mutating func count(_ what: String) { counts[what, default: 0] += 1 }

    mutating func count(_ forecast: SaveForecast, _ observation: Observation) {
        switch forecast {
        case .nothing: count("saves of nothing")
        case .denied: count("denied saves")
        case .conflicts: count(observation.error == nil ? "saves that a policy decided" : "saves with conflicts")
        case .success: count("saves without conflict")
        }
    }

    mutating func add(_ other: Tally) { counts.merge(other.counts, uniquingKeysWith: +) }

    var text: String { counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ") }
}

/// One script, played by four real contexts and by the oracle, which are compared after every step.
final class Match {
    private let script: Script
    private let remote: RemoteContext
    private let folder: URL
    private let stack: LocalStack
    private let reader: StoreReader
    private let names = Names()
    private var locals: [ContextDriver] = []
    private var oracle: Oracle
    /// Which saves a context has taken over already, those of its coordinator and those of the other.
    private var taken = [0, 0, 0, 0]
    private var takenRemotely = [0, 0, 0, 0]
    private var saves: [[Saved]] = [[], [], [], []]
    private var history: [(context: Int, saved: Saved)] = []
    /// Which number a row has.
    private var numbers: [String: [Int64: Int]] = [:]
    /// Saved objects that the other process has not heard of.
    private var news: [Name] = []
    private(set) var log: [String] = []
    private(set) var tally = Tally()

    static let elsewhere = 3

    init(_ script: Script, _ remote: RemoteContext) throws {
        self.script = script
        self.remote = remote
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("FourContexts-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = folder.appendingPathComponent("Store.sqlite")
        stack = try LocalStack(url)
        reader = try StoreReader(url)
        oracle = Oracle(
            contexts: (0..<4).map { context in
                ContextState(
                    parent: context == 2 ? 0 : nil, coordinator: context == Self.elsewhere ? 1 : 0,
                    hasUndo: context == 1 || context == 2,
                    mergesAutomatically: script.mergesAutomatically(context))
            })
        oracle.isFalse = script.isFalse
        try remote.open(url)
        makeLocals()
    }

    private func makeLocals() {
        let first = stack.context()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = first
        locals = zip([first, stack.context(), child], oracle.contexts).map { context, state in
            context.automaticallyMergesChangesFromParent = state.mergesAutomatically
            return ContextDriver(context, names, undo: state.hasUndo)
        }
        locals[0].sources = [locals[1]]
        locals[1].sources = [locals[0]]
        locals[2].sources = [locals[0]]
    }

    func end() {
        try? remote.close()
        // They know each other.
        for local in locals { local.sources = [] }
        locals = []
        try? stack.close()
        try? FileManager.default.removeItem(at: folder)
    }

    // MARK: Playing

    /// Plays the script.
    ///
    /// - Parameter tell: Is told of each step before it is taken.
    func play(tell: ((String) -> Void)? = nil) throws {
        for step in script.steps {
            if oracle.contexts[0].isUncertain { oracle.contexts[2].isUncertain = true }
            guard var command = oracle.command(for: step) else { continue }
            complete(&command, step.context)
            let text = command.text(in: step.context)
            log.append(text)
            tell?(text)
            tally.count(command.verb.rawValue)
            if oracle.contexts[step.context].isUncertain { tally.count("uncertain") }
            do { try take(command, step.context) } catch { throw Failure("\(error)\n  at: \(text)") }
        }
        do { try checkStore() } catch { throw Failure("\(error)\n  at the end") }
    }

    private func complete(_ command: inout Command, _ context: Int) {
        switch command.verb {
        case .takeOver:
            let source = context == 0 ? 1 : 0
            guard context != Self.elsewhere else { return command.verb = .read }
            command.ids = Array(taken[context]..<saves[source].count)
            taken[context] = saves[source].count
            if command.ids.isEmpty { command.verb = .read }
        case .takeOverRemotely:
            guard context != 2 else { return command.verb = .read }
            let new = history[takenRemotely[context]...].filter {
                ($0.context == Self.elsewhere) != (context == Self.elsewhere)
            }
            takenRemotely[context] = history.count
            command.inserted = Set(new.flatMap(\.saved.inserted)).sorted()
            command.updated = Set(new.flatMap(\.saved.updated)).sorted()
            command.deleted = Set(new.flatMap(\.saved.deleted)).sorted()
            if new.isEmpty { command.verb = .read }
        default: break
        }
    }

    private func run(_ command: Command, _ context: Int) throws -> Observation {
        guard context == Self.elsewhere else { return try locals[context].run(command) }
        var command = command
        command.names = news
        news = []
        return try remote.run(command)
    }

    private func take(_ command: Command, _ context: Int) throws {
        let unsaved = oracle.contexts[0].objects.filter(\.value.isInserted).keys
        if command.verb == .save { try save(command, context) } else { try doOther(command, context) }
        if unsaved.contains(where: { oracle.contexts[0].objects[$0] == nil }) {
            // What the child knows of them leads nowhere.
            oracle.contexts[2].isUncertain = true
        }
        if context == 2 { try look(0) }
    }

    private func doOther(_ command: Command, _ context: Int) throws {
        let counts = (oracle.contexts[context].done.count, oracle.contexts[context].undone.count)
        var outlook = oracle
        _ = outlook.perform(command, context, saves)
        var told = command
        // What merging and refreshing changed besides is not foretold, and can't be told to be undone.
        let isMerging = [.takeOver, .takeOverRemotely, .refresh, .refreshAll].contains(command.verb)
        told.forgetsUndo =
            outlook.contexts[context].hasUndo && isMerging
            || outlook.contexts[context].hasUndo && counts.0 + counts.1 > 0
                && outlook.contexts[context].done.isEmpty && outlook.contexts[context].undone.isEmpty
                && (outlook.strayed || command.verb != .undo && command.verb != .redo)
        let observation = try run(told, context)
        if let error = observation.error { throw Failure("error \(error): \(observation.contradictions)") }
        let found = try settle(withParent(observation, context)) { [saves] in $0.perform(command, context, saves) }
        oracle.strayed = false
        if let found, !oracle.contexts[context].isUncertain, let real = observation.fetched, Set(real) != found {
            throw Failure("fetched \(real.sorted()), not \(found.sorted())")
        }
        try endEvent(command, observation, context)
        if context == 0, command.verb == .takeOver { try mergeAutomatically(command.ids.map { saves[1][$0] }, into: 2) }
        if context == 0, command.verb == .takeOverRemotely {
            let saved = Saved(inserted: command.inserted, updated: command.updated, deleted: command.deleted)
            try mergeAutomatically([saved], into: 2)
        }
    }

    /// What an event changed can be undone, if it changed anything.
    private func endEvent(_ command: Command, _ observation: Observation, _ context: Int) throws {
        guard oracle.contexts[context].hasUndo, command.verb != .undo, command.verb != .redo else {
            oracle.contexts[context].journal = Journal(saves: oracle.contexts[context].saves)
            let (mine, theirs) = (
                [oracle.contexts[context].done.count, oracle.contexts[context].undone.count],
                [observation.undoCount, observation.redoCount]
            )
            if mine != theirs, !oracle.contexts[context].isUncertain {
                throw Failure("\(theirs) events to undo and redo, not \(mine)")
            }
            return
        }
        let state = oracle.contexts[context]
        let isRegistered = observation.undoCount > state.done.count
        if !isRegistered, !state.isUncertain, oracle.eventChanges(context) {
            throw Failure("the undo manager got nothing of what changed")
        }
        oracle.endEvent(context, isRegistered: isRegistered)
        if !state.isUncertain, observation.undoCount != oracle.contexts[context].done.count {
            throw Failure("\(observation.undoCount) events to undo, not \(oracle.contexts[context].done.count)")
        }
    }

    /// What was seen of a context, and of its parent: a question to the parent has it load what it did not know.
    private func withParent(
        _ observation: Observation, _ context: Int
    ) throws -> [(context: Int, observation: Observation)] {
        let own = (context: context, observation: observation)
        guard let parent = oracle.contexts[context].parent else { return [own] }
        return [own, (parent, try run(Command(verb: .look), parent))]
    }

    // MARK: Saving

    private func save(_ command: Command, _ context: Int) throws {
        let isUncertain = oracle.contexts[context].isUncertain
        let observation = try run(command, context)
        let start = oracle
        let isDenied = [1600, 1560].contains(observation.error)
        let forecast = oracle.forecastSave(context, isDenied: isDenied)
        let announcement = oracle.announcement(context)
        // Which rows a parent reads for its child shows in what comes of the save: they are not settled yet.
        if oracle.contexts[context].parent != nil { oracle = start }
        for name in observation.names { learn(name) }
        tally.count(forecast, observation)
        if case .conflicts(let certain, let possible) = forecast {
            let objects = oracle.contexts[context].objects
            let isRelevant =
                !certain.isEmpty
                || possible.contains { objects[$0].map { $0.mayDiffer || $0.isDeleted || !$0.hasChanges } ?? false }
            let isSettled = command.policy != Policy.error && isRelevant
            if isUncertain || isSettled {
                return try saveOver(observation, possible: possible, command.policy, context)
            }
        }
        if isUncertain { return try saveOver(observation, possible: [], command.policy, context) }
        switch forecast {
        case .nothing: try expect(nil, observation)
        case .denied(let count):
            let isOne = count.upperBound == 1 || count.contains(1) && observation.error == 1600
            try expect(isOne ? 1600 : 1560, observation)
        case .conflicts(let certain, let possible):
            if observation.error == nil, certain.isEmpty {
                oracle.findGone(possible.intersection(observation.saved?.deleted ?? []), context)
                return try succeed(observation, oracle.announcement(context), context)
            }
            try expect(NSManagedObjectMergeError, observation)
            let told = Set(observation.conflicts)
            guard told.isSuperset(of: certain), told.isSubset(of: certain.union(possible)) else {
                throw Failure("conflicts about \(told.sorted()), not \(certain.sorted())")
            }
        case .success: return try succeed(observation, announcement, context)
        }
        // Nor is what was read to find out that it fails.
        oracle = start
        try settle(withParent(observation, context)) { _ = $0.forecastSave(context, isDenied: isDenied) }
        try checkStore()
    }

    private func expect(_ code: Int?, _ observation: Observation) throws {
        if observation.error != code {
            throw Failure(
                "error \(observation.error.map { "\($0)" } ?? "none") about \(observation.conflicts), not \(code.map { "\($0)" } ?? "none") \(observation.contradictions)"
            )
        }
    }

    private func succeed(_ observation: Observation, _ announcement: Saved, _ context: Int) throws {
        try expect(nil, observation)
        try check(observation.saved, announcement)
        if oracle.contexts[context].parent != nil {
            // The parent was asked for what the child relied on: it has those rows from then on.
            return try settle(withParent(observation, context)) {
                _ = $0.forecastSave(context, isDenied: false)
                $0.saveToParent(context)
            }
        }
        let before = oracle.store
        oracle.saveToStore(context)
        let real = try readStore()
        oracle.adoptPlaces(real)
        if let flaw = oracle.adoptVersions(real, context, before: before) { throw Failure(flaw) }
        try oracle.recordHistory()
        if let difference = real.difference(from: oracle.store) { throw Failure("the store has \(difference)") }
        if let flaw = real.flaw { throw Failure("the store is unsound: \(flaw)") }
        try compare(observation, context)
        try publish(observation.saved, context)
    }

    private func check(_ saved: Saved?, _ announcement: Saved) throws {
        guard let saved else { throw Failure("a save told nobody") }
        guard saved.inserted == announcement.inserted, saved.deleted == announcement.deleted else {
            throw Failure("the save says \(saved), not \(announcement)")
        }
        if saved.updated != announcement.updated {
            throw Failure("the save says that it updated \(saved.updated), not \(announcement.updated)")
        }
    }

    /// A save with an outcome that a policy decided: values and presence are foretold, relationships only have to be
    /// sound.
    private func saveOver(_ observation: Observation, possible: Set<Int>, _ policy: UInt, _ context: Int) throws {
        let real = try readStore()
        if let error = observation.error {
            guard [NSManagedObjectMergeError, 1600, 1560].contains(error) else { try expect(nil, observation); return }
            if let difference = real.difference(from: oracle.store) {
                throw Failure("after a save that failed the store has \(difference)")
            }
        } else {
            try check(real, oracle.resolution(context, policy, possible: possible), context)
            if let flaw = real.flaw { throw Failure("after a save by policy \(Policy.names[Int(policy)]) \(flaw)") }
            if observation.hasChanges { throw Failure("a saved context has changes") }
            try checkValues(observation, real, context)
        }
        let all = Set(oracle.contexts[context].objects.keys).union(observation.objects.keys)
        try oracle.adopt(real, observation, savedBy: context)
        oracle.noteReading(context)
        try publish(observation.saved, context)
        // What the policy looked at, and in which order, is its own business: it must not show in the row cache.
        oracle.startAnew(context, forgetting: all)
        try compare(run(Command(verb: .forget, ids: all.sorted(), forgetsUndo: true), context), context)
    }

    private func check(_ real: StoreState, _ resolution: [Int: [String: String]?], _ context: Int) throws {
        for (id, expected) in resolution {
            if real.rows[id]?.attributes != expected {
                throw Failure(
                    "the policy made \(real.rows[id].map { "\($0.attributes)" } ?? "nothing") of \(id), not \(expected.map { "\($0)" } ?? "nothing")"
                )
            }
        }
        // Objects that the save was not about are as they were.
        for (id, row) in oracle.store.rows where oracle.contexts[context].objects[id] == nil {
            // It went with an owner that was deleted here, if others gave it to that one meanwhile.
            let owner = row.toOne["team"].flatMap { oracle.contexts[context].objects[$0] }
            if row.entity == "Match", real.rows[id] == nil, owner?.isDeleted ?? false { continue }
            if real.rows[id]?.attributes != row.attributes { throw Failure("the save changed \(id)") }
        }
    }

    /// What was saved shows in the context as it is saved.
    private func checkValues(_ observation: Observation, _ real: StoreState, _ context: Int) throws {
        for (id, mine) in oracle.contexts[context].objects where mine.isInserted || mine.hasChangedAttribute {
            guard let object = observation.objects[id], !object.isFault else { continue }
            if object.attributes != real.rows[id]?.attributes {
                throw Failure(
                    "after the save \(id) is \(object.attributes), stored is \(real.rows[id].map { "\($0.attributes)" } ?? "nothing")"
                )
            }
        }
    }

    /// Tells the others of a save.
    private func publish(_ saved: Saved?, _ context: Int) throws {
        guard let saved else { return }
        saves[context].append(saved)
        history.append((context, saved))
        guard context != Self.elsewhere else { return }
        for other in 0..<2 where other != context { try mergeAutomatically([saved], into: other) }
        // A child hears of what its parent saved, or took over.
        if context == 0 || oracle.contexts[0].mergesAutomatically { try mergeAutomatically([saved], into: 2) }
    }

    private func mergeAutomatically(_ all: [Saved], into context: Int) throws {
        guard oracle.contexts[context].mergesAutomatically else { return }
        if let parent = oracle.contexts[context].parent, oracle.contexts[parent].isUncertain {
            oracle.contexts[context].isUncertain = true
        }
        log.append("  (\(Oracle.contextNames[context]) merges)")
        let observation = try run(Command(verb: .look, forgetsUndo: true), context)
        try settle([(context, observation)]) { for saved in all { $0.merge(saved, context, isRemote: false) } }
    }

    private func look(_ context: Int) throws { try compare(run(Command(verb: .look), context), context) }

    // MARK: The store

    private func learn(_ name: Name) {
        let parts = name.uri.split(separator: "/")
        guard parts.count > 3, let key = Int64(parts[3].dropFirst()) else { return }
        if numbers[String(parts[2]), default: [:]].updateValue(name.id, forKey: key) != nil { return }
        names.enter(name)
        news.append(name)
    }

    private func readStore() throws -> StoreState { try reader.read { numbers[$0]?[$1] } }

    private func checkStore() throws {
        if let difference = try readStore().difference(from: oracle.store) {
            throw Failure("the store has \(difference)")
        }
    }

    private func compare(_ observation: Observation, _ context: Int) throws {
        try settle([(context, observation)]) { _ in }
    }

    /// Has the oracle do what the contexts did, with the rows that they had for it, and compares.
    private func settle<Result>(
        _ seen: [(context: Int, observation: Observation)], _ play: (inout Oracle) -> Result
    ) throws -> Result {
        var start = oracle
        for _ in 0..<8 {
            oracle = start
            let result = play(&oracle)
            var isOutdated = false
            for (context, observation) in seen {
                oracle.follow(observation, context)
                try naming(context) {
                    if try oracle.adoptRows(observation, context, before: &start) { isOutdated = true }
                }
            }
            if isOutdated { continue }
            for (context, observation) in seen { try naming(context) { try oracle.compare(observation, context) } }
            return result
        }
        return try settleLeniently(seen, from: start, play)
    }

    /// What rows the objects have depends on the order in which they were looked up, and leads in a circle.
    private func settleLeniently<Result>(
        _ seen: [(context: Int, observation: Observation)], from start: Oracle, _ play: (inout Oracle) -> Result
    ) throws -> Result {
        var start = start
        oracle = start
        let result = play(&oracle)
        tally.count("circles")
        for (context, observation) in seen {
            oracle.contexts[context].isUncertain = true
            oracle.follow(observation, context)
            try naming(context) { _ = try oracle.adoptRows(observation, context, before: &start) }
        }
        for (context, observation) in seen { try naming(context) { try oracle.compare(observation, context) } }
        return result
    }

    private func naming(_ context: Int, _ body: () throws -> Void) throws {
        do { try body() } catch { throw Failure("\(Oracle.contextNames[context]): \(error)") }
    }
}
