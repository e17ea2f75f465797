/// The variables of a predicate's format, and what they are compared with.
///
/// This takes the text into words, no more: the compiler of models has no parser of predicates. What it does not
/// understand has no key path, and so becomes `Any`.
struct TemplateVariables {
    /// One place where a variable stands.
    struct Use {
        /// The key path on the other side of the comparison.
        var keyPath: String?
        /// Whether the variable is a collection that the key path's value is looked for in.
        var isCollection = false
    }

    /// The variables' names without `$`, in the order in which they come first.
    private(set) var names: [String] = []
    private(set) var uses: [String: [Use]] = [:]

    init(_ format: String) {
        let words = Self.words(format)
        let bound = Self.boundVariables(words)
        for (index, word) in words.enumerated() where word.hasPrefix("$") {
            let name = String(word.dropFirst().prefix { $0 != "." })
            guard !name.isEmpty, !bound.contains(name) else { continue }
            if uses[name] == nil { names.append(name) }
            uses[name, default: []].append(word.contains(".") ? Use() : Self.use(at: index, in: words))
        }
    }

    private static let comparisons: Set<String> = [
        "=", "==", "!=", "<>", "<", ">", "<=", "=<", ">=", "=>", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE",
        "MATCHES",
        "IN",
    ]

    private static func use(at index: Int, in words: [String]) -> Use {
        for (step, isRight) in [(-1, true), (1, false)] {
            guard let comparison = word(index + step, words), comparisons.contains(comparison.uppercased()),
                let path = word(index + 2 * step, words), isKeyPath(path)
            else { continue }
            // In `$TEXT IN names` and `names CONTAINS $TEXT` the values are the members' own.
            let isCollection = comparison.uppercased() == "IN" && isRight
            return Use(keyPath: path, isCollection: isCollection)
        }
        return Use()
    }

    private static func word(_ index: Int, _ words: [String]) -> String? {
        words.indices.contains(index) ? words[index] : nil
    }

    private static func isKeyPath(_ word: String) -> Bool {
        guard let first = word.unicodeScalars.first else { return false }
        return (first == "_" || first.properties.isXIDStart) && !comparisons.contains(word.uppercased())
    }

    /// The variables that subqueries bind: the second argument of each.
    private static func boundVariables(_ words: [String]) -> Set<String> {
        var bound: Set<String> = []
        for (index, word) in words.enumerated() where word.uppercased() == "SUBQUERY" {
            if let variable = words[index...].first(where: { $0.hasPrefix("$") }) {
                bound.insert(String(variable.dropFirst()))
            }
        }
        return bound
    }

    // MARK: - Words

    /// Key paths, variables, operators and signs; texts in quotation marks and options in brackets are left out.
    private static func words(_ format: String) -> [String] {
        var (words, rest) = ([String](), format.unicodeScalars[...])
        while let scalar = rest.first {
            if scalar == "\"" || scalar == "'" {
                words.append("''")
                rest = afterQuotation(rest)
            } else if scalar == "[" {
                rest = rest.drop { $0 != "]" }.dropFirst()
            } else if isWordScalar(scalar) || scalar == "$" {
                let word = rest.prefix { isWordScalar($0) || $0 == "$" }
                words.append(String(word).replacing("#", with: ""))
                rest = rest.dropFirst(word.count)
            } else if isOperator(scalar) {
                let word = rest.prefix(while: isOperator)
                words.append(String(word))
                rest = rest.dropFirst(word.count)
            } else {
                if !scalar.properties.isWhitespace { words.append(String(scalar)) }
                rest = rest.dropFirst()
            }
        }
        return words
    }

    private static func afterQuotation(_ text: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView {
        let mark = text.first
        var rest = text.dropFirst()
        while let scalar = rest.popFirst(), scalar != mark {
            if scalar == "\\" { rest = rest.dropFirst() }
        }
        return rest
    }

    private static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isXIDContinue || scalar == "." || scalar == "@" || scalar == "#"
    }

    private static func isOperator(_ scalar: Unicode.Scalar) -> Bool {
        ["=", "<", ">", "!"].contains(scalar)
    }
}
