import FoundationGaps

/// Accessors for the types of `@NSManaged` declarations that classes from a model don't have: the declaration's author
/// chooses.
extension NSManagedObject {
    // MARK: Values that are not nil

    /// The value of a property whose declared type is not optional; traps where it is nil, with the property's name.
    ///
    /// It traps as well if the property has a value of another type. Numbers, strings, data and sets do not come here:
    /// nil gives zero or an empty value.
    public func managedRequired<Value>(_ value: Value?, _ key: ManagedKey) -> Value {
        if let value { return value }
        if isProbe, let anything = ProbeSamples.blank(Value.self) { return anything }
        if let given = boxedValue(slot(key)) {
            programmerError(
                "\"\(key.name)\" of \(type(of: self)) has the value \(given) of type \(type(of: given)), which is no \(Value.self), as the class declares it; declare it otherwise, or set another value."
            )
        }
        programmerError(
            "\"\(key.name)\" of \(type(of: self)) is nil, but the class declares it as \(Value.self); set it before it is read, or declare it as \(Value.self)?."
        )
    }

    // MARK: Numbers that may be nil

    /// The value of a Boolean attribute; nil if there is none.
    public func managedOptional(_ key: ManagedKey) -> Bool? { isNull(key) ? sample(key) : managedValue(key) }

    /// The value of an integer attribute; nil if there is none.
    public func managedOptional(_ key: ManagedKey) -> Int16? { isNull(key) ? sample(key) : managedValue(key) }

    /// The value of an integer attribute; nil if there is none.
    public func managedOptional(_ key: ManagedKey) -> Int32? { isNull(key) ? sample(key) : managedValue(key) }

    /// The value of an integer attribute; nil if there is none.
    public func managedOptional(_ key: ManagedKey) -> Int64? { isNull(key) ? sample(key) : managedValue(key) }

    /// The value of a floating-point attribute; nil if there is none.
    public func managedOptional(_ key: ManagedKey) -> Double? { isNull(key) ? sample(key) : managedValue(key) }

    /// The value of a floating-point attribute; nil if there is none.
    public func managedOptional(_ key: ManagedKey) -> Float? { isNull(key) ? sample(key) : managedValue(key) }

    /// Sets a Boolean attribute, also to nil.
    public func setManagedOptional(_ value: Bool?, _ key: ManagedKey) { setNumber(value.map { $0 ? 1 : 0 }, key) }

    /// Sets an integer attribute, also to nil.
    public func setManagedOptional(_ value: Int16?, _ key: ManagedKey) { setNumber(value.map { Int64($0) }, key) }

    /// Sets an integer attribute, also to nil.
    public func setManagedOptional(_ value: Int32?, _ key: ManagedKey) { setNumber(value.map { Int64($0) }, key) }

    /// Sets an integer attribute, also to nil.
    public func setManagedOptional(_ value: Int64?, _ key: ManagedKey) { setNumber(value, key) }

    /// Sets a floating-point attribute, also to nil. Not-a-number sets nil.
    public func setManagedOptional(_ value: Double?, _ key: ManagedKey) {
        if let value { setManagedValue(value, key) } else { setNull(key) }
    }

    /// Sets a floating-point attribute, also to nil. Not-a-number sets nil.
    public func setManagedOptional(_ value: Float?, _ key: ManagedKey) {
        setManagedOptional(value.map { Double($0) }, key)
    }

    // MARK: Values of the app's own types

    /// The value of an enumeration, or of another type that stands for an integer of the model.
    ///
    /// Nil in the model counts as 0. A number that the type does not know gives nil.
    @inlinable
    public func managedWrapped<Value: RawRepresentable>(_ key: ManagedKey) -> Value?
    where Value.RawValue: FixedWidthInteger {
        wrapped(Value.RawValue(truncatingIfNeeded: managedValue(key) as Int64), key)
    }

    /// The value of an enumeration, or of another type that stands for a string of the model.
    ///
    /// Nil if the string is nil, or if the type does not know it.
    @inlinable
    public func managedWrapped<Value: RawRepresentable>(_ key: ManagedKey) -> Value? where Value.RawValue == String {
        (managedValue(key) as String?).flatMap { wrapped($0, key) }
    }

    /// The value of a type that stands for a floating-point number of the model. Nil in the model counts as 0.
    @inlinable
    public func managedWrapped<Value: RawRepresentable>(_ key: ManagedKey) -> Value? where Value.RawValue == Double {
        wrapped(managedValue(key) as Double, key)
    }

    /// The value of a transformable attribute; nil if there is none, or if it is of another type.
    public func managedWrapped<Value>(_ key: ManagedKey) -> Value? { managedTransformable(key) }

    /// Sets an integer attribute to the raw value; nil sets nil.
    @inlinable
    public func setManagedWrapped<Value: RawRepresentable>(_ value: Value?, _ key: ManagedKey)
    where Value.RawValue: FixedWidthInteger {
        setManagedOptional(value.map { Int64(truncatingIfNeeded: $0.rawValue) }, key)
    }

    /// Sets a string attribute to the raw value; nil sets nil.
    @inlinable
    public func setManagedWrapped<Value: RawRepresentable>(_ value: Value?, _ key: ManagedKey)
    where Value.RawValue == String { setManagedValue(value?.rawValue, key) }

