import FoundationGaps

/// What a class overrides of what the runtime calls for every object, so that it need not call what does nothing.
///
/// A save of a hundred thousand objects would box every value just to hand it to an empty method. Swift keeps a class's
/// methods as words in its metadata; where a subclass overrides one, the word differs from the superclass's. Which word
/// it is shows in a class made for the purpose. Where nothing can be learned that way, everything counts as overridden.
struct ClassOverrides: OptionSet, Sendable {
    let rawValue: UInt8

    static let validateValue = ClassOverrides(rawValue: 1 << 0)
    static let willSave = ClassOverrides(rawValue: 1 << 1)
    static let didSave = ClassOverrides(rawValue: 1 << 2)
    static let awakeFromFetch = ClassOverrides(rawValue: 1 << 3)
    static let valueForKey = ClassOverrides(rawValue: 1 << 4)
    static let validateForInsert = ClassOverrides(rawValue: 1 << 5)
    static let validateForUpdate = ClassOverrides(rawValue: 1 << 6)
    static let validateForDelete = ClassOverrides(rawValue: 1 << 7)

    /// Whatever has a say in what a valid object is.
    static let validation: ClassOverrides = [.validateValue, .validateForInsert, .validateForUpdate]

    /// What a class overrides, itself or by a superclass below `NSManagedObject`.
    init(of type: NSManagedObject.Type) {
        self = []
        for (flag, word) in ClassOverrides.words
        where word.map({ ClassWords(type)[$0] != ClassWords(NSManagedObject.self)[$0] }) ?? true {
            insert(flag)
        }
    }

    /// What members of the class amount to, though they override nothing.
    ///
    /// - Parameter modelled: The properties that the entity knows.
    init(_ members: MemberTable?, _ modelled: [String: Int]) {
        self = []
        guard let members else { return }
        if !members.validations.isEmpty { insert(.validateValue) }
        if members.properties.contains(where: { $1.isObjC && modelled[$0] != nil }) { insert(.valueForKey) }
    }

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Whether a class overrides `entity()`.
    static func hasOwnEntity(_ type: NSManagedObject.Type) -> Bool {
        entityWord.map { ClassWords(type)[$0] != ClassWords(NSManagedObject.self)[$0] } ?? true
    }

    private static let entityWord = ClassWords.firstDifference(EntityProbe.self)

    /// Where the metadata has each method; nil where that could not be told.
    private static let words: [(ClassOverrides, Int?)] = [
        (.validateValue, ClassWords.firstDifference(ValidateValueProbe.self)),
        (.willSave, ClassWords.firstDifference(WillSaveProbe.self)),
        (.didSave, ClassWords.firstDifference(DidSaveProbe.self)),
        (.awakeFromFetch, ClassWords.firstDifference(AwakeFromFetchProbe.self)),
        (.valueForKey, ClassWords.firstDifference(ValueForKeyProbe.self)),
        (.validateForInsert, ClassWords.firstDifference(ValidateForInsertProbe.self)),
        (.validateForUpdate, ClassWords.firstDifference(ValidateForUpdateProbe.self)),
        (.validateForDelete, ClassWords.firstDifference(ValidateForDeleteProbe.self)),
    ]
}

/// The words of a class's metadata, from its address point on.
private struct ClassWords {
    private let start: UnsafePointer<UInt>

    init(_ type: AnyClass) { start = UnsafePointer(OpaquePointer(unsafeBitCast(type, to: UnsafeRawPointer.self))) }

    subscript(index: Int) -> UInt { start[index] }

    /// What a class's own fields end with, counted from the address point: the superclass, flags, sizes and its
    /// descriptor stand before the methods, and differ between any two classes.
    private static let headerWords = 10

    /// How large `NSManagedObject`'s metadata is in words, behind the address point.
    private static var count: Int {
        // Class metadata on all platforms without Objective-C: kind, superclass, flags (4), instance address point (4),
        // instance size (4), alignment (2), reserved (2), class size (4), class address point (4).
        let base = UnsafeRawPointer(OpaquePointer(ClassWords(NSManagedObject.self).start))
        let size = base.load(fromByteOffset: 32, as: UInt32.self)
        let addressPoint = base.load(fromByteOffset: 36, as: UInt32.self)
        return Int(size - addressPoint) / MemoryLayout<UInt>.size
    }

    /// The one word of a method in which a probe differs from `NSManagedObject`; nil if it is not exactly one.
    static func firstDifference(_ probe: NSManagedObject.Type) -> Int? {
        guard count > headerWords, count < 4096 else { return nil }
        let (a, b, plain) = (ClassWords(probe), ClassWords(NSManagedObject.self), ClassWords(PlainProbe.self))
        // What differs in a subclass that overrides nothing (its initialisers' allocators, say) is no override.
        let different = (headerWords..<count).filter { a[$0] != b[$0] && plain[$0] == b[$0] }
        return different.count == 1 ? different[0] : nil
    }
}

private final class PlainProbe: NSManagedObject {}

private final class EntityProbe: NSManagedObject {
    override class func entity() -> NSEntityDescription { super.entity() }
}

private final class ValidateValueProbe: NSManagedObject {
    override func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
        try super.validateValue(value, forKey: key)
    }
}

private final class ValidateForInsertProbe: NSManagedObject {
    override func validateForInsert() throws { try super.validateForInsert() }
}

private final class ValidateForUpdateProbe: NSManagedObject {
    override func validateForUpdate() throws { try super.validateForUpdate() }
}

private final class ValidateForDeleteProbe: NSManagedObject {
    override func validateForDelete() throws { try super.validateForDelete() }
}

private final class WillSaveProbe: NSManagedObject {
    override func willSave() { super.willSave() }
}

private final class DidSaveProbe: NSManagedObject {
    override func didSave() { super.didSave() }
}

private final class ValueForKeyProbe: NSManagedObject {
    override func value(forKey key: String) -> Any? { super.value(forKey: key) }
}

private final class AwakeFromFetchProbe: NSManagedObject {
    override func awakeFromFetch() { super.awakeFromFetch() }
}
