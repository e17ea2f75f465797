import ModelDocument

/// What could stand at a place of a predicate or an expression.
package struct FormatCompletion: Sendable {
    /// One proposal.
    package struct Candidate: Sendable, Hashable {
        package enum Kind: String, Sendable, Hashable {
            case attribute, relationship, fetchedProperty, `operator`, function, keyword, variable
        }

        package var text: String
        package var kind: Kind
        /// What a person wants to know of it: a type, a destination.
        package var detail: String
    }

    package private(set) var candidates: [Candidate] = []
    /// What a proposal replaces: the word at the place, as offsets in UTF-16.
    package let replaced: Range<Int>

    private let use: FormatAdvice.Use
    private let entity: String
    private let source: String?
    private let model: Model
    private let keys: ModelKeys
    /// The text before the word.
    private let before: String
    private let word: String
    private let text: String

    /// Finds what fits.
    ///
    /// - Parameters: as those of ``FormatAdvice``.
    ///   - cursor: The place, as an offset in UTF-16; what is out of bounds is the end.
    package init(
        _ text: String, cursor: Int?, for use: FormatAdvice.Use, entity: String, source: String? = nil, in model: Model
    ) {
        let units = text.utf16
        let offset = min(max(cursor ?? units.count, 0), units.count)
        // Inside of a character there is no place; the nearest before it is meant.
        let end = text.index(text.startIndex, offsetBy: text.distanceOfCharacters(upToUTF16: offset))
        let head = text[..<end]
        word = String(head.reversedPrefix { $0.isLetter || $0.isNumber || $0 == "_" })
        before = String(head.dropLast(word.count))
        let upper = head.utf16.count
        replaced = (upper - word.utf16.count)..<upper
        (self.text, self.use, self.entity, self.source, self.model) = (text, use, entity, source, model)
        keys = ModelKeys(model)
        candidates = isInsideOfText ? [] : found()
    }

    private var isInsideOfText: Bool {
        FormatWords(before + word).words.last.map { $0.isQuoted && !$0.isClosed(in: before + word) } ?? false
    }

    private func found() -> [Candidate] {
        let all: [Candidate]
        switch before.last {
        case "$": all = variables
        case "@": all = Self.aggregates
        case ".": all = pathCandidates + Self.pathAggregates
        case "#": all = properties(of: entity)
        default: all = followsOperand ? operators : properties(of: entity) + beginnings
        }
        return all.filter { $0.text.lowercased().hasPrefix(word.lowercased()) }
    }
}

// MARK: - Keys

extension FormatCompletion {
    /// The properties that an entity has, inherits, or that its subentities have.
    private func properties(of entity: String) -> [Candidate] {
        let lineage = model.lineage(of: entity)
        var names = Set(lineage.map(\.name))
        var result = lineage.flatMap(\.candidates)
        var open = model.entities.filter { $0.parentName == entity }
        while let heir = open.popLast() {
            guard names.insert(heir.name).inserted else { continue }
            result += heir.candidates.map {
                Candidate(text: $0.text, kind: $0.kind, detail: "\($0.detail) (\(heir.name))")
            }
            open += model.entities.filter { $0.parentName == heir.name }
        }
        return result
    }

    /// What can follow the path before the dot.
    private var pathCandidates: [Candidate] {
        let path = before.dropLast().reversedPrefix { $0.isLetter || $0.isNumber || "_.$@#".contains($0) }
        var parts = path.split(separator: ".", omittingEmptySubsequences: false).map {
            $0.hasPrefix("#") ? String($0.dropFirst()) : String($0)
        }
        guard let first = parts.first else { return [] }
        var start = entity
        if first.hasPrefix("$") {
            guard let known = entity(ofVariable: String(first.dropFirst())) else { return [] }
            start = known
            parts.removeFirst()
        } else if first.uppercased() == "SELF" {
            parts.removeFirst()
        }
        guard !parts.isEmpty else { return properties(of: start) }
        guard case .found(let targets) = keys.resolve(parts, from: start) else { return [] }
        switch targets.last {
        case .relationship(let relationship): return relationship.destinationName.map { properties(of: $0) } ?? []
        case .fetched(let property): return property.fetchRequest?.entityName.map { properties(of: $0) } ?? []
        case .attribute(let attribute):
            let composite = model.composites.first { $0.name == attribute.compositeName }
            return composite?.elements.map(\.candidate) ?? []
        default: return []
        }
    }

    /// The entity that a variable stands for, where the text says so.
    private func entity(ofVariable name: String) -> String? {
        if name == "FETCH_SOURCE" { return source }
        // SUBQUERY(players, $p, …)
        let words = FormatWords(text).words
        guard let mark = text.range(of: "$" + name),
            let subquery = words.last(where: {
                $0.text.uppercased() == "SUBQUERY" && $0.range.upperBound <= mark.lowerBound
            })
        else { return nil }
        let inside = text[subquery.range.upperBound..<mark.lowerBound]
        let path = inside.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "." }).first
        guard let path,
            case .found(let targets) = keys.resolve(path.split(separator: ".").map(String.init), from: entity),
            case .relationship(let relationship)? = targets.last
        else { return nil }
        return relationship.destinationName
    }
}

extension Model.Entity {
    fileprivate var candidates: [FormatCompletion.Candidate] {
        attributes.map(\.candidate)
            + relationships.map {
                FormatCompletion.Candidate(
                    text: $0.name, kind: .relationship,
                    detail: ($0.isToMany ? "to many " : "to one ") + ($0.destinationName ?? "nothing"))
            }
            + fetchedProperties.map {
                FormatCompletion.Candidate(
                    text: $0.name, kind: .fetchedProperty, detail: "fetched " + ($0.fetchRequest?.entityName ?? ""))
            }
    }
}

