/// The values of 64 successive keys. Up to four lie side by side in their keys' order; more are each at the place of
/// its key.
///
/// Rows and objects far apart, one of a page, would each take 512 bytes otherwise, cleared when they come and looked
/// through when they go.
struct KeyPage<Value> {
    /// The keys' common part, and below it how much room there is, as a power of two.
    private var head: Int64
    /// Which keys have a value; none where there is no page.
    private var present: UInt64
    private var values: UnsafeMutablePointer<Value>

    /// How much room a page has, as a power of two: for a few values, or for all.
    private static var few: Int64 { 2 }
    private static var whole: Int64 { 6 }

    /// The place of a page that is not there. Its values are never looked at.
    static var none: KeyPage {
        let nowhere = UnsafeMutablePointer<Value>(bitPattern: MemoryLayout<Value>.alignment).unsafelyUnwrapped
        return KeyPage(head: 0, present: 0, values: nowhere)
    }

    private init(head: Int64, present: UInt64, values: UnsafeMutablePointer<Value>) {
        (self.head, self.present, self.values) = (head, present, values)
    }

    /// A page for a key's value, which has to be set next.
    ///
    /// - Parameters:
    ///   - isDense: Whether there will be many more.
    ///   - spare: Room for a few, which is taken if that is enough.
    init(for key: Int64, isDense: Bool, spare: inout UnsafeMutablePointer<Value>?) {
        let size = isDense ? Self.whole : Self.few
        let room = isDense ? nil : spare.take()
        self.init(head: key & ~63 | size, present: 0, values: room ?? .allocate(capacity: 1 << size))
    }

    /// What the keys have in common.
    var number: Int64 { head >> 6 }

    @inline(__always)
    var isEmpty: Bool { present == 0 }

    var count: Int { present.nonzeroBitCount }

    /// Whether there is room for all keys' values.
    @inline(__always)
    var isWhole: Bool { head & 63 == Self.whole }

    /// Whether there is a page, and it is a key's.
    @inline(__always)
    func isPage(of key: Int64) -> Bool { UInt64(bitPattern: head ^ key) < 64 && present != 0 }

    subscript(key: Int64) -> Value? {
        @inline(__always) get {
            let bit = Self.bit(key)
            return present & bit == 0 ? nil : values[place(bit, key)]
        }
    }

    /// - Returns: Whether the key had no value before.
    @inline(__always)
    mutating func set(_ key: Int64, _ value: Value) -> Bool {
        let bit = Self.bit(key)
        if present & bit != 0 {
            values[place(bit, key)] = value
            return false
        }
        if !isWhole, present != 0 { makeRoom(for: bit) }
        (values + place(bit, key)).initialize(to: value)
        present |= bit
        return true
    }

    /// - Returns: Whether the key had a value, and `isUnwanted` said that it could go.
    @inline(__always)
    mutating func remove(_ key: Int64, where isUnwanted: (inout Value) -> Bool) -> Bool {
        let bit = Self.bit(key)
        guard present & bit != 0 else { return false }
        let place = place(bit, key)
        guard isUnwanted(&values[place]) else { return false }
        (values + place).deinitialize(count: 1)
        if !isWhole { (values + place).moveInitialize(from: values + place + 1, count: count - place - 1) }
        present &= ~bit
        return true
    }

    func forEach(_ body: (Int64, Value) -> Void) {
        forEachPlace { bit, place in body(head & ~63 | Int64(bit.trailingZeroBitCount), values[place]) }
    }

    /// Keeps the values that `isKept` wants, which may look at one in place.
    ///
    /// - Returns: How many went.
    mutating func filter(_ isKept: (inout Value) -> Bool) -> Int {
        var kept: UInt64 = 0
        var end = 0
        forEachPlace { bit, place in
            guard isKept(&values[place]) else {
                (values + place).deinitialize(count: 1)
                return
            }
            if !isWhole, end < place { (values + end).moveInitialize(from: values + place, count: 1) }
            end += 1
            kept |= bit
        }
        let gone = count - end
        present = kept
        if isWhole, end > 0, end <= 2 { move(to: Self.few) }
        return gone
    }

    /// Lets go of all values, and of their memory.
    mutating func free() {
        forEachPlace { _, place in (values + place).deinitialize(count: 1) }
        values.deallocate()
        self = .none
    }

    /// Lets go of an empty page's memory, or leaves it as the spare room for a few if there is none.
    mutating func free(_ spare: inout UnsafeMutablePointer<Value>?) {
        if isWhole || spare != nil { values.deallocate() } else { spare = values }
        self = .none
    }

    // MARK: Places

    @inline(__always)
    private static func bit(_ key: Int64) -> UInt64 { 1 << UInt64(truncatingIfNeeded: key & 63) }

    /// Where the value of a key is, or belongs.
    @inline(__always)
    private func place(_ bit: UInt64, _ key: Int64) -> Int {
        isWhole ? Int(truncatingIfNeeded: key & 63) : (present & (bit - 1)).nonzeroBitCount
    }

    /// Calls `body` with the place of each value, in the keys' order.
    @inline(__always)
    private func forEachPlace(_ body: (UInt64, Int) -> Void) {
        var rest = present
        var place = 0
        while rest != 0 {
            body(rest & (0 &- rest), isWhole ? rest.trailingZeroBitCount : place)
            rest &= rest - 1
            place += 1
        }
    }

    // MARK: Room

    /// Makes place for one more value among those that lie side by side.
    private mutating func makeRoom(for bit: UInt64) {
        let count = count
        if count == 1 << Self.few { return move(to: Self.whole) }
        let place = (present & (bit - 1)).nonzeroBitCount
        if place < count { (values + place + 1).moveInitialize(from: values + place, count: count - place) }
    }

    private mutating func move(to size: Int64) {
        let room = UnsafeMutablePointer<Value>.allocate(capacity: 1 << size)
        var end = 0
        forEachPlace { bit, place in
            let next = size == Self.whole ? bit.trailingZeroBitCount : end
            (room + next).moveInitialize(from: values + place, count: 1)
            end += 1
        }
        values.deallocate()
        values = room
        head = head & ~63 | size
    }
}
