import FoundationGaps

/// The accessors of generated classes: typed, without a box, straight to the slot.
///
/// This is the contract between the model compiler and the runtime; apps call what the compiler generates instead.
extension NSManagedObject {
    // MARK: Numbers

    public func managedValue(_ key: ManagedKey) -> Int16 { Int16(truncatingIfNeeded: integer(key)) }

    public func setManagedValue(_ value: Int16, _ key: ManagedKey) { set(.int(Int64(value)), key) }

    public func managedValue(_ key: ManagedKey) -> Int32 { Int32(truncatingIfNeeded: integer(key)) }

    public func setManagedValue(_ value: Int32, _ key: ManagedKey) { set(.int(Int64(value)), key) }

    public func managedValue(_ key: ManagedKey) -> Int64 { Int64(truncatingIfNeeded: integer(key)) }

    public func setManagedValue(_ value: Int64, _ key: ManagedKey) { set(.int(Int64(value)), key) }

    public func managedValue(_ key: ManagedKey) -> Bool {
        if case .int(let value) = read(key) { return value != 0 }
        return sample(key) ?? false
    }

    public func setManagedValue(_ value: Bool, _ key: ManagedKey) { set(.int(value ? 1 : 0), key) }

    public func managedValue(_ key: ManagedKey) -> Double { double(key) ?? sample(key) ?? 0 }

    public func setManagedValue(_ value: Double, _ key: ManagedKey) { set(Slot(finite: value), key) }

    public func managedValue(_ key: ManagedKey) -> Float { Float(double(key) ?? sample(key) ?? 0) }

    public func setManagedValue(_ value: Float, _ key: ManagedKey) { set(Slot(finite: Double(value)), key) }

    public func managedValue(_ key: ManagedKey) -> NSDecimalNumber? {
        attribute(key) as? NSDecimalNumber ?? sample(key)
    }

    public func setManagedValue(_ value: NSDecimalNumber?, _ key: ManagedKey) {
        set(value.map { Slot(finite: $0 as? DecimalNumber ?? DecimalNumber($0)) } ?? .null, key)
    }

    // MARK: Other attributes

    public func managedValue(_ key: ManagedKey) -> String? {
        let index = index(key)
        fireIfNeeded(index)
        noteRead(index)
        switch changedValue(index) {
        case .unset: return storedText(index) ?? sample(key)
        case .string(let value): return value
        default: return sample(key)
        }
    }

    public func setManagedValue(_ value: String?, _ key: ManagedKey) {
        if let value { set(.string(value), key) } else { set(.null, key) }
    }

    public func managedValue(_ key: ManagedKey) -> Date? {
        double(key).map { Date(timeIntervalSinceReferenceDate: $0) } ?? sample(key)
    }

    public func setManagedValue(_ value: Date?, _ key: ManagedKey) {
        set(value.map { Slot(finite: $0.timeIntervalSinceReferenceDate) } ?? .null, key)
    }

    public func managedValue(_ key: ManagedKey) -> Data? {
        if case .data(let value) = read(key) { return value }
        return sample(key)
    }

    public func setManagedValue(_ value: Data?, _ key: ManagedKey) {
        set(value.map { .data($0) } ?? .null, key)
    }

    public func managedValue(_ key: ManagedKey) -> UUID? {
        if case .uuid(let value) = read(key) { return value }
        return sample(key)
    }

    public func setManagedValue(_ value: UUID?, _ key: ManagedKey) {
        set(value.map { .uuid($0) } ?? .null, key)
    }

    public func managedValue(_ key: ManagedKey) -> URL? { attribute(key) as? URL ?? sample(key) }

    public func setManagedValue(_ value: URL?, _ key: ManagedKey) {
        set(value.map { .object($0 as NSURL) } ?? .null, key)
    }

    /// A transformable, composite or untyped attribute.
    public func managedTransformable<Value>(_ key: ManagedKey) -> Value? {
        // Unwrapped first: an empty optional would do for `Any`.
        boxedValue(slot(key)).flatMap { $0 as? Value } ?? sample(key)
    }

    public func setManagedTransformable<Value>(_ value: Value?, _ key: ManagedKey) { setBoxedValue(value, slot(key)) }

    // MARK: Relationships

    public func managedToOne<Object: NSManagedObject>(_ key: ManagedKey) -> Object? {
        destination(readSlot(key)) as? Object ?? sampleDestination(key)
    }

    public func setManagedToOne(_ object: NSManagedObject?, _ key: ManagedKey) {
        let index = index(key)
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

    public func managedFetched<Object: NSManagedObject>(_ key: ManagedKey) -> [Object]? {
        isProbe ? sampleFetched(key) : fetchedObjects(readSlot(key)).compactMap { $0 as? Object }
    }

    // MARK: Members

    public func insertManaged(_ object: NSManagedObject, into key: ManagedKey) { insertMember(object, slot(key)) }

    public func insertManaged(_ objects: NSSet, into key: ManagedKey) { insert(objects.allObjects, key) }

    public func insertManaged(_ objects: NSOrderedSet, into key: ManagedKey) { insert(objects.array, key) }

    public func removeManaged(_ object: NSManagedObject, from key: ManagedKey) { removeMember(object, slot(key)) }

    public func removeManaged(_ objects: NSSet, from key: ManagedKey) { remove(objects.allObjects, key) }

    public func removeManaged(_ objects: NSOrderedSet, from key: ManagedKey) { remove(objects.array, key) }

    public func insertManaged(_ object: NSManagedObject, at index: Int, into key: ManagedKey) {
        edit(slot(key)) { $0.insert(object, at: index) }
    }

    public func insertManaged(_ objects: [NSManagedObject], at indexes: NSIndexSet, into key: ManagedKey) {
        edit(slot(key)) { members in
            for (object, index) in zip(objects, indexes as IndexSet) { members.insert(object, at: index) }
        }
    }

    public func removeManaged(at index: Int, from key: ManagedKey) { edit(slot(key)) { $0.remove(at: index) } }

    public func removeManaged(at indexes: NSIndexSet, from key: ManagedKey) {
        edit(slot(key)) { members in (indexes as IndexSet).reversed().forEach { members.remove(at: $0) } }
    }

    public func replaceManaged(at index: Int, with object: NSManagedObject, in key: ManagedKey) {
        edit(slot(key)) { $0[index] = object }
    }

    public func replaceManaged(at indexes: NSIndexSet, with objects: [NSManagedObject], in key: ManagedKey) {
        edit(slot(key)) { members in
            for (object, index) in zip(objects, indexes as IndexSet) { members[index] = object }
        }
    }

    // MARK: Slots

    /// The slot of a generated key whose value is read.
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
    @inline(__always)
    private func set(_ value: consuming Slot, _ key: ManagedKey) {
        let index = index(key)
        write(index, table.pointee.entries[index].kind, value)
    }

    @inline(__always)
    private func integer(_ key: ManagedKey) -> Int64 {
        let index = index(key)
        fireIfNeeded(index)
        noteRead(index)
        switch changedValue(index) {
        case .unset: return storedWord(index).map { Int64(bitPattern: $0) } ?? sample(key) ?? 0
        case .int(let value): return value
        default: return sample(key) ?? 0
        }
    }

    @inline(__always)
    private func double(_ key: ManagedKey) -> Double? {
        let index = index(key)
        fireIfNeeded(index)
        noteRead(index)
        switch changedValue(index) {
        case .unset: return storedWord(index).map { Double(bitPattern: $0) }
        case .double(let value): return value
        default: return nil
        }
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
