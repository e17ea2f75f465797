import FoundationGaps

/// The accessors of generated classes: typed, without a box, straight to the slot.
///
/// This is the contract between the model compiler and the runtime; apps call what the compiler generates instead.
extension NSManagedObject {
    // MARK: Numbers

    public func managedValue(_ key: ManagedKey) -> Int16 { Int16(truncatingIfNeeded: integer(key)) }

    public func setManagedValue(_ value: Int16, _ key: ManagedKey) { set(.int(Int64(value)), .int64, key) }

    public func managedValue(_ key: ManagedKey) -> Int32 { Int32(truncatingIfNeeded: integer(key)) }

    public func setManagedValue(_ value: Int32, _ key: ManagedKey) { set(.int(Int64(value)), .int64, key) }

    public func managedValue(_ key: ManagedKey) -> Int64 { Int64(truncatingIfNeeded: integer(key)) }

    public func setManagedValue(_ value: Int64, _ key: ManagedKey) { set(.int(Int64(value)), .int64, key) }

    public func managedValue(_ key: ManagedKey) -> Bool {
        if isProbe { return sample(key) ?? false }
        return integer(key) != 0
    }

    public func setManagedValue(_ value: Bool, _ key: ManagedKey) { set(.int(value ? 1 : 0), .int64, key) }

    public func managedValue(_ key: ManagedKey) -> Double { double(key) ?? sample(key) ?? 0 }

    public func setManagedValue(_ value: Double, _ key: ManagedKey) { set(Slot(finite: value), .double, key) }

    public func managedValue(_ key: ManagedKey) -> Float { Float(double(key) ?? sample(key) ?? 0) }

    public func setManagedValue(_ value: Float, _ key: ManagedKey) { set(Slot(finite: Double(value)), .double, key) }

    /// A decimal, or a number of another kind as a decimal.
    public func managedValue(_ key: ManagedKey) -> NSDecimalNumber? {
        switch attribute(key) {
        case let number as NSDecimalNumber: number
        case let number as NSNumber: DecimalNumber(number)
        default: sample(key)
        }
    }

    public func setManagedValue(_ value: NSDecimalNumber?, _ key: ManagedKey) {
        set(value.map { Slot(finite: $0 as? DecimalNumber ?? DecimalNumber($0)) } ?? .null, .decimal, key)
    }

    // MARK: Other attributes

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

    public func setManagedValue(_ value: String?, _ key: ManagedKey) {
        if let value { set(.string(value), .string, key) } else { set(.null, .string, key) }
    }

    public func managedValue(_ key: ManagedKey) -> Date? {
        double(key).map { Date(timeIntervalSinceReferenceDate: $0) } ?? sample(key)
    }

    public func setManagedValue(_ value: Date?, _ key: ManagedKey) {
        set(value.map { Slot(finite: $0.timeIntervalSinceReferenceDate) } ?? .null, .date, key)
    }

    public func managedValue(_ key: ManagedKey) -> Data? {
        let index = index(key)
        if table.pointee.entries[index].kind != .binary { return otherValue(index, .binary) ?? sample(key) }
        if case .data(let value) = read(key) { return value }
        return sample(key)
    }

    public func setManagedValue(_ value: Data?, _ key: ManagedKey) {
        set(value.map { .data($0) } ?? .null, .binary, key)
    }

    public func managedValue(_ key: ManagedKey) -> UUID? {
        if case .uuid(let value) = read(key) { return value }
        return otherValue(index(key), .uuid) ?? sample(key)
    }

    public func setManagedValue(_ value: UUID?, _ key: ManagedKey) {
        set(value.map { .uuid($0) } ?? .null, .uuid, key)
    }

    public func managedValue(_ key: ManagedKey) -> URL? { attribute(key) as? URL ?? sample(key) }

    public func setManagedValue(_ value: URL?, _ key: ManagedKey) {
        set(value.map { .object($0 as NSURL) } ?? .null, .uri, key)
    }

    /// A transformable, composite or untyped attribute.
    public func managedTransformable<Value>(_ key: ManagedKey) -> Value? {
        // Unwrapped first: an empty optional would do for `Any`.
        boxedValue(slot(key)).flatMap { $0 as? Value } ?? sample(key)
    }

    public func setManagedTransformable<Value>(_ value: Value?, _ key: ManagedKey) { setBoxedValue(value, slot(key)) }

