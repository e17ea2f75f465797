import FoundationGaps

/// Values as key-value coding sees them: boxed, by name, of the classes that Apple's framework uses.
extension NSManagedObject {
    /// The value of a property, boxed; a fault fires.
    func boxedValue(_ slot: PropertySlot) -> Any? {
        noteRead(slot.index)
        switch slot.kind {
        case .toOne: return isTornDown(slot) ? nil : readDestination(slot)
        case .toMany: return isTornDown(slot) ? NSSet() : memberView(slot)
        case .orderedToMany: return isTornDown(slot) ? NSOrderedSet() : memberView(slot)
        case .fetched: return fetchedObjects(slot)
        case .composite: return compositeValue(slot)
        case .transformable: return transformedValue(slot)
        default:
            fireIfNeeded(slot.index)
            return NSManagedObject.box(current(slot), slot.kind)
        }
    }

    /// The value that the row has, boxed as key-value coding boxes it; to-many relationships as the store has them.
    func committedValue(_ slot: PropertySlot) -> Any? {
        switch slot.kind {
        case .toOne:
            guard case .reference(let reference) = snapshotValue(slot) else { return nil }
            return contextStorage?.object(for: reference)
        case .toMany, .orderedToMany:
            let objects = contextStorage?.objects(for: loadedToMany(slot).stored ?? []) ?? []
            return slot.kind == .toMany ? NSSet(array: objects) : NSOrderedSet(array: objects)
        case .transformable:
            guard case .data(let data) = snapshotValue(slot) else { return nil }
            return transformed(data, slot)
        case .composite:
            return Dictionary(
                uniqueKeysWithValues: slot.elements.compactMap { index in
                    committedValue(layout.slots[index]).map { (layout.slots[index].lastName, $0) }
                })
        default: return NSManagedObject.box(snapshotValue(slot), slot.kind)
        }
    }

    static func box(_ value: Slot, _ kind: SlotKind) -> Any? {
        switch (value, kind) {
        case (.unset, _), (.null, _): nil
        case (.int(let value), .boolean): NSNumber(value: value != 0)
        case (.int(let value), _): NSNumber(value: value)
        case (.double(let value), .date): Date(timeIntervalSinceReferenceDate: value)
        case (.double(let value), .float): NSNumber(value: Float(value))
        case (.double(let value), _): NSNumber(value: value)
        case (.string(let value), _): value
        case (.data(let value), _): value
        case (.uuid(let value), _): value
        case (.object(let box as ValueBox), _): box.value
        case (.object(let url as NSURL), _): url as URL
        case (.object(let object), _): object
        case (.reference, _): nil
        }
    }

    /// Sets a property from a boxed value.
    func setBoxedValue(_ value: Any?, _ slot: PropertySlot) {
        switch slot.kind {
        case .toOne: setDestination(value.map { accept($0, slot) }, slot)
        case .toMany, .orderedToMany: setMembers(memberObjects(from: value, slot), slot)
        case .fetched:
            programmerError(
                "The fetched property \"\(slot.name)\" of \(layout.name) can't be set; change the objects that its request finds."
            )
        case .composite: setCompositeValue(value, slot)
        default: write(slot, value.map { unboxed($0, slot) } ?? .null)
        }
    }

    /// Sets a property without a notice.
    func setPrimitive(_ value: Any?, _ slot: PropertySlot) {
        fireIfNeeded()
        switch slot.kind {
        case .toOne: setPrimitiveDestination(value.map { accept($0, slot) }, slot)
        case .toMany, .orderedToMany: setPrimitiveMembers(memberObjects(from: value, slot), slot)
        case .fetched, .composite: setBoxedValue(value, slot)
        default:
            mutableRecord[slot.index] = value.map { unboxed($0, slot) } ?? .null
            if slot.kind == .transformable { mutableRecord.setCache(slot.index, nil) }
        }
    }

    private func setPrimitiveDestination(_ destination: NSManagedObject?, _ slot: PropertySlot) {
        if let destination { check(destination, slot) }
        // Without a context the destination is known by being held, and the inverse follows at once.
        if contextReference == nil { return setDestination(destination, slot, isTold: true) }
        mutableRecord.noteBeforePrimitive(slot.index)
        mutableRecord[slot.index] = destination.map { .reference($0.reference) } ?? .null
    }

    private func setPrimitiveMembers(_ members: [NSManagedObject], _ slot: PropertySlot) {
        members.forEach { check($0, slot) }
        if contextReference == nil { return replaceMembers(members, slot) }
        let state = loadedToMany(slot)
        if state.beforePrimitive == nil { state.beforePrimitive = state.members }
        state.assign(members.map(\.reference))
        updateView(slot, state)
    }

    /// A boxed value as a slot holds it; traps where its type is not the attribute's.
    func unboxed(_ value: Any, _ slot: PropertySlot) -> Slot {
        switch slot.kind {
        case .int16: .int(integer(value, slot, Int64(Int16.min)...Int64(Int16.max)))
        case .int32: .int(integer(value, slot, Int64(Int32.min)...Int64(Int32.max)))
        case .int64: .int(integer(value, slot, .min ... .max))
        case .boolean: .int((accept(value, slot) as NSNumber).boolValue ? 1 : 0)
        case .double: Slot(finite: (accept(value, slot) as NSNumber).doubleValue)
        case .float: Slot(finite: Double((accept(value, slot) as NSNumber).floatValue))
        case .decimal: Slot(finite: decimal(value, slot))
        case .string: .string(accept(value, slot))
        case .date: Slot(finite: (accept(value, slot) as Date).timeIntervalSinceReferenceDate)
        case .binary: .data(accept(value, slot))
        case .uuid: .uuid(accept(value, slot))
        case .uri: .object((accept(value, slot) as URL) as NSURL)
        case .transformable, .undefined: .object(ValueBox(value))
        case .objectID: .object(ValueBox(accept(value, slot) as NSManagedObjectID))
        case .composite, .toOne, .toMany, .orderedToMany, .fetched: .null
        }
    }

