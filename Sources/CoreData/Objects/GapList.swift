/// An array with a gap where it was changed last: the next change nearby moves few elements, however many there are.
///
///     [a b c · · · d e f]    insert x at 3    [a b c x · · d e f]
///
/// The first change opens the gap, and reading all elements closes it. Both move what is behind.
struct GapList<Element> {
    /// The elements, and stand-ins in the gap.
    private var slots: [Element]
    private var gap = 0..<0
    private let standIn: Element

    /// - Parameter standIn: What fills the gap. It is never handed out.
    init(_ elements: [Element], standIn: Element) {
        slots = elements
        self.standIn = standIn
    }

    var count: Int { slots.count - gap.count }

    subscript(index: Int) -> Element { slots[index < gap.lowerBound ? index : index + gap.count] }

    /// All elements. Reading one by its index leaves the gap open.
    var elements: [Element] {
        @inline(__always) mutating get {
            if !gap.isEmpty { close() }
            return slots
        }
        @inline(__always) _modify {
            if !gap.isEmpty { close() }
            yield &slots
        }
    }

    mutating func insert(_ element: Element, at index: Int) {
        if gap.isEmpty { open(at: index) } else { moveGap(to: index) }
        slots[gap.lowerBound] = element
        gap = gap.lowerBound + 1..<gap.upperBound
    }

    @discardableResult
    mutating func remove(at index: Int) -> Element {
        moveGap(to: index)
        let element = slots[gap.upperBound]
        slots[gap.upperBound] = standIn
        gap = gap.lowerBound..<gap.upperBound + 1
        return element
    }

    private mutating func open(at index: Int) {
        let width = 16 + slots.count / 64
        slots.insert(contentsOf: repeatElement(standIn, count: width), at: index)
        gap = index..<index + width
    }

    private mutating func close() {
        slots.removeSubrange(gap)
        gap = 0..<0
    }

    /// Moves the elements between the gap and its new place to the gap's other side.
    private mutating func moveGap(to index: Int) {
        precondition(index >= 0 && index <= count, "no index of \(count) elements")
        let isForward = index > gap.lowerBound
        let moved = abs(index - gap.lowerBound)
        let vacated = min(moved, gap.count)
        let source = isForward ? gap.upperBound : index
        let target = isForward ? gap.lowerBound : index + gap.count
        if vacated > 0 {
            let standIn = standIn
            slots.withUnsafeMutableBufferPointer { slots in
                guard let start = slots.baseAddress else { return }
                // Where elements only arrive there were stand-ins, and where they only leave there will be.
                (start + (isForward ? target : target + moved - vacated)).deinitialize(count: vacated)
                (start + target).moveInitialize(from: start + source, count: moved)
                (start + (isForward ? source + moved - vacated : source)).initialize(repeating: standIn, count: vacated)
            }
        }
        gap = index..<index + gap.count
    }
}

extension GapList<ObjectReference> {
    init(_ references: [ObjectReference]) {
        self.init(references, standIn: ObjectReference(key: 0, entity: 0, store: ObjectReference.unassignedStore))
    }

    /// Where a reference is: most often where it is looked for first.
    mutating func place(of member: ObjectReference, near index: Int) -> Int? {
        (0..<count).contains(index) && self[index] == member ? index : elements.firstIndex(of: member)
    }
}
