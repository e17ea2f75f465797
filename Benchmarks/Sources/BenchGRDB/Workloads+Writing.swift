import CBench
import GRDB

extension Workloads {
    func insert() throws -> Measurement {
        try writeNew { queue, result in
            let input = Player.make()
            result.n = Int64(input.count)
            try result.time { _ in
                try queue.write { db in
                    for player in input { try player.insert(db) }
                }
            }
        }
    }

    func insertSmallSaves() throws -> Measurement {
        try writeNew { queue, result in
            let input = Player.make(Int(BENCH_SMALL_SAVES))
            result.n = Int64(input.count)
            try result.time { _ in
                for player in input { try queue.write { try player.insert($0) } }
            }
        }
    }

    func update() throws -> Measurement {
        var result = try writeCopy { queue, players, result in
            try result.time { _ in
                try queue.write { db in
                    for var player in players {
                        player.opt += 1
                        player.salary += 1000
                        try player.update(db)
                    }
                }
            }
        }
        result.check = bench_check_updated(work)
        return result
    }

    func delete() throws -> Measurement {
        var result = try writeCopy { queue, players, result in
            try result.time { _ in
                try queue.write { db in
                    for player in players { try player.delete(db) }
                }
            }
        }
        result.check = bench_check_deleted(work)
        return result
    }

    func updateAll() throws -> Measurement {
        let raises = [Player.Columns.salary += 1000, Player.Columns.opt += 1]
        var result = try changeAll { db in _ = try Player.filter(Player.Columns.age > 0).updateAll(db, raises) }
        result.check = bench_check_updated(work)
        return result
    }

    func deleteAll() throws -> Measurement {
        var result = try changeAll { db in _ = try Player.filter(Player.Columns.age > 0).deleteAll(db) }
        result.check = bench_check_deleted(work)
        return result
    }

    /// In a copy of the base.
    private func changeAll(_ change: (Database) throws -> Void) throws -> Measurement {
        var result = Measurement()
        bench_copy_file(base, work)
        result.n = bench_player_count()
        let queue = try Self.queue(work)
        try result.time { _ in try queue.write(change) }
        try queue.close()
        return result
    }

    /// In a new file, its teams written.
    private func writeNew(_ body: (DatabaseQueue, inout Measurement) throws -> Void) throws -> Measurement {
        var result = Measurement()
        bench_remove_db(work)
        let queue = try Self.queue(work)
        try queue.write { db in
            try db.execute(sql: Self.schema)
            for index in 1...bench_team_count() { try Team(index).insert(db) }
        }
        _ = try queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try body(queue, &result)
        try queue.close()
        result.check = bench_check_inserted(work)
        return result
    }

    /// In a copy of the base, its players fetched.
    private func writeCopy(
        _ body: (DatabaseQueue, [Player], inout Measurement) throws -> Void
    ) throws -> Measurement {
        var result = Measurement()
        bench_copy_file(base, work)
        let queue = try Self.queue(work)
        let players = try queue.read { try Player.fetchAll($0) }
        result.n = Int64(players.count)
        try body(queue, players, &result)
        try queue.close()
        return result
    }

    private static let schema = """
        CREATE TABLE ZTEAM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR, ZUNIFORMCOLOR VARCHAR);
        CREATE TABLE ZPLAYER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAGE INTEGER, ZTEAM INTEGER,
            ZBIRTHDATE TIMESTAMP, ZSALARY FLOAT, ZEMAIL VARCHAR, ZFIRSTNAME VARCHAR, ZLASTNAME VARCHAR);
        CREATE INDEX ZPLAYER_ZTEAM_INDEX ON ZPLAYER (ZTEAM);
        """
}