    /// Sets a floating-point attribute to the raw value; nil sets nil.
    @inlinable
    public func setManagedWrapped<Value: RawRepresentable>(_ value: Value?, _ key: ManagedKey)
    where Value.RawValue == Double { setManagedOptional(value?.rawValue, key) }

    /// Sets a transformable attribute, also to nil.
    public func setManagedWrapped<Value>(_ value: Value?, _ key: ManagedKey) { setManagedTransformable(value, key) }

    /// The value that a raw value stands for; a raw value that stands for none is none.
    @usableFromInline
    func wrapped<Value: RawRepresentable>(_ raw: Value.RawValue, _ key: ManagedKey) -> Value? {
        if let value = Value(rawValue: raw) { return value }
        return isProbe ? ProbeSamples.blank(Value.self) : nil
    }

    // MARK: Relationships

    /// The members of a to-many relationship as a Swift set: a value, which later changes do not reach.
    ///
    /// Objects of another class than the declared one are left out. Traps for a property that is no to-many
    /// relationship.
    public func managedMembers<Object: NSManagedObject>(_ key: ManagedKey) -> Set<Object>? {
        if isProbe { return (managedToMany(key)).map { Set($0.allObjects.compactMap { $0 as? Object }) } }
        let slot = readSlot(key)
        if !slot.kind.isToMany { trapOtherKind("Set<\(Object.self)>", slot) }
        return isTornDown(slot) ? [] : typedMembers(slot)
    }

    /// Sets the members of an unordered to-many relationship; the inverses follow. Nil empties it.
    ///
    /// Traps for an ordered relationship, as a Swift set has no order.
    public func setManagedMembers<Object: NSManagedObject>(_ objects: Set<Object>?, _ key: ManagedKey) {
        let slot = slot(key)
        if slot.kind == .toMany { return setMembers(Array(objects ?? []), slot) }
        if let objects { refuse(objects, slot) }
        setBoxedValue(nil, slot)
    }

    /// The members of an unordered relationship, as a set whose changes go through: see ``mutableSetValue(forKey:)``.
    public func managedMutableSet(_ key: ManagedKey) -> NSMutableSet? {
        isProbe
            ? managedToMany(key).map { NSMutableSet(set: $0 as? Set<AnyHashable> ?? []) }
            : mutableMembers(key.name.description)
    }

    /// The members of an ordered relationship, as a set whose changes go through: see
    /// ``mutableOrderedSetValue(forKey:)``.
    public func managedMutableOrderedSet(_ key: ManagedKey) -> NSMutableOrderedSet? {
        isProbe
            ? managedOrderedToMany(key).map { NSMutableOrderedSet(orderedSet: $0) }
            : mutableOrderedSetValue(forKey: key.name.description)
    }

    /// Adds objects to a to-many relationship; the inverses follow.
    public func insertManaged(_ objects: Set<some NSManagedObject>, into key: ManagedKey) {
        insertManaged(Array(objects), into: key)
    }

    /// Adds objects to a to-many relationship, in their order; the inverses follow.
    public func insertManaged(_ objects: [NSManagedObject], into key: ManagedKey) {
        objects.forEach { insertManaged($0, into: key) }
    }

    /// Removes objects from a to-many relationship; the inverses follow.
    public func removeManaged(_ objects: Set<some NSManagedObject>, from key: ManagedKey) {
        removeManaged(Array(objects), from: key)
    }

    /// Removes objects from a to-many relationship; the inverses follow.
    public func removeManaged(_ objects: [NSManagedObject], from key: ManagedKey) {
        objects.forEach { removeManaged($0, from: key) }
    }

    /// Puts objects at indexes of an ordered relationship, one after the other, the smallest index first.
    public func insertManaged(_ objects: [NSManagedObject], at indexes: IndexSet, into key: ManagedKey) {
        insertManaged(objects, at: indexes as NSIndexSet, into: key)
    }

    /// Removes the members at indexes of an ordered relationship.
    public func removeManaged(at indexes: IndexSet, from key: ManagedKey) {
        removeManaged(at: indexes as NSIndexSet, from: key)
    }

    /// Replaces the members at indexes of an ordered relationship, in the order of both lists.
    public func replaceManaged(at indexes: IndexSet, with objects: [NSManagedObject], in key: ManagedKey) {
        replaceManaged(at: indexes as NSIndexSet, with: objects, in: key)
    }

    // MARK: Primitive values

    /// Sets a value without telling observers, as ``setPrimitiveValue(_:forKey:)`` does.
    ///
    /// A value of a `RawRepresentable` type is set as its raw value.
    public func setManagedPrimitive<Value>(_ value: Value, _ key: ManagedKey) {
        setPrimitiveValue(boxed(rawValue(of: value)), forKey: key.name.description)
    }

    private func rawValue(of value: Any?) -> Any? {
        func raw(_ value: some RawRepresentable) -> Any { value.rawValue }
        return (value as? any RawRepresentable).map { raw($0) } ?? value
    }

    // MARK: Slots

    private func isNull(_ key: ManagedKey) -> Bool { read(key).isNull }

    private func setNumber(_ value: Int64?, _ key: ManagedKey) {
        if let value { setManagedValue(value, key) } else { setNull(key) }
    }

    private func setNull(_ key: ManagedKey) { setBoxedValue(nil, slot(key)) }
}
