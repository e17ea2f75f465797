/// What objects of one kind have in samples.
final class SampleShape {
    final class Member {
        let key: String
        /// In how many objects it is there, and not null.
        fileprivate(set) var count = 0
        fileprivate(set) var scalars = ScalarGuess()
        /// The values, as long as no two are the same; nil from then on.
        fileprivate(set) var distinct: Set<SampleValue>? = []
        /// An object, or the objects of an array.
        fileprivate(set) var object: SampleShape?
        fileprivate(set) var isObject = false
        fileprivate(set) var isArray = false
        /// Whether an array has others than objects.
        fileprivate(set) var hasPlainItems = false

        init(_ key: String) { self.key = key }
    }

    private(set) var count = 0
    private(set) var members: [Member] = []
    private var places: [String: Int] = [:]

    func take(_ object: [SampleValue.Member]) {
        count += 1
        for member in object { self.member(member.key).take(member.value) }
    }

    private func member(_ key: String) -> Member {
        if let place = places[key] { return members[place] }
        places[key] = members.count
        members.append(Member(key))
        return members[members.count - 1]
    }

    /// A member that tells objects apart: by its name, and because no two samples have the same value.
    var identifier: Member? {
        members.first { ["id", "_id", "uuid", "guid", "key"].contains($0.key.lowercased()) && !$0.scalars.isEmpty }
    }

    var keys: Set<String> { Set(members.map(\.key)) }
}

extension SampleShape.Member {
    fileprivate func take(_ value: SampleValue) {
        switch value {
        case .null: return
        case .bool, .number, .text:
            scalars.take(value)
            if distinct?.insert(value).inserted == false { distinct = nil }
        case .object(let members):
            isObject = true
            shape.take(members)
        case .array(let items): take(items)
        }
        count += 1
    }

    private func take(_ items: [SampleValue]) {
        isArray = true
        for item in items {
            if case .object(let members) = item {
                shape.take(members)
            } else if item != .null {
                hasPlainItems = true
            }
        }
    }

    private var shape: SampleShape {
        let shape = object ?? SampleShape()
        object = shape
        return shape
    }
}
