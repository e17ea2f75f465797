/// An object that can be a member.
protocol HeldMember: AnyObject {
    /// The context that it is in, as an address to compare.
    var contextAddress: UnsafeMutableRawPointer? { get }
}

/// The members of a to-many relationship as objects: kept alive once the relationship was read, and at hand for the
/// next read.
///
/// They follow single changes where that costs little. Until they are asked for again, objects that are members no
/// longer may be among them, but no member that was among them is lacking.
struct HeldMembers<Member: HeldMember> {
    private var objects: GapList<Member>?
    /// The change after which the objects were the members, in their order where that counts.
    private var number = -1
    private var departures: UInt = 0
    private var typed: TypedMembers<Member>?
    private var typedNumber = -1
    /// The class of which all members are known to be objects.
    private var memberType: ObjectIdentifier?
    /// Whether the members are those that the changes tell of. Not so where they are to be asked for anew.
    var isCurrent = true

    var isHolding: Bool { objects != nil }

    /// - Returns: What was held before. Its release may run an app's `deinit`, so it has to come after the change.
    mutating func hold(
        _ objects: GapList<Member>, areAll: Bool, at number: Int, _ departures: UInt
    ) -> (GapList<Member>?, TypedMembers<Member>?) {
        let old = (self.objects, typed)
        self.objects = objects
        self.number = areAll ? number : -1
        self.departures = departures
        (typed, typedNumber, isCurrent) = (nil, -1, true)
        return old
    }

    /// The objects, if they are the members after the change of this number.
    ///
    /// - Parameters:
    ///   - departures: How many objects have left the context.
    ///   - context: The context in which all of them have to be.
    @inline(__always)
    mutating func members(
        at number: Int, _ departures: UInt, in context: UnsafeMutableRawPointer?
    ) -> [Member]? {
        guard isCurrent, self.number == number else { return nil }
        return departures == self.departures || areIn(context, departures) ? objects?.elements : nil
    }

    /// One of the members, if all are at hand.
    mutating func member(
        _ index: Int, at number: Int, _ departures: UInt, in context: UnsafeMutableRawPointer?
    ) -> Member? {
        guard isCurrent, self.number == number else { return nil }
        return departures == self.departures || areIn(context, departures) ? objects?[index] : nil
    }

    private mutating func areIn(_ context: UnsafeMutableRawPointer?, _ departures: UInt) -> Bool {
        guard objects != nil else { return false }
        var areIn = true
        objects?.elements.forEachUnretained { member in
            if member.contextAddress != context { areIn = false }
        }
        if areIn { self.departures = departures }
        return areIn
    }

    // MARK: Changes

    /// - Parameter number: The number of the change.
    mutating func follow(_ member: Member, isMember: Bool, at index: Int?, isOrdered: Bool, number: Int) {
        let wasExact = self.number == number - 1 && isCurrent
        followTyped(member, isMember: isMember, number: number)
        self.number = -1
        if isMember {
            if let index, wasExact {
                objects?.insert(member, at: index)
            } else {
                objects?.elements.append(member)
            }
            if wasExact { self.number = number }
        } else if wasExact, let count = objects?.count, isOrdered || count <= 64,
            let place = index ?? objects?.elements.place(of: member)
        {
            objects?.remove(at: place)
            self.number = number
        }
    }

    mutating func followMove(from index: Int, to target: Int, number: Int) {
        if typedNumber == number - 1 { typedNumber = number }
        guard self.number == number - 1, isCurrent else { return }
        if let member = objects?.remove(at: index) { objects?.insert(member, at: target) }
        self.number = number
    }

    /// Whether many are held that are no members any longer.
    func isCrowded(_ count: Int) -> Bool { (objects?.count ?? 0) > 2 * count + 64 }

    /// - Returns: What was held before. Its release may run an app's `deinit`, so it has to come after the change.
    mutating func drop(unless isMember: (Member) -> Bool) -> GapList<Member>? {
        let old = objects
        var seen: Set<ObjectIdentifier> = []
        objects?.elements.removeAll { !isMember($0) || !seen.insert(ObjectIdentifier($0)).inserted }
        number = -1
        return old
    }

    // MARK: Sets of a class's objects

    /// The members as objects of a class, if that set was kept and is right.
    mutating func typed(
        _ type: ObjectIdentifier, at number: Int, _ departures: UInt, in context: UnsafeMutableRawPointer?
    ) -> TypedMembers<Member>? {
        guard isCurrent, typedNumber == number, let typed, typed.type == type else { return nil }
        if departures != self.departures, self.number != number || !areIn(context, departures) { return nil }
        return typed
    }

    mutating func keep(_ set: TypedMembers<Member>, at number: Int) { (typed, typedNumber) = (set, number) }

    private mutating func followTyped(_ member: Member, isMember: Bool, number: Int) {
        guard let typed else { return }
        guard typedNumber == number - 1, isCurrent else {
            self.typed = nil
            return
        }
        typed.change(member, isMember: isMember)
        typedNumber = number
    }

    mutating func areMembers(_ type: ObjectIdentifier, _ find: () -> Bool) -> Bool {
        if memberType == type { return true }
        guard find() else { return false }
        memberType = type
        return true
    }
}

/// The members as a Swift set, whatever the class of its elements.
class TypedMembers<Member> {
    let type: ObjectIdentifier

    init(_ type: ObjectIdentifier) { self.type = type }

    func change(_ member: Member, isMember: Bool) {}
}

extension Array where Element: AnyObject {
    /// Where an object is.
    fileprivate func place(of object: Element) -> Int? {
        withUnsafeBytes { bytes in
            let pointer = Unmanaged.passUnretained(object).toOpaque()
            return bytes.bindMemory(to: UnsafeMutableRawPointer.self).firstIndex(of: pointer)
        }
    }
}
