import CBench
import CoreData

/// The data of one player, ready to be set.
struct PlayerData {
    let age: Int16
    let team: Int
    let birthDate: Date
    let salary: Double
    let email: String
    let firstName: String
    let lastName: String

    /// - Parameter index: 1…
    init(_ index: Int) {
        var raw = bench_player()
        bench_make_player(Int64(index), &raw)
        age = Int16(raw.age)
        team = Int(raw.team)
        birthDate = Date(timeIntervalSinceReferenceDate: raw.birthdate)
        salary = raw.salary
        email = text(raw.email)
        firstName = text(raw.first)
        lastName = text(raw.last)
    }

    /// All that the data has, or as many as are asked for.
    static func make(_ count: Int = Int(bench_player_count())) -> [PlayerData] { (1...count).map(PlayerData.init) }
}

extension Team {
    /// All teams, inserted.
    static func make(_ context: NSManagedObjectContext) -> [Team] {
        (1...bench_team_count()).map { index in
            var raw = bench_team()
            bench_make_team(index, &raw)
            let team = Team(context: context)
            team.name = text(raw.name)
            team.uniformColor = text(raw.color)
            return team
        }
    }
}

extension Player {
    @inline(__always)
    static func insert(_ data: PlayerData, _ teams: [Team], _ context: NSManagedObjectContext) {
        let player = Player(context: context)
        player.age = data.age
        player.birthDate = data.birthDate
        player.salary = data.salary
        player.email = data.email
        player.firstName = data.firstName
        player.lastName = data.lastName
        player.team = teams[data.team - 1]
    }

    /// Every attribute read.
    @inline(__always)
    var sum: Int64 {
        Int64(age) + Int64(birthDate!.timeIntervalSinceReferenceDate) + Int64(salary)
            + Int64(email!.utf8.count + firstName!.utf8.count + lastName!.utf8.count)
    }

    static var all: NSFetchRequest<Player> { NSFetchRequest(entityName: "Player") }
}

/// The string in a C array.
func text<T>(_ tuple: T) -> String {
    withUnsafeBytes(of: tuple) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
