import CSwiftRuntime
import FoundationGaps

/// What an object holds of the objects that its to-one relationships lead to: nothing, the destination of one of them,
/// or a list.
///
/// One word: an object is as large as it would be without. Most objects are asked for one of their relationships.
struct HeldDestinations {
    /// The address of an object, with the ordinal of its relationship in the lower bits, which an address has not; or
    /// that of a list.
    private var bits: UInt = 0

    private static let mask: UInt = 15
    private static let list: UInt = 15

    var isEmpty: Bool { bits == 0 }

    private var pointer: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: bits & ~Self.mask) }

    private var destinations: Unmanaged<DestinationList>? {
        bits & Self.mask == Self.list ? pointer.map { Unmanaged.fromOpaque($0) } : nil
    }

    /// The object that the to-one relationship of an ordinal led to.
    @inline(__always)
    subscript(ordinal: Int) -> Unmanaged<NSManagedObject>? {
        if bits == 0 { return nil }
        if bits & Self.mask == Self.list { return listed(ordinal) }
        return bits & Self.mask == UInt(ordinal) ? pointer.map { Unmanaged.fromOpaque($0) } : nil
    }

    private func listed(_ ordinal: Int) -> Unmanaged<NSManagedObject>? {
        destinations?._withUnsafeGuaranteedRef { list in list[ordinal].map { .passUnretained($0) } }
    }

    /// Holds an object instead of another one.
    ///
    /// - Returns: What is to be released instead.
    mutating func set(_ ordinal: Int, _ object: NSManagedObject?) -> AnyObject? {
        if let destinations { return destinations._withUnsafeGuaranteedRef { $0.set(ordinal, object) } }
        if bits == 0 || bits & Self.mask == UInt(ordinal) {
            let old = pointer.map { Unmanaged<AnyObject>.fromOpaque($0).takeRetainedValue() }
            bits = 0
            guard let object else { return old }
            guard ordinal < Self.list else {
                makeList(with: ordinal, object)
                return old
            }
            bits = UInt(bitPattern: Unmanaged.passRetained(object).toOpaque()) | UInt(ordinal)
            return old
        }
        guard let object else { return nil }
        let (other, held) = (Int(bits & Self.mask), pointer.map { Unmanaged<NSManagedObject>.fromOpaque($0) })
        makeList(with: ordinal, object)
        _ = destinations?._withUnsafeGuaranteedRef { $0.set(other, held?.takeRetainedValue()) }
        return nil
    }

    private mutating func makeList(with ordinal: Int, _ object: NSManagedObject) {
        let list = DestinationList()
        _ = list.set(ordinal, object)
        bits = UInt(bitPattern: Unmanaged.passRetained(list).toOpaque()) | Self.list
    }

    /// - Returns: What is to be released.
    mutating func takeAll() -> UnsafeMutableRawPointer? {
        defer { bits = 0 }
        return pointer
    }

    /// All objects that are held.
    var objects: [NSManagedObject] {
        if let destinations { return destinations._withUnsafeGuaranteedRef { $0.objects } }
        return pointer.map { [Unmanaged<NSManagedObject>.fromOpaque($0).takeUnretainedValue()] } ?? []
    }
}

/// The destinations of several to-one relationships of one object.
private final class DestinationList {
    private var places: ContiguousArray<NSManagedObject?> = []

    subscript(ordinal: Int) -> NSManagedObject? { ordinal < places.count ? places[ordinal] : nil }

    func set(_ ordinal: Int, _ object: NSManagedObject?) -> NSManagedObject? {
        while places.count <= ordinal { places.append(nil) }
        defer { places[ordinal] = object }
        return places[ordinal]
    }

    var objects: [NSManagedObject] { places.compactMap(\.self) }
}

extension NSManagedObject {
    /// The destination of a to-one relationship as it was read before, if the relationship leads to it still.
    @inline(__always)
    func heldDestination(_ slot: PropertySlot, _ reference: ObjectReference) -> NSManagedObject? {
        guard let held = heldDestinations[slot.ordinal] else { return nil }
        // Objects that left their context, or got another reference, don't stand for the one that is meant.
        let isMeant = held._withUnsafeGuaranteedRef { object in
            object.key == reference.key && object.store == reference.store
                && object.table.pointee.number == reference.entity
                && object.contextReference?.toOpaque() == contextReference?.toOpaque()
        }
        return isMeant ? held.takeUnretainedValue() : nil
    }

    /// Keeps the destination of a to-one relationship alive, for as long as the relationship leads to it and this
    /// object is no fault.
    func hold(_ destination: NSManagedObject?, _ slot: PropertySlot) {
        if destination == nil, heldDestinations.isEmpty { return }
        // An object that holds itself would never go.
        let old = heldDestinations.set(slot.ordinal, destination === self ? nil : destination)
        withExtendedLifetime(old) {}
    }

    /// Holds the destination of a relationship that has come to lead there, if it is one that was read, or there is no
    /// context to find it by.
    func holdNew(_ destination: NSManagedObject?, _ slot: PropertySlot) {
        if contextReference == nil || heldDestinations[slot.ordinal] != nil { hold(destination, slot) }
    }

    /// Lets go of the objects that relationships lead to. Sets that the app has stay as they are.
    func letRelatedGo() {
        if let held = heldDestinations.takeAll() { releaseDeep(held) }
        guard let record, !record.hasNoCaches else { return }
        for slot in layout.toManySlots { record.cache(slot.index, as: ToManyState.self)?.letMembersGo() }
    }
}

/// Gives up a reference to an object that may keep a long chain of others alive: they don't go one within the other.
@inline(never)
func releaseDeep(_ object: UnsafeMutableRawPointer) { coredata_release_deep(coredata_releases_of_thread(), object) }
