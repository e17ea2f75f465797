import FoundationGaps

extension ArchivedPredicateWriter {
    /// A constant's value.
    ///
    /// - Parameters:
    ///   - value: The value as it was given, which tells truth values from numbers.
    ///   - known: The value as predicates compare it.
    mutating func add(_ value: Any?, _ known: PredicateValue) throws -> ArchiveReference {
        if let truth = Self.truth(value) { return builder.boolean(truth) }
        switch known {
        case .null: return .null
        case .integer(let number): return builder.integer(number)
        case .double(let number): return builder.real(number)
        case .string(let text): return builder.string(text)
        case .data(let bytes): return builder.data(bytes)
        case .date(let date): return builder.date(date.timeIntervalSinceReferenceDate)
        case .uuid(let uuid): return builder.uuid(uuid)
        case .url(let url): return builder.url(url.absoluteString)
        case .decimal(let number):
            guard let decimal = ArchivedDecimal(number.description) else { throw unwritable(number) }
            return builder.object(.decimal, decimal.fields)
        case .collection(let collection):
            var references: [ArchiveReference] = []
            for element in collection.elements { references.append(try add(element, PredicateValue(element))) }
            return builder.array(references)
        case .object(let object): throw unwritable(object)
        case .other(let other): throw unwritable(other)
        }
    }

    /// The truth value, if the value is one and no number: a `Bool`, or a number object made of one.
    private static func truth(_ value: Any?) -> Bool? {
        guard let value else { return nil }
        if type(of: value) == Bool.self { return value as? Bool }
        guard let number = value as? NSNumber, type(of: value) is NSNumber.Type else { return nil }
        return ["c", "B"].contains(String(cString: number.objCType)) ? number.boolValue : nil
    }

    private func unwritable(_ value: Any) -> CocoaError {
        unwritableValue("A predicate's constant of type \(type(of: value)) can't be archived: \(value).")
    }
}
