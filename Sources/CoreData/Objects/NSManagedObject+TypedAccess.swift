import FoundationGaps

/// The accessors of generated classes: typed, without a box, straight to the slot.
///
/// This is the contract between the model compiler and the runtime; apps call what the compiler generates instead.
extension NSManagedObject {
    // MARK: Numbers

    /// The value of an integer attribute; 0 for nil. Larger numbers lose their upper bits.
    public func managedValue(_ key: ManagedKey) -> Int16 { Int16(truncatingIfNeeded: integer(key)) }

    /// Sets an integer attribute.
    public func setManagedValue(_ value: Int16, _ key: ManagedKey) { set(.int(Int64(value)), .int64, key) }

    /// The value of an integer attribute; 0 for nil. Larger numbers lose their upper bits.
    public func managedValue(_ key: ManagedKey) -> Int32 { Int32(truncatingIfNeeded: integer(key)) }

    /// Sets an integer attribute.
    public func setManagedValue(_ value: Int32, _ key: ManagedKey) { set(.int(Int64(value)), .int64, key) }

    /// The value of an integer attribute; 0 for nil.
    public func managedValue(_ key: ManagedKey) -> Int64 { Int64(truncatingIfNeeded: integer(key)) }

    /// Sets an integer attribute.
    public func setManagedValue(_ value: Int64, _ key: ManagedKey) { set(.int(Int64(value)), .int64, key) }

    /// The value of a Boolean attribute; false for nil. A number that is not 0 is true.
    public func managedValue(_ key: ManagedKey) -> Bool {
        if isProbe { return sample(key) ?? false }
        return integer(key) != 0
    }

    /// Sets a Boolean attribute.
    public func setManagedValue(_ value: Bool, _ key: ManagedKey) { set(.int(value ? 1 : 0), .int64, key) }

    /// The value of a floating-point attribute; 0 for nil. A date gives its seconds since 2001.
    public func managedValue(_ key: ManagedKey) -> Double { double(key) ?? sample(key) ?? 0 }

    /// Sets a floating-point attribute. Not-a-number sets nil.
    public func setManagedValue(_ value: Double, _ key: ManagedKey) { set(Slot(finite: value), .double, key) }

    /// The value of a floating-point attribute; 0 for nil. Digits beyond a `Float` are rounded.
    public func managedValue(_ key: ManagedKey) -> Float { Float(double(key) ?? sample(key) ?? 0) }

    /// Sets a floating-point attribute. Not-a-number sets nil.
    public func setManagedValue(_ value: Float, _ key: ManagedKey) { set(Slot(finite: Double(value)), .double, key) }

    /// The value of a decimal attribute; nil if there is none. A number of another kind comes as a decimal.
    public func managedValue(_ key: ManagedKey) -> NSDecimalNumber? {
        switch attribute(key) {
        case let number as NSDecimalNumber: number
        case let number as NSNumber: DecimalNumber(number)
        default: sample(key)
        }
    }

    /// Sets a decimal attribute, also to nil. Not-a-number sets nil.
    public func setManagedValue(_ value: NSDecimalNumber?, _ key: ManagedKey) {
        set(value.map { Slot(finite: $0 as? DecimalNumber ?? DecimalNumber($0)) } ?? .null, .decimal, key)
    }

    // MARK: Other attributes

    /// The value of a string attribute; nil if there is none.
    public func managedValue(_ key: ManagedKey) -> String? {
        let index = index(key)
        fireIfNeeded(index)
        noteRead(index)
        switch changedValue(index) {
        case .unset: return storedText(index) ?? transientText(index) ?? otherValue(index, .string) ?? sample(key)
        case .string(let value): return value
        default: return otherValue(index, .string) ?? sample(key)
        }
    }

    /// Sets a string attribute, also to nil.
    public func setManagedValue(_ value: String?, _ key: ManagedKey) {
        if let value { set(.string(value), .string, key) } else { set(.null, .string, key) }
    }

    /// The value of a date attribute; nil if there is none.
    public func managedValue(_ key: ManagedKey) -> Date? {
        double(key).map { Date(timeIntervalSinceReferenceDate: $0) } ?? sample(key)
    }

    /// Sets a date attribute, also to nil. The store keeps the seconds since 2001 as a double.
    public func setManagedValue(_ value: Date?, _ key: ManagedKey) {
        set(value.map { Slot(finite: $0.timeIntervalSinceReferenceDate) } ?? .null, .date, key)
    }

