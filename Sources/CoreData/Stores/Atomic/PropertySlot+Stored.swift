import FoundationGaps

extension PropertySlot {
    /// A boxed value of the attribute as a row holds it; nil where its type is not the attribute's.
    ///
    /// - Throws: 1550 for a transformable's value that gives no data.
    func stored(_ value: Any?) throws -> Slot? {
        guard let value, !(value is NSNull) else { return .null }
        switch kind {
        case .int16: return integer(value, Int64(Int16.min)...Int64(Int16.max))
        case .int32: return integer(value, Int64(Int32.min)...Int64(Int32.max))
        case .int64: return integer(value, .min ... .max)
        case .boolean: return (value as? NSNumber).map { .int($0.boolValue ? 1 : 0) }
        case .double: return (value as? NSNumber).map { Slot(storing: $0.doubleValue) }
        case .float: return (value as? NSNumber).map { Slot(storing: Double($0.floatValue)) }
        case .decimal: return decimal(value)
        case .string: return (value as? String).map { .string($0) }
        case .date: return (value as? Date).map { Slot(storing: $0.timeIntervalSinceReferenceDate) }
        case .binary: return (value as? Data).map { .data($0) }
        case .uuid: return (value as? UUID).map { .uuid($0) }
        case .uri: return (value as? URL).map { .object($0 as NSURL) }
        case .transformable: return .data(try data(from: value))
        case .objectID:
            return (value as? NSManagedObjectID).map { .data(Data($0.uriRepresentation().absoluteString.utf8)) }
        case .undefined, .composite, .toOne, .toMany, .orderedToMany, .fetched: return nil
        }
    }

    private func integer(_ value: Any, _ range: ClosedRange<Int64>) -> Slot? {
        guard let number = value as? NSNumber, range.contains(number.int64Value),
            abs(number.doubleValue - Double(number.int64Value)) < 1
        else { return nil }
        return .int(number.int64Value)
    }

    private func decimal(_ value: Any) -> Slot? {
        if let decimal = value as? Decimal { return Slot(storing: DecimalNumber(decimal: decimal)) }
        return (value as? NSNumber).map { Slot(storing: DecimalNumber(decimal: $0.decimalValue)) }
    }
}

extension Slot {
    /// Not-a-number is null, in stores of all kinds.
    fileprivate init(storing value: Double) { self = value.isNaN ? .null : .double(value) }

    fileprivate init(storing value: DecimalNumber) { self = value.decimalValue.isNaN ? .null : .object(value) }
}
