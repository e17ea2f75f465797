/// What has to be done for each object of a save. A save skips the passes that none of its objects asks for.
struct SaveRequirements: OptionSet {
    let rawValue: UInt8

    static let willSave = SaveRequirements(rawValue: 1 << 0)
    static let didSave = SaveRequirements(rawValue: 1 << 1)
    /// The model, or the class, restricts the values; or a deletion that it may refuse is to be saved.
    static let validation = SaveRequirements(rawValue: 1 << 2)
    /// Some values are not stored, or not as they are.
    static let conversion = SaveRequirements(rawValue: 1 << 3)
    /// The model, or the class, may refuse a deletion.
    static let deletion = SaveRequirements(rawValue: 1 << 4)
    /// An object is deleted: this save may relate no other object to it.
    static let integrity = SaveRequirements(rawValue: 1 << 5)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ layout: EntityLayout) {
        self = []
        if layout.overrides.contains(.willSave) { insert(.willSave) }
        if layout.overrides.contains(.didSave) { insert(.didSave) }
        if !layout.checkedSlots.isEmpty || !layout.overrides.isDisjoint(with: .validation) { insert(.validation) }
        if !layout.denySlots.isEmpty || layout.overrides.contains(.validateForDelete) { insert(.deletion) }
        if layout.hasTransientSlots || !layout.transformableSlots.isEmpty { insert(.conversion) }
    }
}
