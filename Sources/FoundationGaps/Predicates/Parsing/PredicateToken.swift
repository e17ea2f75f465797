/// A token of the format language.
enum PredicateToken: Equatable {
    /// A number, as it will be the value of a constant.
    case number(PredicateValue)
    case string(String)
    /// An identifier or a keyword.
    case word(String)
    /// An identifier that can't be a keyword (`#select`), or a collection operator with its `@`.
    case key(String)
    /// A name with colons, `modulus:by:`.
    case selector(String)
    /// A variable's name, without `$`.
    case variable(String)
    /// A place for an argument, by the letter of its conversion.
    case argument(Character, value: ArgumentValue)
    case symbol(String)
    case end

    /// An argument; arguments are never compared.
    struct ArgumentValue: Equatable {
        let value: Any
        static func == (left: Self, right: Self) -> Bool { false }
    }

    func isWord(_ word: String) -> Bool {
        guard case .word(let text) = self else { return false }
        return text.count == word.count && text.uppercased() == word
    }

    /// The token in the sentences of errors.
    var inWords: String {
        switch self {
        case .number: "a number"
        case .string(let text): "the text \"\(text)\""
        case .word(let text), .selector(let text), .symbol(let text), .key(let text): "\"\(text)\""
        case .variable(let name): "\"$\(name)\""
        case .argument(let letter, _): "the argument of %\(letter)"
        case .end: "the end"
        }
    }
}

/// A token and its place, in Unicode scalars.
struct PredicateLexeme {
    let token: PredicateToken
    let offset: Int
}
