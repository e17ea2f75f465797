/// The words of a class's metadata, from its address point on.
///
/// Swift keeps a class's methods as words there. Where a subclass overrides one, the word differs from the
/// superclass's.
struct ClassWords {
    private let start: UnsafePointer<UInt>

    init(_ type: AnyClass) { start = UnsafePointer(OpaquePointer(unsafeBitCast(type, to: UnsafeRawPointer.self))) }

    subscript(index: Int) -> UInt { start[index] }

    /// What a class's own fields end with, counted from the address point: the superclass, flags, sizes and its
    /// descriptor stand before the methods, and differ between any two classes.
    private static let headerWords = 10

    /// How large the metadata is in words, behind the address point.
    private var count: Int {
        // Class metadata on all platforms without Objective-C: kind, superclass, flags (4), instance address point (4),
        // instance size (4), alignment (2), reserved (2), class size (4), class address point (4).
        let base = UnsafeRawPointer(start)
        let size = base.load(fromByteOffset: 32, as: UInt32.self)
        let addressPoint = base.load(fromByteOffset: 36, as: UInt32.self)
        return Int(size - addressPoint) / MemoryLayout<UInt>.size
    }

    /// The one word of a method in which a probe differs from its superclass; nil if it is not exactly one.
    ///
    /// - Parameter plain: Another subclass, which overrides nothing: what differs in it (its initialisers' allocators,
    ///   say) is no override.
    static func difference(of probe: AnyClass, from superclass: AnyClass, plain: AnyClass) -> Int? {
        let (a, b, plain) = (ClassWords(probe), ClassWords(superclass), ClassWords(plain))
        guard b.count > headerWords, b.count < 4096 else { return nil }
        let different = (headerWords..<b.count).filter { a[$0] != b[$0] && plain[$0] == b[$0] }
        return different.count == 1 ? different[0] : nil
    }
}
