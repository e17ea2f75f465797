import CSwiftRuntime
import FoundationGaps

/// What an object holds of the objects that its to-one relationships lead to: nothing, the destination of one of them,
/// or a list.
///
/// One word: an object is as large as it would be without. Most objects are asked for one of their relationships.
struct HeldDestinations<Object: AnyObject> {
    // Every object, and the list, is retained once by its address in `bits`, until `set` or `takeAll` hands it out.

    /// The address of an object, with the ordinal of its relationship in the lower bits, which an address has not; or
    /// that of a list.
    private var bits: UInt = 0

    private static var mask: UInt { 15 }
    private static var list: UInt { 15 }

    var isEmpty: Bool { bits == 0 }

    private var pointer: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: bits & ~Self.mask) }

    private var destinations: Unmanaged<DestinationList>? {
        bits & Self.mask == Self.list ? pointer.map { Unmanaged.fromOpaque($0) } : nil
    }

    /// The object that the to-one relationship of an ordinal led to.
    @inline(__always)
    subscript(ordinal: Int) -> Unmanaged<Object>? {
        if bits == 0 { return nil }
        if bits & Self.mask == Self.list { return listed(ordinal) }
        return bits & Self.mask == UInt(ordinal) ? pointer.map { Unmanaged.fromOpaque($0) } : nil
    }

    private func listed(_ ordinal: Int) -> Unmanaged<Object>? {
        destinations?._withUnsafeGuaranteedRef { list in
            list[ordinal].map { .fromOpaque(Unmanaged.passUnretained($0).toOpaque()) }
        }
    }

    /// Holds an object instead of another one.
    ///
    /// - Returns: What is to be released instead.
    mutating func set(_ ordinal: Int, _ object: Object?) -> AnyObject? {
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
        let (other, held) = (Int(bits & Self.mask), pointer.map { Unmanaged<Object>.fromOpaque($0) })
        makeList(with: ordinal, object)
        _ = destinations?._withUnsafeGuaranteedRef { $0.set(other, held?.takeRetainedValue()) }
        return nil
    }

    private mutating func makeList(with ordinal: Int, _ object: Object) {
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
    var objects: [Object] {
        if let destinations {
            return destinations._withUnsafeGuaranteedRef { $0.objects.map { unsafeDowncast($0, to: Object.self) } }
        }
        return pointer.map { [Unmanaged<Object>.fromOpaque($0).takeUnretainedValue()] } ?? []
    }
}

/// The destinations of several to-one relationships of one object.
private final class DestinationList {
    private var places: ContiguousArray<AnyObject?> = []

    subscript(ordinal: Int) -> AnyObject? { ordinal < places.count ? places[ordinal] : nil }

    func set(_ ordinal: Int, _ object: AnyObject?) -> AnyObject? {
        while places.count <= ordinal { places.append(nil) }
        defer { places[ordinal] = object }
        return places[ordinal]
    }

    var objects: [AnyObject] { places.compactMap(\.self) }
}

/// Gives up a reference to an object that may keep a long chain of others alive: they don't go one within the other.
@inline(never)
func releaseDeep(_ object: UnsafeMutableRawPointer) { coredata_release_deep(coredata_releases_of_thread(), object) }
