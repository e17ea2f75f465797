import Foundation

extension PredicateFunction {
    /// The function's value for arguments.
    ///
    /// - Throws: `PredicateEvaluationError` for arguments of the wrong kind or number.
    func value(of arguments: [NSExpression], in scope: EvaluationScope) throws -> PredicateValue {
        if let count = argumentCount, count != arguments.count {
            throw PredicateEvaluationError("\(rawValue) takes \(count) arguments, not \(arguments.count)")
        }
        if self == .element { return try element(arguments[0], arguments[1], in: scope) }
        let values = try arguments.map { try $0.value(in: scope) }
        switch self {
        case .sum, .count, .minimum, .maximum, .average, .median, .mode, .standardDeviation:
            return try ofSeveral(values)
        case .add, .subtract, .multiply, .divide, .modulus, .power:
            return try Arithmetic.apply(values[0], values[1], self)
        case .squareRoot, .logarithm, .naturalLogarithm, .exponential, .floor, .ceiling, .absolute, .truncate:
            return try ofNumber(values[0])
        case .uppercase, .lowercase, .canonical, .length: return try ofText(values[0])
        case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .shiftLeft, .shiftRight, .onesComplement: return try ofBits(values)
        case .random: return .integer(Int64.random(in: 0...Int64(Int32.max)))
        case .randomBelow: return try randomNumber(below: values[0])
        case .now: return .date(Date())
        case .noIndex, .indexedBy: return values[0]
        case .distance: return try distance(values[0], values[1])
        case .cast: return try PredicateCast.value(of: values[0], as: values[1])
        case .element: return .null
        }
    }

    // MARK: One number

    private func ofNumber(_ value: PredicateValue) throws -> PredicateValue {
        switch (self, value) {
        case (_, .null): return .null
        case (.floor, .integer), (.ceiling, .integer), (.truncate, .integer): return value
        case (.absolute, .integer(let number)) where number != .min: return .integer(Swift.abs(number))
        case (.absolute, .decimal(let number)): return .decimal(Swift.abs(number))
        case (.floor, .decimal(let number)): return .decimal(Arithmetic.rounded(number, .down))
        case (.ceiling, .decimal(let number)): return .decimal(Arithmetic.rounded(number, .up))
        case (.truncate, .decimal(let number)): return .decimal(Arithmetic.truncated(number))
        default: return .double(ofDouble(try Arithmetic.number(value, self)))
        }
    }

    private func ofDouble(_ number: Double) -> Double {
        switch self {
        case .squareRoot: number.squareRoot()
        case .logarithm: log10(number)
        case .naturalLogarithm: log(number)
        case .exponential: exp(number)
        case .floor: number.rounded(.down)
        case .ceiling: number.rounded(.up)
        case .truncate: number.rounded(.towardZero)
        default: Swift.abs(number)
        }
    }

    private func randomNumber(below limit: PredicateValue) throws -> PredicateValue {
        let limit = try integer(limit)
        guard limit > 0 else { throw PredicateEvaluationError("randomn: needs a number above 0, not \(limit)") }
        return .integer(Int64.random(in: 0..<limit))
    }

    // MARK: Bits

    private func ofBits(_ values: [PredicateValue]) throws -> PredicateValue {
        if values.contains(where: \.isNull) { return .null }
        let first = try integer(values[0])
        if self == .onesComplement { return .integer(~first) }
        let second = try integer(values[1])
        switch self {
        case .bitwiseAnd: return .integer(first & second)
        case .bitwiseOr: return .integer(first | second)
        case .bitwiseXor: return .integer(first ^ second)
        // Swift's smart shifts: too far gives 0 (or -1), a negative distance shifts the other way, as SQLite does.
        case .shiftLeft: return .integer(first << second)
        default: return .integer(first >> second)
        }
    }

    private func integer(_ value: PredicateValue) throws -> Int64 {
        if case .integer(let number) = value { return number }
        guard let whole = Int64(exactly: try Arithmetic.number(value, self).rounded(.towardZero)) else {
            throw PredicateEvaluationError("\(rawValue) needs integers, and a number is out of their range")
        }
        return whole
    }

    // MARK: Texts

    private func ofText(_ value: PredicateValue) throws -> PredicateValue {
        if case .null = value { return .null }
        guard case .string(let text) = value else {
            throw PredicateEvaluationError("\(rawValue) needs a text, not \(value.kindName)")
        }
        switch self {
        case .uppercase: return .string(text.uppercased())
        case .lowercase: return .string(text.lowercased())
        case .canonical: return .string(StringComparison.folded(text, [.caseInsensitive, .diacriticInsensitive]))
        default: return .integer(Int64(text.utf16.count))
        }
    }

    // MARK: Elements

    private func element(
        _ container: NSExpression, _ index: NSExpression, in scope: EvaluationScope
    ) throws -> PredicateValue {
        let container = try container.value(in: scope)
        guard case .collection(let collection) = container else {
            if container.isNull { return .null }
            throw PredicateEvaluationError("only collections have elements, not \(container.kindName)")
        }
        if case .symbol(let symbol) = index.node { return element(of: collection, symbol) }
        let index = try index.value(in: scope)
        if collection.kind == .dictionary {
            return PredicateValue(index.boxed.flatMap { collection.value(forKey: $0) })
        }
        let position = try integer(index)
        guard collection.elements.indices.contains(Int(position)) else {
            throw PredicateEvaluationError("the index \(position) is beyond the \(collection.elements.count) elements")
        }
        return PredicateValue(collection.elements[Int(position)])
    }

    private func element(of collection: PredicateCollection, _ symbol: ExpressionNode.IndexSymbol) -> PredicateValue {
        switch symbol {
        case .first: PredicateValue(collection.elements.first)
        case .last: PredicateValue(collection.elements.last)
        case .size: .integer(Int64(collection.elements.count))
        }
    }

    /// The way between two places in metres, along a great circle; a place is any object with `latitude` and
    /// `longitude` in degrees.
    private func distance(_ from: PredicateValue, _ to: PredicateValue) throws -> PredicateValue {
        if from.isNull || to.isNull { return .null }
        let (a, b) = try (place(from), place(to))
        let halfHeight = sin((b.latitude - a.latitude) / 2)
        let halfWidth = sin((b.longitude - a.longitude) / 2)
        let root = (halfHeight * halfHeight + cos(a.latitude) * cos(b.latitude) * halfWidth * halfWidth).squareRoot()
        let earthRadius = 6_371_008.8
        return .double(2 * earthRadius * asin(min(1, root)))
    }

    private func place(_ location: PredicateValue) throws -> (latitude: Double, longitude: Double) {
        func radians(_ key: String) throws -> Double {
            let degrees = PredicateValue(FoundationGaps.value(of: location.boxed, forKeyPath: key))
            return try Arithmetic.number(degrees, self) * .pi / 180
        }
        return try (radians("latitude"), radians("longitude"))
    }
}