    /// The value of a binary attribute; nil if there is none. Data in external storage is read from its file.
    public func managedValue(_ key: ManagedKey) -> Data? {
        let index = index(key)
        if table.pointee.entries[index].kind != .binary { return otherValue(index, .binary) ?? sample(key) }
        if case .data(let value) = read(key) { return value }
        return sample(key)
    }

    /// Sets a binary attribute, also to nil.
    public func setManagedValue(_ value: Data?, _ key: ManagedKey) {
        set(value.map { .data($0) } ?? .null, .binary, key)
    }

    /// The value of a UUID attribute; nil if there is none.
    public func managedValue(_ key: ManagedKey) -> UUID? {
        if case .uuid(let value) = read(key) { return value }
        return otherValue(index(key), .uuid) ?? sample(key)
    }

    /// Sets a UUID attribute, also to nil.
    public func setManagedValue(_ value: UUID?, _ key: ManagedKey) {
        set(value.map { .uuid($0) } ?? .null, .uuid, key)
    }

    /// The value of a URI attribute; nil if there is none.
    public func managedValue(_ key: ManagedKey) -> URL? { attribute(key) as? URL ?? sample(key) }

    /// Sets a URI attribute, also to nil.
    public func setManagedValue(_ value: URL?, _ key: ManagedKey) {
        set(value.map { .object($0 as NSURL) } ?? .null, .uri, key)
    }

    /// The value of a transformable, composite or untyped attribute; nil if there is none, or if it is of another type.
    ///
    /// A transformable is made from its data at the first read and kept until the object is refreshed.
    public func managedTransformable<Value>(_ key: ManagedKey) -> Value? {
        // Unwrapped first: an empty optional would do for `Any`.
        boxedValue(slot(key)).flatMap { $0 as? Value } ?? sample(key)
    }

    /// Sets a transformable, composite or untyped attribute, also to nil.
    public func setManagedTransformable<Value>(_ value: Value?, _ key: ManagedKey) { setBoxedValue(value, slot(key)) }

    // MARK: Relationships

    /// The destination of a to-one relationship; nil if there is none. It may be a fault.
    ///
    /// The object keeps the destination alive from now on. An object of another class than the declared one reads as
    /// nil.
    public func managedToOne<Object: NSManagedObject>(_ key: ManagedKey) -> Object? {
        let slot = readSlot(key)
        return isTornDown(slot) ? nil : readDestination(slot) as? Object ?? sampleDestination(key)
    }

    /// Sets the destination of a to-one relationship; the inverse follows. Traps for an object of another context.
    public func setManagedToOne(_ object: NSManagedObject?, _ key: ManagedKey) {
        let index = index(key)
        if table.pointee.entries[index].kind != .toOne { return setBoxedValue(object, slot(key)) }
        table.pointee.entries[index].slot._withUnsafeGuaranteedRef { setDestination(object, $0) }
    }

    /// The members of an unordered to-many relationship, as a set that shows later changes, too.
    public func managedToMany(_ key: ManagedKey) -> NSSet? {
        isProbe ? sampleMembers(key, none: NSSet()) : boxedValue(slot(key)) as? NSSet
    }

    /// The members of an ordered relationship, as an ordered set that shows later changes, too.
    public func managedOrderedToMany(_ key: ManagedKey) -> NSOrderedSet? {
        isProbe ? sampleMembers(key, none: NSOrderedSet()) : boxedValue(slot(key)) as? NSOrderedSet
    }

    /// Sets the members of an unordered to-many relationship; the inverses follow. Nil empties it.
    public func setManagedToMany(_ objects: NSSet?, _ key: ManagedKey) { setBoxedValue(objects, slot(key)) }

    /// Sets the members of an ordered relationship and their order; the inverses follow. Nil empties it.
    public func setManagedToMany(_ objects: NSOrderedSet?, _ key: ManagedKey) { setBoxedValue(objects, slot(key)) }

    /// The objects that a fetched property finds, or the members of a to-many relationship, in order where it is
    /// ordered.
    ///
    /// Objects of another class than the declared one are left out.
    public func managedFetched<Object: NSManagedObject>(_ key: ManagedKey) -> [Object]? {
        if isProbe { return sampleFetched(key) }
        let slot = readSlot(key)
        switch slot.kind {
        case .fetched: return fetchedObjects(slot).compactMap { $0 as? Object }
        case .toMany, .orderedToMany: return isTornDown(slot) ? [] : typedMembers(slot)
        default: trapOtherKind("an array of \(Object.self)", slot)
        }
    }

