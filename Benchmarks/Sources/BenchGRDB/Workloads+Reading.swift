import CBench
import GRDB

extension Workloads {
    func fetch(_ request: QueryInterfaceRequest<Player>, _ value: (Player) -> Int64) throws -> Measurement {
        try read { queue, result in
            try result.time { result in
                let players = try queue.read { try request.fetchAll($0) }
                for player in players { result.check += value(player) }
                result.n = Int64(players.count)
                return players
            }
        }
    }

    func fetchSorted() throws -> Measurement {
        let request = Player.filter((20...30).contains(Player.Columns.age))
            .order(Player.Columns.lastName, Player.Columns.firstName)
        return try fetch(request) { $0.sum }
    }

    func fetchByID() throws -> Measurement {
        try read { queue, result in
            try result.time { result in
                result.n = Int64(BENCH_LOOKUPS)
                try queue.read { db in
                    for index in 0..<result.n {
                        result.check += Int64(try Player.fetchOne(db, key: bench_lookup_key(index))!.age)
                    }
                }
            }
        }
    }

    func traverse() throws -> Measurement {
        try read { queue, result in
            try result.time { result in
                var salaries = 0.0
                try queue.read { db in
                    for team in try Team.fetchAll(db) {
                        let players = try Player.filter(Player.Columns.team == team.id).fetchAll(db)
                        for player in players { salaries += player.salary }
                        result.n += Int64(players.count)
                    }
                }
                result.check = Int64(salaries)
            }
        }
    }

    func prefetch() throws -> Measurement {
        try read { queue, result in
            try result.time { result in
                let teams = try queue.read { db in
                    try Team.including(all: Team.players).asRequest(of: TeamWithPlayers.self).fetchAll(db)
                }
                var salaries = 0.0
                for team in teams {
                    for player in team.players { salaries += player.salary }
                    result.n += Int64(team.players.count)
                }
                result.check = Int64(salaries)
                return teams
            }
        }
    }

    func aggregate() throws -> Measurement {
        try read { queue, result in
            try result.time { result in
                try queue.read { db in
                    let request =
                        Player
                        .select(Player.Columns.team, count(Player.Columns.id), average(Player.Columns.salary))
                        .group(Player.Columns.team)
                    let rows = try Row.fetchCursor(db, request)
                    while let row = try rows.next() {
                        result.n += (row[0] as Int64?) == nil ? 0 : 1
                        result.check += (row[1] as Int64) + Int64(row[2] as Double)
                    }
                }
            }
        }
    }

    /// The keys in order, then the records page by page.
    func page() throws -> Measurement {
        try read { queue, result in
            try result.time { result in
                result.n = Int64(BENCH_PAGES)
                let size = Int(BENCH_PAGE)
                try queue.read { db in
                    let keys = try Player.select(Player.Columns.id, as: Int64.self)
                        .order(Player.Columns.lastName, Player.Columns.id).fetchAll(db)
                    for page in 0..<Int(BENCH_PAGES) {
                        let wanted = keys[page * size..<(page + 1) * size]
                        let players = try Player.fetchAll(db, keys: wanted)
                        let places = Dictionary(uniqueKeysWithValues: players.enumerated().map { ($1.id, $0) })
                        for (place, key) in wanted.enumerated() {
                            result.check += players[places[key]!].sum * Int64(place + 1)
                        }
                    }
                }
            }
        }
    }

    func open() throws -> Measurement {
        var result = Measurement()
        result.n = 1
        try result.time { result in
            let queue = try Self.queue(base)
            let name = try queue.read { try String.fetchOne($0, Table("ZCLUB").select(Column("ZNAME")).limit(1))! }
            result.check = Int64(name.utf8.count)
            return queue
        }
        return result
    }

    private func read(_ body: (DatabaseQueue, inout Measurement) throws -> Void) throws -> Measurement {
        var result = Measurement()
        let queue = try Self.queue(base)
        try body(queue, &result)
        try queue.close()
        return result
    }
}
