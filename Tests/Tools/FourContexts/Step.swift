import RandomSeeds

/// One step of a script: what kind of thing to do where. Which object it meets is said by its salt, and by what is
/// there when its turn comes: so any part of a script is a script.
struct Step: Codable {
    enum Kind: String, Codable, CaseIterable {
        case insert, set, relate, delete, undo, redo, save, fetch, read, takeOver, takeOverRemotely
        case refresh, refreshAll, reset, rollBack, rely

        var weight: Int {
            switch self {
            case .relate: 26
            case .set, .fetch: 16
            case .save: 14
            case .read: 8
            case .insert: 6
            case .undo: 5
            case .takeOver: 4
            case .takeOverRemotely, .delete, .redo, .refresh, .rely: 3
            case .refreshAll, .rollBack, .reset: 1
            }
        }
    }

    /// Unique in the script; an object that the step inserts has it for its number.
    let number: Int
    let kind: Kind
    let context: Int
    let salt: UInt64
}

/// A script, and the settings of the contexts that it is for.
struct Script: Codable {
    let seed: UInt64
    var steps: [Step]
    /// Whether the oracle is to have a rule wrong.
    let isFalse: Bool

    init(seed: UInt64, length: Int, isFalse: Bool = false) {
        self.seed = seed
        self.isFalse = isFalse
        var random = SeededGenerator(seed: seed)
        let total = Step.Kind.allCases.reduce(0) { $0 + $1.weight }
        steps = (1...length).map { number in
            if number <= Self.opening.count {
                let (kind, context) = Self.opening[number - 1]
                return Step(number: number, kind: kind, context: context, salt: random.next())
            }
            var rest = Int.random(in: 0..<total, using: &random)
            let kind = Step.Kind.allCases.first { kind in
                rest -= kind.weight
                return rest < 0
            }
            return Step(
                number: number, kind: kind ?? .read, context: Int.random(in: 0..<4, using: &random),
                salt: random.next())
        }
    }

    /// How every script begins: with something that all contexts have to do with.
    private static let opening: [(Step.Kind, Int)] =
        Array(repeating: (.insert, 0), count: 8) + [(.relate, 0), (.relate, 0), (.relate, 0), (.save, 0)]
        + [1, 2, 3].flatMap { [(.fetch, $0), (.fetch, $0), (.fetch, $0)] }

    /// Whether a context takes over by itself what others save.
    func mergesAutomatically(_ context: Int) -> Bool {
        context < 3 && SeededGenerator.mixed(seed &+ UInt64(context) &+ 77) % 3 == 0
    }
}

/// Chooses among what there is, so that the choice stays the same when others go.
struct Chooser {
    private var random: SeededGenerator
    private let salt: UInt64

    init(_ salt: UInt64) {
        self.salt = salt
        random = SeededGenerator(seed: salt)
    }

    mutating func chance(_ percent: Int) -> Bool { random.chance(percent) }

    mutating func number(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

    func one(of ids: some Sequence<Int>, _ purpose: UInt64 = 0) -> Int? { ordered(ids, purpose).first }

    func ordered(_ ids: some Sequence<Int>, _ purpose: UInt64 = 0) -> [Int] {
        let salt = salt &+ purpose
        return ids.map { ($0, SeededGenerator.mixed(salt ^ UInt64(bitPattern: Int64($0 &* 7919)))) }
            .sorted { $0.1 < $1.1 }.map(\.0)
    }
}