    /// Sets the members of a to-many relationship, in this order where it is ordered. An object that comes twice counts
    /// once.
    ///
    /// Traps for a fetched property.
    public func setManagedFetched<Object: NSManagedObject>(_ objects: [Object]?, _ key: ManagedKey) {
        let slot = slot(key)
        guard slot.kind.isToMany else { return setBoxedValue(objects, slot) }
        var seen: Set<ObjectIdentifier> = []
        setMembers((objects ?? []).filter { seen.insert(ObjectIdentifier($0)).inserted }, slot)
    }

    // MARK: Members

    /// Adds an object to a to-many relationship; the inverse follows. An object that is a member already changes
    /// nothing.
    public func insertManaged(_ object: NSManagedObject, into key: ManagedKey) { insertMember(object, slot(key)) }

    /// Adds objects to a to-many relationship; the inverses follow.
    public func insertManaged(_ objects: NSSet, into key: ManagedKey) { insert(objects.allObjects, key) }

    /// Adds objects to a to-many relationship, in their order; the inverses follow.
    public func insertManaged(_ objects: NSOrderedSet, into key: ManagedKey) { insert(objects.array, key) }

    /// Removes an object from a to-many relationship; the inverse follows. An object that is no member changes nothing.
    public func removeManaged(_ object: NSManagedObject, from key: ManagedKey) { removeMember(object, slot(key)) }

    /// Removes objects from a to-many relationship; the inverses follow.
    public func removeManaged(_ objects: NSSet, from key: ManagedKey) { remove(objects.allObjects, key) }

    /// Removes objects from a to-many relationship; the inverses follow.
    public func removeManaged(_ objects: NSOrderedSet, from key: ManagedKey) { remove(objects.array, key) }

    /// Puts an object at an index of an ordered relationship. A member stays where it is. Traps beyond the members.
    public func insertManaged(_ object: NSManagedObject, at index: Int, into key: ManagedKey) {
        insertMember(object, at: index, slot(key))
    }

    /// Puts objects at indexes of an ordered relationship, one after the other, the smallest index first.
    public func insertManaged(_ objects: [NSManagedObject], at indexes: NSIndexSet, into key: ManagedKey) {
        let slot = slot(key)
        for (object, index) in zip(objects, indexes as IndexSet) { insertMember(object, at: index, slot) }
    }

    /// Removes the member at an index of an ordered relationship. Traps beyond the members.
    public func removeManaged(at index: Int, from key: ManagedKey) { removeMember(at: index, slot(key)) }

    /// Removes the members at indexes of an ordered relationship.
    public func removeManaged(at indexes: NSIndexSet, from key: ManagedKey) {
        let slot = slot(key)
        (indexes as IndexSet).reversed().forEach { removeMember(at: $0, slot) }
    }

    /// Replaces the member at an index of an ordered relationship. If the new object is a member already, only the old
    /// one goes.
    public func replaceManaged(at index: Int, with object: NSManagedObject, in key: ManagedKey) {
        replaceMember(at: index, with: object, slot(key))
    }

    /// Replaces the members at indexes of an ordered relationship, in the order of both lists.
    public func replaceManaged(at indexes: NSIndexSet, with objects: [NSManagedObject], in key: ManagedKey) {
        edit(slot(key)) { members in
            for (object, index) in zip(objects, indexes as IndexSet) { members[index] = object }
        }
    }

    // MARK: Slots

    /// The slot of a generated key, for reading its value.
    @inline(__always)
    func readSlot(_ key: ManagedKey) -> PropertySlot {
        let index = index(key)
        noteRead(index)
        return table.pointee.entries[index].slot.takeUnretainedValue()
    }

    /// The slot of a generated key; traps where the entity has no such property.
    @inline(__always)
    func slot(_ key: ManagedKey) -> PropertySlot {
        table.pointee.entries[index(key)].slot.takeUnretainedValue()
    }

    /// The value of an attribute as it is now.
    func read(_ key: ManagedKey) -> Slot {
        let slot = readSlot(key)
        fireIfNeeded(slot.index)
        return current(slot)
    }

