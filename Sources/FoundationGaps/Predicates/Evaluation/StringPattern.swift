import Foundation
import Synchronization

/// The right side of `LIKE` or `MATCHES`, made ready once for many texts.
package struct StringPattern: Sendable {
    private let form: Form
    private let options: NSComparisonPredicate.Options

    private enum Form: Sendable {
        case glob([GlobToken])
        case expression(NSRegularExpression)
    }

    enum GlobToken: Hashable, Sendable {
        case character(Character)
        case anyCharacter
        case anyCharacters
    }

    /// A pattern of `LIKE`: `?` is one character, `*` any number of them; a backslash makes either an ordinary one.
    package init(like pattern: String, _ options: NSComparisonPredicate.Options) {
        form = .glob(Self.tokens(StringComparison.folded(pattern, options)))
        self.options = options
    }

    /// A regular expression in ICU's syntax, which has to match the whole text.
    ///
    /// - Throws: `PredicateEvaluationError` when the expression has no meaning.
    package init(matching pattern: String, _ options: NSComparisonPredicate.Options) throws {
        // Letters keep their case here, since \S and \s differ: the expression itself ignores the case.
        self.options = options.intersection(.diacriticInsensitive)
        let pattern = StringComparison.folded(pattern, self.options)
        do {
            form = .expression(
                try NSRegularExpression(
                    pattern: "\\A(?:\(pattern))\\z", options: options.contains(.caseInsensitive) ? .caseInsensitive : []
                ))
        } catch {
            throw PredicateEvaluationError(
                "MATCHES needs a regular expression on its right, and \"\(pattern)\" is none")
        }
    }

    package func matches(_ text: String) -> Bool {
        let text = StringComparison.folded(text, options)
        switch form {
        case .glob(let tokens):
            return Self.matches(text, tokens)
        case .expression(let expression):
            let whole = NSRange(location: 0, length: text.utf16.count)
            return expression.firstMatch(in: text, range: whole) != nil
        }
    }
}

extension StringPattern {
    private static func tokens(_ pattern: String) -> [GlobToken] {
        var tokens: [GlobToken] = []
        var escaped = false
        for character in pattern {
            switch character {
            case _ where escaped:
                tokens.append(.character(character))
                escaped = false
            case "\\": escaped = true
            case "?": tokens.append(.anyCharacter)
            case "*": if tokens.last != .anyCharacters { tokens.append(.anyCharacters) }
            default: tokens.append(.character(character))
            }
        }
        if escaped { tokens.append(.character("\\")) }
        return tokens
    }

    /// Walks text and pattern together; a mismatch goes back to the last `*` and lets it take one character more.
    private static func matches(_ text: String, _ tokens: [GlobToken]) -> Bool {
        var position = text.startIndex
        var token = 0
        var retry: (token: Int, position: String.Index)?
        while position < text.endIndex {
            if token < tokens.count, tokens[token] == .anyCharacters {
                retry = (token, position)
                token += 1
            } else if token < tokens.count, matches(text[position], tokens[token]) {
                text.formIndex(after: &position)
                token += 1
            } else if let last = retry {
                position = text.index(after: last.position)
                retry = (last.token, position)
                token = last.token + 1
            } else {
                return false
            }
        }
        return tokens[token...].allSatisfy { $0 == .anyCharacters }
    }

    private static func matches(_ character: Character, _ token: GlobToken) -> Bool {
        switch token {
        case .character(let expected): character == expected
        case .anyCharacter: true
        case .anyCharacters: false
        }
    }
}

/// Patterns that are no constants, by their text: a regular expression is compiled once, not once per row.
package final class StringPatternCache: Sendable {
    package static let shared = StringPatternCache()

    private struct Key: Hashable {
        let pattern: String
        let options: UInt
        let isExpression: Bool
    }

    private let patterns = Mutex<[Key: StringPattern]>([:])
    private static let capacity = 64

    package func like(_ pattern: String, _ options: NSComparisonPredicate.Options) -> StringPattern {
        cached(Key(pattern: pattern, options: options.rawValue, isExpression: false)) {
            StringPattern(like: pattern, options)
        }
    }

    package func matching(_ pattern: String, _ options: NSComparisonPredicate.Options) throws -> StringPattern {
        try cached(Key(pattern: pattern, options: options.rawValue, isExpression: true)) {
            try StringPattern(matching: pattern, options)
        }
    }

    private func cached(_ key: Key, _ make: () throws -> StringPattern) rethrows -> StringPattern {
        if let known = patterns.withLock({ $0[key] }) { return known }
        let pattern = try make()
        patterns.withLock { patterns in
            if patterns.count >= Self.capacity { patterns.removeAll(keepingCapacity: true) }
            patterns[key] = pattern
        }
        return pattern
    }
}
