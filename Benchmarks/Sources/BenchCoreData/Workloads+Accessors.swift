import CBench
import CoreData

/// What it costs to read one property of an object with its row at hand, by the accessor of a generated class.
extension Workloads {
    func read(_ value: @escaping (Player) -> Int) throws -> Measurement {
        var result = Measurement()
        try withContext("/dev/null") { context in
            for _ in 0..<Self.objects {
                let player = Player(context: context)
                player.age = 30
                player.lastName = "Lindqvist"  // 9 bytes: they fit into a string
                player.email = "anders.lindqvist@the-porto-anchors.sport"  // 40 bytes: they need an allocation
            }
            try context.save()
            context.reset()
            let players = try context.fetch(NSFetchRequest<Player>(entityName: "Player"))
            for player in players { _ = player.age }
            result.time { measurement in
                measurement.n = Int64(Self.objects * Self.rounds * Self.reads)
                var sum = 0
                for _ in 0..<Self.rounds {
                    for player in players {
                        // Walking the array, which retains each object, is not what is measured.
                        for _ in 0..<Self.reads { sum &+= value(player) }
                    }
                }
                measurement.check = Int64(sum)
            }
        }
        return result
    }

    private static var objects: Int { 1000 }
    private static var rounds: Int { 200 }
    private static var reads: Int { 10 }
}