    /// Sets the value of an attribute.
    ///
    /// - Parameter kind: A kind of attribute that holds the value as it is.
    @inline(__always)
    private func set(_ value: consuming Slot, _ kind: SlotKind, _ key: ManagedKey) {
        let index = index(key)
        let own = table.pointee.entries[index].kind
        if own == kind || own.holdsAsItIs(kind) { return write(index, own, value) }
        setOther(value, kind, index)
    }

    /// Sets an attribute of another kind than the class declares; traps where it can't have such a value.
    @inline(never)
    private func setOther(_ value: Slot, _ kind: SlotKind, _ index: Int) {
        setBoxedValue(NSManagedObject.box(value, kind), layout.slots[index])
    }

    /// The value of an attribute of another kind than the class declares, where it is of the declared type all the
    /// same.
    @inline(never)
    private func otherValue<Value>(_ index: Int, _ kind: SlotKind) -> Value? {
        let slot = layout.slots[index]
        return slot.kind == kind || slot.kind.isRelationship || isProbe ? nil : boxedValue(slot) as? Value
    }

    @inline(__always)
    private func integer(_ key: ManagedKey) -> Int64 {
        let index = index(key)
        fireIfNeeded(index)
        noteRead(index)
        if !table.pointee.entries[index].kind.isInteger { return otherNumber(index)?.int64Value ?? sample(key) ?? 0 }
        switch changedValue(index) {
        case .unset:
            return storedWord(index).map { Int64(bitPattern: $0) } ?? transientInteger(index) ?? sample(key) ?? 0
        case .int(let value): return value
        default: return sample(key) ?? 0
        }
    }

    @inline(__always)
    private func double(_ key: ManagedKey) -> Double? {
        let index = index(key)
        fireIfNeeded(index)
        noteRead(index)
        if !table.pointee.entries[index].kind.isReal { return otherNumber(index)?.doubleValue }
        switch changedValue(index) {
        case .unset: return storedWord(index).map { Double(bitPattern: $0) } ?? transientDouble(index)
        case .double(let value): return value
        default: return nil
        }
    }

    /// The number that an attribute of another kind has.
    @inline(never)
    private func otherNumber(_ index: Int) -> NSNumber? {
        // The one slot of a probe is of no kind.
        if isProbe { return nil }
        let slot = layout.slots[index]
        if slot.kind.isRelationship || slot.kind == .fetched { trapOtherKind("a number", slot) }
        switch boxedValue(slot) {
        case let date as Date: return NSNumber(value: date.timeIntervalSinceReferenceDate)
        case let value: return value as? NSNumber
        }
    }

    // What no row holds: a transient attribute that was not set has its default.

    @inline(never)
    private func transientText(_ index: Int) -> String? {
        if case .string(let text) = transientDefault(index) { text } else { nil }
    }

    @inline(never)
    private func transientInteger(_ index: Int) -> Int64? {
        if case .int(let value) = transientDefault(index) { value } else { nil }
    }

    @inline(never)
    private func transientDouble(_ index: Int) -> Double? {
        if case .double(let value) = transientDefault(index) { value } else { nil }
    }

    private func transientDefault(_ index: Int) -> Slot {
        let entry = table.pointee.entries[index]
        return entry.cell < 0 ? entry.slot._withUnsafeGuaranteedRef(\.transientDefault) : .null
    }

    private func attribute(_ key: ManagedKey) -> Any? { boxedValue(slot(key)) }

    private func insert(_ objects: [Any], _ key: ManagedKey) {
        let slot = slot(key)
        objects.forEach { insertMember(managedObject($0, slot), slot) }
    }

    private func remove(_ objects: [Any], _ key: ManagedKey) {
        let slot = slot(key)
        objects.forEach { removeMember(managedObject($0, slot), slot) }
    }
}

extension SlotKind {
    /// Whether slots of the kind hold whole numbers.
    @inline(__always)
    var isInteger: Bool { rawValue <= SlotKind.boolean.rawValue }

    /// Whether slots of the kind hold floating-point numbers.
    @inline(__always)
    var isReal: Bool { self == .double || self == .float || self == .date }

    /// Whether slots of this kind hold values of another kind without conversion.
    @inline(__always)
    fileprivate func holdsAsItIs(_ other: SlotKind) -> Bool {
        switch other {
        case .int64: isInteger
        case .double, .date: isReal
        default: false
        }
    }
}