    // MARK: Relationships

    public func managedToOne<Object: NSManagedObject>(_ key: ManagedKey) -> Object? {
        let slot = readSlot(key)
        return isTornDown(slot) ? nil : readDestination(slot) as? Object ?? sampleDestination(key)
    }

    public func setManagedToOne(_ object: NSManagedObject?, _ key: ManagedKey) {
        let index = index(key)
        if table.pointee.entries[index].kind != .toOne { return setBoxedValue(object, slot(key)) }
        table.pointee.entries[index].slot._withUnsafeGuaranteedRef { setDestination(object, $0) }
    }

    public func managedToMany(_ key: ManagedKey) -> NSSet? {
        isProbe ? sampleMembers(key, none: NSSet()) : boxedValue(slot(key)) as? NSSet
    }

    public func managedOrderedToMany(_ key: ManagedKey) -> NSOrderedSet? {
        isProbe ? sampleMembers(key, none: NSOrderedSet()) : boxedValue(slot(key)) as? NSOrderedSet
    }

    public func setManagedToMany(_ objects: NSSet?, _ key: ManagedKey) { setBoxedValue(objects, slot(key)) }

    public func setManagedToMany(_ objects: NSOrderedSet?, _ key: ManagedKey) { setBoxedValue(objects, slot(key)) }

    /// What a fetched property finds, or the members of a to-many relationship, in order where it is ordered.
    public func managedFetched<Object: NSManagedObject>(_ key: ManagedKey) -> [Object]? {
        if isProbe { return sampleFetched(key) }
        let slot = readSlot(key)
        switch slot.kind {
        case .fetched: return fetchedObjects(slot).compactMap { $0 as? Object }
        case .toMany, .orderedToMany: return isTornDown(slot) ? [] : typedMembers(slot)
        default: trapOtherKind("an array of \(Object.self)", slot)
        }
    }

    /// Sets the members of a to-many relationship, in this order where it is ordered.
    public func setManagedFetched<Object: NSManagedObject>(_ objects: [Object]?, _ key: ManagedKey) {
        let slot = slot(key)
        guard slot.kind.isToMany else { return setBoxedValue(objects, slot) }
        var seen: Set<ObjectIdentifier> = []
        setMembers((objects ?? []).filter { seen.insert(ObjectIdentifier($0)).inserted }, slot)
    }

    // MARK: Members

    public func insertManaged(_ object: NSManagedObject, into key: ManagedKey) { insertMember(object, slot(key)) }

    public func insertManaged(_ objects: NSSet, into key: ManagedKey) { insert(objects.allObjects, key) }

    public func insertManaged(_ objects: NSOrderedSet, into key: ManagedKey) { insert(objects.array, key) }

    public func removeManaged(_ object: NSManagedObject, from key: ManagedKey) { removeMember(object, slot(key)) }

    public func removeManaged(_ objects: NSSet, from key: ManagedKey) { remove(objects.allObjects, key) }

    public func removeManaged(_ objects: NSOrderedSet, from key: ManagedKey) { remove(objects.array, key) }

    public func insertManaged(_ object: NSManagedObject, at index: Int, into key: ManagedKey) {
        insertMember(object, at: index, slot(key))
    }

    public func insertManaged(_ objects: [NSManagedObject], at indexes: NSIndexSet, into key: ManagedKey) {
        let slot = slot(key)
        for (object, index) in zip(objects, indexes as IndexSet) { insertMember(object, at: index, slot) }
    }

    public func removeManaged(at index: Int, from key: ManagedKey) { removeMember(at: index, slot(key)) }

    public func removeManaged(at indexes: NSIndexSet, from key: ManagedKey) {
        let slot = slot(key)
        (indexes as IndexSet).reversed().forEach { removeMember(at: $0, slot) }
    }

    public func replaceManaged(at index: Int, with object: NSManagedObject, in key: ManagedKey) {
        replaceMember(at: index, with: object, slot(key))
    }

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

    /// Says that a class declares a property otherwise than the model.
    func trapOtherKind(_ declared: String, _ slot: PropertySlot) -> Never {
        preconditionFailure(
            "\(type(of: self)) declares \"\(slot.name)\" as \(declared), but it is \(slot.kindName == "attribute" ? "an" : "a") \(slot.kindName) of the entity \(layout.name) with values of class \(slot.className); change the declaration, or the model."
        )
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