extension Model.Attribute {
    fileprivate var candidate: FormatCompletion.Candidate {
        FormatCompletion.Candidate(text: name, kind: .attribute, detail: type.title)
    }
}

// MARK: - Words of the language

extension FormatCompletion {
    private static func candidates(_ kind: Candidate.Kind, _ list: [(String, String)]) -> [Candidate] {
        list.map { Candidate(text: $0.0, kind: kind, detail: $0.1) }
    }

    private static let aggregates = candidates(
        .function,
        [
            ("count", "how many"), ("sum", "their sum"), ("avg", "their average"), ("min", "the least"),
            ("max", "the greatest"),
        ])

    private static let pathAggregates = aggregates.map {
        Candidate(text: "@" + $0.text, kind: .function, detail: $0.detail)
    }

    private static let comparisons = candidates(
        .operator,
        [
            ("==", "equal"), ("!=", "not equal"), ("<", "less"), ("<=", "at most"), (">", "greater"),
            (">=", "at least"), ("BEGINSWITH", "begins with"), ("CONTAINS", "contains"), ("ENDSWITH", "ends with"),
            ("LIKE", "with * and ?"), ("MATCHES", "regular expression"), ("IN", "one of"), ("BETWEEN", "{least, most}"),
        ])

    private static let connectives = candidates(.keyword, [("AND", "both"), ("OR", "either")])

    private var beginnings: [Candidate] {
        guard use.isPredicate else {
            return Self.candidates(
                .function,
                [
                    ("canonical:(", "without case and accents"), ("lowercase:(", "in lower case"),
                    ("uppercase:(", "in upper case"), ("now()", "the time of saving"),
                ])
        }
        return Self.candidates(
            .keyword,
            [
                ("NOT", "the opposite"), ("ANY", "at least one of many"), ("ALL", "each of many"),
                ("NONE", "not one of many"), ("SELF", "the object"), ("TRUEPREDICATE", "always"),
                ("FALSEPREDICATE", "never"), ("YES", "true"), ("NO", "false"), ("nil", "nothing"),
            ]) + Self.candidates(.function, [("SUBQUERY(", "those of many that …")])
    }

    private var variables: [Candidate] {
        var names = ["FETCH_SOURCE", "FETCHED_PROPERTY"].filter { _ in use == .fetchedProperty }
        var rest = text[...]
        while let mark = rest.firstIndex(of: "$") {
            rest = rest[rest.index(after: mark)...]
            let name = String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
            if !name.isEmpty, name != word, !names.contains(name) { names.append(name) }
        }
        return names.map { Candidate(text: $0, kind: .variable, detail: "variable") }
    }

    /// What can follow an operand: a comparison, or after one that is whole, a connective.
    private var operators: [Candidate] {
        guard use.isPredicate else { return [] }
        let clause = tokens.reversed().prefix { !["AND", "OR", "NOT", "&&", "||"].contains($0.uppercased()) }
        let compared = clause.contains { token in
            Self.comparisons.contains { $0.text == token.uppercased() } || ["=", "<>", "=<", "=>"].contains(token)
        }
        return compared ? Self.connectives : Self.comparisons
    }

    /// Whether what stands before the word is a value.
    private var followsOperand: Bool {
        guard let last = tokens.last, let first = last.first else { return false }
        if [")", "}", "]", "\"", "'"].contains(last.last) { return true }
        let isWord = first.isLetter || first.isNumber || "_$#@".contains(first)
        let keywords = [
            "AND", "OR", "NOT", "ANY", "ALL", "NONE", "SOME", "IN", "LIKE", "CONTAINS", "BEGINSWITH", "ENDSWITH",
            "MATCHES", "BETWEEN",
        ]
        return isWord && !keywords.contains(last.uppercased())
    }

    /// The words and signs before the word at the place, roughly.
    private var tokens: [String] {
        var tokens: [String] = []
        var rest = before[...]
        while let first = rest.first {
            let token: Substring
            if first == "\"" || first == "'" {
                let body = rest.dropFirst().prefix { $0 != first }
                token = rest.prefix(body.count + 2)
            } else if first.isWhitespace || "(),".contains(first) {
                token = rest.prefix(1)
            } else if "=<>!&|".contains(first) {
                token = rest.prefix { "=<>!&|".contains($0) }
            } else {
                token = rest.prefix { !$0.isWhitespace && !"(),=<>!&|\"'".contains($0) }
            }
            if !first.isWhitespace { tokens.append(String(token)) }
            rest = rest[token.endIndex...]
        }
        return tokens
    }
}

extension StringProtocol {
    /// The longest end with all characters satisfying a condition.
    fileprivate func reversedPrefix(while condition: (Character) -> Bool) -> SubSequence {
        self[(lastIndex { !condition($0) }.map(index(after:)) ?? startIndex)...]
    }

    /// How many whole characters there are before an offset in UTF-16.
    fileprivate func distanceOfCharacters(upToUTF16 offset: Int) -> Int {
        var (characters, units) = (0, 0)
        for character in self {
            units += character.utf16.count
            guard units <= offset else { break }
            characters += 1
        }
        return characters
    }
}

extension FormatWords.Word {
    /// Whether a text in quotes has its second quote.
    fileprivate func isClosed(in format: String) -> Bool {
        let whole = format[range]
        return whole.count >= 2 && whole.first == whole.last
    }
}
