import CBench
import CoreData

extension Workloads {
    /// The salaries of each team's players.
    func traverse(pragmas: [String: String] = [:], prefetching: Bool = false) throws -> Measurement {
        var result = Measurement()
        try withContext(base, pragmas: pragmas) { context in
            let request = NSFetchRequest<Team>(entityName: "Team")
            if prefetching { request.relationshipKeyPathsForPrefetching = ["players"] }
            try result.time { result in
                let teams = try context.fetch(request)
                var salaries = 0.0
                for team in teams {
                    for case let player as Player in team.players! {
                        salaries += player.salary
                        result.n += 1
                    }
                }
                result.check = Int64(salaries)
                return teams
            }
        }
        return result
    }
}
