import FoundationGaps

extension EntityLayout {
    /// The model's default values, as slots hold them.
    func makeDefaults() -> [(index: Int, value: Slot)] {
        slots.compactMap { slot in
            guard let value = slot.attribute?.defaultValue, !(value is NSNull), slot.kind != .composite else {
                return nil
            }
            return (slot.index, defaultSlot(value, slot))
        }
    }

    private func defaultSlot(_ value: Any, _ slot: PropertySlot) -> Slot {
        switch slot.kind {
        case .int16, .int32, .int64: (value as? NSNumber).map { .int($0.int64Value) } ?? .null
        case .boolean: (value as? NSNumber).map { .int($0.boolValue ? 1 : 0) } ?? .null
        case .double, .float: (value as? NSNumber).map { Slot(finite: $0.doubleValue) } ?? .null
        case .date: (value as? Date).map { .double($0.timeIntervalSinceReferenceDate) } ?? .null
        case .string: (value as? String).map { .string($0) } ?? .null
        case .binary: (value as? Data).map { .data($0) } ?? .null
        case .uuid: (value as? UUID).map { .uuid($0) } ?? .null
        case .uri: (value as? URL).map { .object($0 as NSURL) } ?? .null
        case .decimal: (value as? NSNumber).map { .object(DecimalNumber($0)) } ?? .null
        case .transformable, .undefined: .object(ValueBox(value))
        case .objectID, .composite, .toOne, .toMany, .orderedToMany, .fetched: .null
        }
    }
}
