import FoundationGaps

/// An object with key-value coding written by hand, as generated classes have it.
final class SampleTeam: NSObject, KeyValueCoding {
    var name: String
    var players: [SamplePlayer]
    var mascot: String?

    init(_ name: String, _ players: [SamplePlayer] = []) {
        self.name = name
        self.players = players
    }

    func value(forKey key: String) -> Any? {
        switch key {
        case "name": name
        case "players": NSOrderedSet(array: players)
        case "fans": Set(players)
        case "roster": players
        case "mascot": mascot
        default: value(forUndefinedKey: key)
        }
    }

    func setValue(_ value: Any?, forKey key: String) {
        switch (key, value) {
        case ("name", let name as String): self.name = name
        case ("name", nil): setNilValueForKey(key)
        case ("mascot", _): mascot = value as? String
        case ("fans", let fans as NSSet): players = fans.allObjects.compactMap { $0 as? SamplePlayer }
        case ("roster", let roster as NSArray): players = roster.compactMap { $0 as? SamplePlayer }
        default: setValue(value, forUndefinedKey: key)
        }
    }

    func setNilValueForKey(_ key: String) { name = "unnamed" }
}

/// An object with values that reflection finds.
class SamplePerson: NSObject {
    let born: Int16

    init(born: Int16) { self.born = born }
}

final class SamplePlayer: SamplePerson, KeyValueCoding {
    var name: String?
    var salary: Decimal?
    var rating: Double
    var isActive = true
    weak var team: SampleTeam?

    init(_ name: String?, born: Int16 = 1990, salary: Decimal? = nil, rating: Double = 0) {
        self.name = name
        self.salary = salary
        self.rating = rating
        super.init(born: born)
    }

    func setValue(_ value: Any?, forKey key: String) {
        switch key {
        case "name": name = value as? String
        default: setValue(value, forUndefinedKey: key)
        }
    }
}

struct SampleCity {
    struct Point { var latitude = 42.36 }

    var name: String
    var population: Int?
    var mayor: String?
    var location = Point()
    var twin: Point?
}

func sampleTeam() -> SampleTeam {
    SampleTeam(
        "Celtics",
        [
            SamplePlayer("Bird", born: 1956, salary: 7.07, rating: 24.3),
            SamplePlayer("Russell", born: 1934, salary: 0.1, rating: 15.1),
            SamplePlayer(nil, born: 1956, salary: nil, rating: 0),
        ])
}
