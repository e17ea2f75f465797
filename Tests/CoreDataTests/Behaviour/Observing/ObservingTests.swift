import CoreData
import Testing

@Suite("Observing managed objects by key and by key path")
struct ObservingTests {
    let stack: Stack
    let context: NSManagedObjectContext

    init() throws {
        stack = try Stack(ObservedModel.make())
        context = stack.context()
    }

    private func team(_ name: String) -> ObservedTeam {
        let team = ObservedTeam(context: context)
        team.name = name
        return team
    }

    private func player(_ name: String, _ team: ObservedTeam? = nil) -> ObservedPlayer {
        let player = ObservedPlayer(context: context)
        player.name = name
        player.team = team
        return player
    }

    @Test("a change tells the old and the new value; an ended observation tells nothing")
    func values() {
        context.performAndWait {
            let player = player("Larry")
            let log = Log()
            let observation = player.observe(\.name, options: [.old, .new]) { _, change in
                let (old, new) = ((change.oldValue ?? nil) ?? "nil", (change.newValue ?? nil) ?? "nil")
                log.note("\(change.kind) \(old) -> \(new)")
            }
            player.name = "Bill"
            player.setValue(nil, forKey: "name")
            observation.invalidate()
            player.name = "Dwyane"
            #expect(log.lines == ["setting Larry -> Bill", "setting Bill -> nil"])
        }
    }

    @Test("an observation ends when its token goes away")
    func tokenGone() {
        context.performAndWait {
            let player = player("Larry")
            let log = Log()
            do {
                let observation = player.observe(\.name) { _, _ in log.note("told") }
                player.name = "Bill"
                withExtendedLifetime(observation) {}
            }
            player.name = "Dwyane"
            #expect(log.lines == ["told"])
        }
    }

    @Test("initial and prior are told at once and before the change")
    func initialAndPrior() {
        context.performAndWait {
            let player = player("Larry")
            let log = Log()
            let observation = player.observe(\.name, options: [.initial, .prior, .new]) { player, change in
                log.note(
                    "\(change.isPrior ? "before" : "after") \(player.name ?? "nil") \((change.newValue ?? nil) ?? "-")")
            }
            player.name = "Bill"
            #expect(log.lines == ["after Larry Larry", "before Larry -", "after Bill Bill"])
            withExtendedLifetime(observation) {}
        }
    }

    @Test("a path across a to-one follows the object that it leads to")
    func paths() {
        context.performAndWait {
            let (celtics, bulls) = (team("Celtics"), team("Bulls"))
            let player = player("Larry", celtics)
            let log = Log()
            let observation = player.observe(\.team?.name, options: [.new]) { _, change in
                log.note((change.newValue ?? nil) ?? "nil")
            }
            celtics.name = "Boston"
            player.team = bulls
            celtics.name = "nobody looks"
            bulls.name = "Chicago"
            player.team = nil
            #expect(log.lines == ["Boston", "Bulls", "Chicago", "nil"])
            withExtendedLifetime(observation) {}
        }
    }

    @Test("members that come and go are told from both sides of a relationship")
    func members() {
        context.performAndWait {
            let celtics = team("Celtics")
            let larry = player("Larry")
            let log = Log()
            let observation = celtics.observe(\.players, options: [.old, .new]) { _, change in
                let came = ((change.newValue ?? nil)?.allObjects as? [ObservedPlayer])?.compactMap(\.name) ?? []
                let went = ((change.oldValue ?? nil)?.allObjects as? [ObservedPlayer])?.compactMap(\.name) ?? []
                log.note("\(change.kind) +\(came.joined()) -\(went.joined())")
            }
            larry.team = celtics
            celtics.mutableSetValue(forKey: "players").add(player("Bill"))
            larry.team = nil
            #expect(log.lines == ["insertion +Larry -", "insertion +Bill -", "removal + -Larry"])
            withExtendedLifetime(observation) {}
        }
    }

