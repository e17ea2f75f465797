import FoundationGaps

/// The values that probes answer with: one of each type that attributes have.
struct ProbeSamples: Sendable {
    private let integer: Int64
    private let real: Double
    private let flag: Bool
    private let text: String
    private let seconds: Double
    private let id: UUID

    /// Values that no computation is likely to leave as they are: fitting every integer type, negative, of both cases.
    static let first = ProbeSamples(
        integer: -21_931, real: -7.25, flag: true, text: "Prøbe, first ", seconds: -86_399.5, id: UUID())
    static let second = ProbeSamples(
        integer: 17_203, real: 4099.5, flag: false, text: " sEcond, Prøbe", seconds: 700_000_000.25, id: UUID())

    /// A sample of the type, if there is one.
    func value<Value>(of type: Value.Type) -> Value? {
        for sample in all {
            if let value = sample as? Value { return value }
        }
        return nil
    }

    /// A sample of an attribute's values, as key-value coding boxes them; nil where the model does not know their type.
    func value(of kind: SlotKind) -> Any? {
        switch kind {
        case .int16, .int32, .int64: NSNumber(value: integer)
        case .boolean: NSNumber(value: flag)
        case .double, .float: NSNumber(value: real)
        case .decimal: DecimalNumber(decimal: Decimal(real))
        case .string: text
        case .date: date
        case .binary: data
        case .uuid: id
        case .uri: url
        case .transformable, .objectID, .undefined, .composite, .toOne, .toMany, .orderedToMany, .fetched: nil
        }
    }

    /// A value of any type with values that are plain bits, an enumeration's first case among them: all bits are zero.
    ///
    /// Key paths only pass it on; no code looks at it.
    static func blank<Value>(_ type: Value.Type) -> Value? {
        guard _isPOD(type) else { return nil }
        return withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
            UnsafeMutableRawBufferPointer(memory).initializeMemory(as: UInt8.self, repeating: 0)
            return memory[0]
        }
    }

    private var date: Date { Date(timeIntervalSinceReferenceDate: seconds) }
    private var data: Data { Data(text.utf8) }
    private var url: URL { URL(fileURLWithPath: "/" + id.uuidString) }

    private var all: [Any] {
        [
            integer, real, flag, text, date, data, id, url, DecimalNumber(decimal: Decimal(real)), [text],
            [text: integer] as [String: Any],
        ]
    }
}
