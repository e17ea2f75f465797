import CBench
import Foundation
import GRDB

/// The record that one writes with GRDB for speed: a structure, values by column index, no `Codable`.
struct Player: FetchableRecord, PersistableRecord {
    var id: Int64
    var opt: Int
    var age: Int
    var team: Int64
    var birthDate: Date
    var salary: Double
    var email: String
    var firstName: String
    var lastName: String

    enum Columns {
        static let id = Column("Z_PK")
        static let opt = Column("Z_OPT")
        static let age = Column("ZAGE")
        static let team = Column("ZTEAM")
        static let birthDate = Column("ZBIRTHDATE")
        static let salary = Column("ZSALARY")
        static let email = Column("ZEMAIL")
        static let firstName = Column("ZFIRSTNAME")
        static let lastName = Column("ZLASTNAME")
    }

    static let databaseTableName = "ZPLAYER"
    static var databaseSelection: [any SQLSelectable] {
        [
            Columns.id, Columns.opt, Columns.age, Columns.team, Columns.birthDate, Columns.salary, Columns.email,
            Columns.firstName, Columns.lastName,
        ]
    }

    init(row: Row) {
        id = row[0]
        opt = row[1]
        age = row[2]
        team = row[3]
        birthDate = Date(timeIntervalSinceReferenceDate: row[4])
        salary = row[5]
        email = row[6]
        firstName = row[7]
        lastName = row[8]
    }

    func encode(to container: inout PersistenceContainer) {
        container["Z_PK"] = id
        container["Z_ENT"] = 1
        container["Z_OPT"] = opt
        container["ZAGE"] = age
        container["ZTEAM"] = team
        container["ZBIRTHDATE"] = birthDate.timeIntervalSinceReferenceDate
        container["ZSALARY"] = salary
        container["ZEMAIL"] = email
        container["ZFIRSTNAME"] = firstName
        container["ZLASTNAME"] = lastName
    }

    /// - Parameter index: 1…
    init(_ index: Int) {
        var raw = bench_player()
        bench_make_player(Int64(index), &raw)
        id = raw.pk
        opt = Int(raw.opt)
        age = Int(raw.age)
        team = raw.team
        birthDate = Date(timeIntervalSinceReferenceDate: raw.birthdate)
        salary = raw.salary
        email = text(raw.email)
        firstName = text(raw.first)
        lastName = text(raw.last)
    }

    /// All that the data has, or as many as are asked for.
    static func make(_ count: Int = Int(bench_player_count())) -> [Player] { (1...count).map(Player.init) }

    /// Every attribute read.
    var sum: Int64 {
        Int64(age) + Int64(birthDate.timeIntervalSinceReferenceDate) + Int64(salary)
            + Int64(email.utf8.count + firstName.utf8.count + lastName.utf8.count)
    }
}

struct Team: FetchableRecord, PersistableRecord {
    var id: Int64
    var name: String
    var uniformColor: String

    static let databaseTableName = "ZTEAM"
    static var databaseSelection: [any SQLSelectable] { ["Z_PK", "ZNAME", "ZUNIFORMCOLOR"].map { Column($0) } }
    static let players = hasMany(Player.self, using: ForeignKey(["ZTEAM"], to: ["Z_PK"])).forKey("players")

    init(row: Row) {
        id = row[0]
        name = row[1]
        uniformColor = row[2]
    }

    func encode(to container: inout PersistenceContainer) {
        container["Z_PK"] = id
        container["Z_ENT"] = 2
        container["Z_OPT"] = 1
        container["ZNAME"] = name
        container["ZUNIFORMCOLOR"] = uniformColor
    }

    /// - Parameter index: 1…
    init(_ index: Int64) {
        var raw = bench_team()
        bench_make_team(index, &raw)
        id = raw.pk
        name = text(raw.name)
        uniformColor = text(raw.color)
    }
}

struct TeamWithPlayers: FetchableRecord {
    var team: Team
    var players: [Player]

    init(row: Row) {
        team = Team(row: row)
        players = row["players"]
    }
}

/// The string in a C array.
func text<T>(_ tuple: T) -> String {
    withUnsafeBytes(of: tuple) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