    @Test("what a property is computed from is observed with it, across a relationship too")
    func dependencies() {
        context.performAndWait {
            let celtics = team("Celtics")
            let player = player("Larry", celtics)
            let log = Log()
            let observer = Observer(log)
            player.addObserver(observer, forKeyPath: "title", options: [.new], context: nil)
            player.name = "Bill"
            celtics.name = "Boston"
            player.removeObserver(observer, forKeyPath: "title")
            player.name = "Dwyane"
            #expect(log.lines == ["title 1 Bill of Celtics", "title 1 Bill of Boston"])
        }
    }

    @Test("observers by reference are told apart by their context, and held weakly")
    func namedObservers() {
        context.performAndWait {
            let player = player("Larry")
            let log = Log()
            var observer: Observer? = Observer(log)
            var (first, second) = (1, 2)
            withUnsafeMutablePointer(to: &first) { first in
                withUnsafeMutablePointer(to: &second) { second in
                    player.addObserver(observer!, forKeyPath: "name", context: first)
                    player.addObserver(observer!, forKeyPath: "name", context: second)
                    player.removeObserver(observer!, forKeyPath: "name", context: first)
                }
            }
            player.name = "Bill"
            observer = nil
            player.name = "Dwyane"
            #expect(log.lines == ["name 1 -"])
        }
    }

    @Test("an accessor that announces its changes itself is told once, and refreshing and rolling back are told")
    func announced() throws {
        try context.performAndWait {
            let player = player("Larry")
            try context.save()
            let log = Log()
            let observation = player.observe(\.number, options: [.new]) { _, change in
                log.note("\(change.newValue ?? -1)")
            }
            player.number = 33
            context.rollback()
            player.number = 34
            context.refresh(player, mergeChanges: false)
            #expect(log.lines == ["33", "0", "34", "0"])
            withExtendedLifetime(observation) {}
        }
    }

    @Test("an object that was found gone and is inserted again tells of it")
    func insertedAgain() throws {
        try context.performAndWait {
            let player = player("Larry")
            player.number = 33
            try context.save()
            try stack.work { other throws in
                other.delete(other.object(with: player.objectID))
                try other.save()
            }
            context.refresh(player, mergeChanges: false)
            #expect(player.name == nil && player.isDeleted)
            let log = Log()
            let observation = player.observe(\.number, options: [.new]) { _, change in
                log.note("\(change.newValue ?? -1)")
            }
            context.insert(player)
            #expect(player.isInserted && log.lines == ["0"])
            withExtendedLifetime(observation) {}
        }
    }

    @Test("custom accessors of a to-many, as the guides show them, reach the relationship and its inverse")
    func memberAccessors() throws {
        try context.performAndWait {
            let celtics = team("Celtics")
            let (larry, bill) = (player("Larry"), player("Bill"))
            celtics.announce(.union, [larry, bill])
            #expect(larry.team === celtics && bill.team === celtics)
            celtics.announce(.minus, [larry])
            #expect(larry.team == nil && celtics.players == NSSet(object: bill))
            celtics.announce(.set, [larry])
            #expect(larry.team === celtics && bill.team == nil)
            celtics.announce(.intersect, [bill])
            #expect(celtics.players?.count == 0)
            try context.save()
            #expect(!context.hasChanges)
        }
    }

    @Test("custom accessors of an ordered to-many reach the relationship and its inverse")
    func orderedAccessors() throws {
        try context.performAndWait {
            let celtics = team("Celtics")
            let (larry, bill) = (player("Larry"), player("Bill"))
            celtics.insertIntoBench(larry, at: 0)
            celtics.insertIntoBench(bill, at: 0)
            #expect(larry.value(forKey: "benchOf") as? ObservedTeam === celtics)
            try context.save()
            try stack.reopened { context in
                let url = celtics.objectID.uriRepresentation()
                let same = try #require(context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: url))
                let bench = context.object(with: same).value(forKey: "bench") as? NSOrderedSet
                #expect((bench?.array as? [NSManagedObject])?.compactMap { $0.string("name") } == ["Bill", "Larry"])
            }
        }
    }

    @Test("announcing an unknown key changes nothing, unless the class wants it to")
    func unmodeledKeys() throws {
        try context.performAndWait {
            let (player, team) = (player("Larry"), team("Celtics"))
            try context.save()
            player.willChangeValue(forKey: "mood")
            player.didChangeValue(forKey: "mood")
            #expect(!player.hasChanges)
            team.willChangeValue(forKey: "mood")
            team.didChangeValue(forKey: "mood")
            #expect(team.hasChanges)
        }
    }

