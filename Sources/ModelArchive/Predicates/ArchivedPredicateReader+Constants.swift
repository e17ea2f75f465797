import FoundationGaps

extension ArchivedPredicateReader {
    /// A constant's value; nil stands for `nil` in comparisons.
    func constant(_ value: ArchivedValue, depth: Int) throws -> Any? {
        switch value {
        case .null: nil
        case .boolean(let flag): flag
        case .integer(let number): Int(number)
        case .real(let number): number
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        case .data(let bytes): bytes
        case .string(let text): text
        case .unknown(let name): throw corruptArchive("A predicate has a constant of the unknown class “\(name)”.")
        case .object(let object): try constant(object, value, depth: depth)
        }
    }

    private func constant(_ object: ArchivedObject, _ value: ArchivedValue, depth: Int) throws -> Any? {
        if let elements = try object.elements() {
            try enter(depth)
            return try elements.map { try constant($0, depth: depth + 1) ?? NSNull() }
        }
        if let text = value.string { return text }
        if let bytes = value.bytes { return bytes }
        if let seconds = value.seconds { return Date(timeIntervalSinceReferenceDate: seconds) }
        if let decimal = object.decimal { return Decimal(string: decimal.description) }
        if let text = value.spelling(as: .uuid) { return UUID(uuidString: text) }
        if let text = value.spelling(as: .uri), let url = URL(string: text) { return url }
        throw corruptArchive("A predicate of the keyed archive has a constant of class “\(object.className)”.")
    }
}