    private func integer(_ value: Any, _ slot: PropertySlot, _ range: ClosedRange<Int64>) -> Int64 {
        let given = accept(value, slot) as NSNumber
        let number = given.int64Value
        // What is beyond 64 bits wraps round; a fraction is cut off.
        require(
            range.contains(number) && abs(given.doubleValue - Double(number)) < 1,
            "\(given) does not fit \"\(slot.name)\" of \(layout.name), an attribute of type \(slot.kind); set a whole number from \(range.lowerBound) to \(range.upperBound)."
        )
        return number
    }

    private func decimal(_ value: Any, _ slot: PropertySlot) -> NSDecimalNumber {
        if let number = value as? DecimalNumber { return number }
        if let decimal = value as? Decimal { return DecimalNumber(decimal: decimal) }
        return DecimalNumber(accept(value, slot) as NSNumber)
    }

    private func accept<T>(_ value: Any, _ slot: PropertySlot) -> T {
        guard let accepted = value as? T else { refuse(value, slot) }
        return accepted
    }

    /// Says that a property can't take a value of this class.
    func refuse(_ value: Any, _ slot: PropertySlot) -> Never {
        programmerError(
            "Unacceptable type of value for \(slot.kindName): property = \"\(slot.name)\"; desired type = \(slot.className); given type = \(type(of: value)); value = \(value is NSNull ? "<null>" : value). The entity is \(layout.name). Set a value of the desired type."
        )
    }

    /// Says that a class declares a property otherwise than the model.
    func trapOtherKind(_ declared: String, _ slot: PropertySlot) -> Never {
        programmerError(
            "\(type(of: self)) declares \"\(slot.name)\" as \(declared), but it is \(slot.kindName == "attribute" ? "an" : "a") \(slot.kindName) of the entity \(layout.name) whose values are of class \(slot.className); change the declaration, or the model."
        )
    }

    private func memberObjects(from value: Any?, _ slot: PropertySlot) -> [NSManagedObject] {
        guard let value else { return [] }
        if slot.kind == .orderedToMany {
            guard let set = value as? NSOrderedSet else { refuse(value, slot) }
            return set.array.map { managedObject($0, slot) }
        }
        if let set = value as? NSSet { return set.allObjects.map { managedObject($0, slot) } }
        guard let set = value as? Set<AnyHashable> else { refuse(value, slot) }
        return set.map { managedObject($0.base, slot) }
    }

    // MARK: Transformable attributes

    /// The value of a transformable attribute; transformed once, then kept.
    func transformedValue(_ slot: PropertySlot) -> Any? {
        fireIfNeeded(slot.index)
        if let box = record?.cache(slot.index, as: ValueBox.self) { return box.value }
        switch current(slot) {
        case .object(let box as ValueBox): return box.value
        case .data(let data):
            guard let value = transformed(data, slot) else { return nil }
            mutableRecord.setCache(slot.index, ValueBox(value))
            return value
        default: return nil
        }
    }

    /// The value that stored data stands for. Data that the transformer does not accept gives nil, which is said on
    /// standard error; it stays in the store as it is until another value is set.
    func transformed(_ data: Data, _ slot: PropertySlot) -> Any? {
        do {
            return try slot.transform(data)
        } catch {
            FileHandle.standardError.write(
                Data("CoreData: error: \"\(slot.name)\" of \(ownID): \(error.localizedDescription)\n".utf8))
            return nil
        }
    }

    // MARK: Composite attributes

    private func compositeValue(_ slot: PropertySlot) -> Any? {
        var values: [String: Any] = [:]
        for index in slot.elements {
            let element = layout.slots[index]
            if let value = boxedValue(element) { values.set(value, path: element.pathBelow(slot)) }
        }
        return values.isEmpty ? nil : values
    }

    private func setCompositeValue(_ value: Any?, _ slot: PropertySlot) {
        let values = (value.map { accept($0, slot) as [String: Any] }) ?? [:]
        for index in slot.elements {
            let element = layout.slots[index]
            let value = values.value(path: element.pathBelow(slot))
            setBoxedValue(value is NSNull ? nil : value, element)
        }
    }
}

extension PropertySlot {
    /// The property's kind, as messages name it.
    var kindName: String {
        switch kind {
        case .toOne: "to-one relationship"
        case .toMany, .orderedToMany: "to-many relationship"
        case .fetched: "fetched property"
        default: "attribute"
        }
    }

    /// The class of the property's values in key-value coding.
    var className: String {
        switch kind {
        case .int16, .int32, .int64, .boolean, .double, .float: "NSNumber"
        case .decimal: "NSDecimalNumber"
        case .string: "NSString"
        case .date: "NSDate"
        case .binary: "NSData"
        case .uuid: "NSUUID"
        case .uri: "NSURL"
        case .objectID: "NSManagedObjectID"
        case .composite: "NSDictionary"
        case .toOne: relationship?.destinationEntity?.managedObjectClassName ?? "NSManagedObject"
        case .toMany: "NSSet"
        case .orderedToMany: "NSOrderedSet"
        case .fetched: "NSArray"
        case .transformable, .undefined: attribute?.attributeValueClassName ?? "NSObject"
        }
    }
}

extension Slot {
    /// Not-a-number is stored as null, as SQLite does.
    init(finite value: Double) { self = value.isNaN ? .null : .double(value) }

    /// As for the other kinds of numbers.
    init(finite value: NSDecimalNumber) { self = value.decimalValue.isNaN ? .null : .object(value) }
}