    @Test("awake(fromSnapshotEvents:) is called when values are refreshed and rolled back")
    func snapshotEvents() throws {
        try context.performAndWait {
            let player = player("Larry")
            try context.save()
            player.name = "Bill"
            context.refresh(player, mergeChanges: true)
            context.rollback()
            #expect(player.events == [.refresh, .rollback])
        }
    }
}

/// What observers saw.
private final class Log: @unchecked Sendable {
    // Unchecked: used on one context's queue.
    private(set) var lines: [String] = []
    func note(_ line: String) { lines.append(line) }
}

private final class Observer: KeyValueObserver {
    private let log: Log

    init(_ log: Log) { self.log = log }

    func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?
    ) {
        let kind = change?[.kindKey] as? Int
        log.note("\(keyPath ?? "") \(kind ?? 0) \(change?[.newKey] as? String ?? "-")")
    }
}

enum ObservedModel {
    static func make() -> NSManagedObjectModel {
        let (players, team) = (toMany("players"), toOne("team"))
        let (bench, benchOf) = (toMany("bench", ordered: true), toOne("benchOf"))
        let teamEntity = entity(
            "Team", className: "CoreDataTests.ObservedTeam", [attribute("name", .stringAttributeType), players, bench])
        let player = entity(
            "Player", className: "CoreDataTests.ObservedPlayer",
            [
                attribute("name", .stringAttributeType), attribute("number", .integer16AttributeType, default: 0), team,
                benchOf,
            ])
        connect(teamEntity, players, player, team)
        connect(teamEntity, bench, player, benchOf)
        return model(teamEntity, player)
    }
}

final class ObservedTeam: NSManagedObject {
    var name: String? {
        get { value(forKey: "name") as? String }
        set { setValue(newValue, forKey: "name") }
    }

    var players: NSSet? {
        get { value(forKey: "players") as? NSSet }
        set { setValue(newValue, forKey: "players") }
    }

    override class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { false }

    func announce(_ kind: NSKeyValueSetMutationKind, _ players: Set<ObservedPlayer>) {
        willChangeValue(forKey: "players", withSetMutation: kind, using: players)
        let primitive = primitiveValue(forKey: "players") as? NSMutableSet
        switch kind {
        case .union: primitive?.union(players)
        case .minus: primitive?.minus(players)
        case .intersect: primitive?.intersect(players)
        case .set: primitive?.setSet(players)
        }
        didChangeValue(forKey: "players", withSetMutation: kind, using: players)
    }

    func insertIntoBench(_ player: ObservedPlayer, at index: Int) {
        willChange(.insertion, valuesAt: [index], forKey: "bench")
        (primitiveValue(forKey: "bench") as? NSMutableOrderedSet)?.insert(player, at: index)
        didChange(.insertion, valuesAt: [index], forKey: "bench")
    }
}

final class ObservedPlayer: NSManagedObject {
    var events: [NSSnapshotEventType] = []

    var name: String? {
        get { value(forKey: "name") as? String }
        set { setValue(newValue, forKey: "name") }
    }

    /// Announces its changes itself.
    var number: Int16 {
        get { value(forKey: "number") as? Int16 ?? 0 }
        set {
            willChangeValue(forKey: "number")
            setPrimitiveValue(newValue, forKey: "number")
            didChangeValue(forKey: "number")
        }
    }

    var team: ObservedTeam? {
        get { value(forKey: "team") as? ObservedTeam }
        set { setValue(newValue, forKey: "team") }
    }

    var title: String { "\(name ?? "") of \(team?.name ?? "")" }

    override func value(forUndefinedKey key: String) -> Any? {
        key == "title" ? title : super.value(forUndefinedKey: key)
    }

    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
        key == "title" ? ["name", "team.name"] : super.keyPathsForValuesAffectingValue(forKey: key)
    }

    override func awake(fromSnapshotEvents flags: NSSnapshotEventType) { events.append(flags) }
}
