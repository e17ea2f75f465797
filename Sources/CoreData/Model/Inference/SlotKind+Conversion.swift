/// Which numbers become numbers of another type without a loss.
extension SlotKind {
    enum Conversion {
        case always
        /// Numbers that the other type can hold.
        case ifItFits
        case never
    }

    /// What becomes of the values of an attribute that gets another type.
    func conversion(to other: SlotKind) -> Conversion {
        if self == other { return .always }
        guard let digits, let others = other.digits else { return .never }
        if isWhole { return digits <= others ? .always : .ifItFits }
        if other.isWhole { return .ifItFits }
        // A column of decimals has fractions as doubles.
        return other == .float ? .never : .always
    }

    private var isWhole: Bool {
        switch self {
        case .boolean, .int16, .int32, .int64: true
        default: false
        }
    }

    /// How many binary digits of an integer the type holds; nil for what is no number.
    private var digits: Int? {
        switch self {
        case .boolean: 1
        case .int16: 15
        case .int32: 31
        case .int64: 63
        case .float: 24
        case .double: 53
        // A column of decimals has integers as they are; other numbers as doubles.
        case .decimal: 63
        default: nil
        }
    }

    /// The integers that the type holds; nil for what is no number, and where all are held.
    var integers: ClosedRange<Int64>? {
        switch self {
        case .boolean: 0...1
        case .int16: Int64(Int16.min)...Int64(Int16.max)
        case .int32: Int64(Int32.min)...Int64(Int32.max)
        case .float: -(1 << 24)...(1 << 24)
        case .double: -(1 << 53)...(1 << 53)
        default: nil
        }
    }
}
