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

    private static let entityWord = word(EntityProbe.self)

    /// Where the metadata has the method that a probe overrides; nil where that could not be told.
    private static func word(_ probe: NSManagedObject.Type) -> Int? {
        ClassWords.difference(of: probe, from: NSManagedObject.self, plain: PlainProbe.self)
    }

    /// Where the metadata has each method; nil where that could not be told.
    private static let words: [(ClassOverrides, Int?)] = [
        (.validateValue, word(ValidateValueProbe.self)),
        (.willSave, word(WillSaveProbe.self)),
        (.didSave, word(DidSaveProbe.self)),
        (.awakeFromFetch, word(AwakeFromFetchProbe.self)),
        (.valueForKey, word(ValueForKeyProbe.self)),
        (.validateForInsert, word(ValidateForInsertProbe.self)),
        (.validateForUpdate, word(ValidateForUpdateProbe.self)),
        (.validateForDelete, word(ValidateForDeleteProbe.self)),
    ]
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
