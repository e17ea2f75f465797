import FoundationGaps

/// An object that Swift predicates are about. Final, so that its key paths have names.
final class Citizen: NSObject, KeyValueCoding {
    var name: String
    var nickname: String?
    var age: Int
    var height: Double
    var isMember: Bool
    var isRetired: Bool?
    var tags: [String]
    var scores: [Int]
    var friends: Set<Citizen>
    var boss: Citizen?
    var born = Date(timeIntervalSinceReferenceDate: 0)
    var notes: [String: Int]

    init(
        _ name: String, nickname: String? = nil, age: Int = 30, height: Double = 1.8, isMember: Bool = false,
        isRetired: Bool? = nil, tags: [String] = [], scores: [Int] = [], friends: Set<Citizen> = [],
        boss: Citizen? = nil, notes: [String: Int] = [:]
    ) {
        self.name = name
        self.nickname = nickname
        self.age = age
        self.height = height
        self.isMember = isMember
        self.isRetired = isRetired
        self.tags = tags
        self.scores = scores
        self.friends = friends
        self.boss = boss
        self.notes = notes
    }

    var computed: Int { age * 2 }

    func setValue(_ value: Any?, forKey key: String) { setValue(value, forUndefinedKey: key) }
}

/// A few citizens. The predicates of the tests choose among them.
func sampleCitizens() -> [Citizen] {
    let ann = Citizen(
        "Ann", nickname: "Annie", age: 41, height: 1.7, isMember: true, isRetired: false, tags: ["a", "x"],
        scores: [3, 9], notes: ["k": 1])
    let bob = Citizen("Bob", age: 17, isRetired: true, tags: ["b"], scores: [5], friends: [ann], boss: ann)
    let cleo = Citizen("Cléo", nickname: "", age: 64, height: 1.6, isMember: true, friends: [ann, bob], boss: bob)
    return [ann, bob, cleo, Citizen("")]
}
