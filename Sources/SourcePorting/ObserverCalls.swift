import SwiftSources
/// Calls of `addObserver(self, selector: #selector(f), name: …, object: …)`, rewritten to the form with a closure.
///
/// Foundation elsewhere has no selectors that call methods; the closure means the same everywhere:
///
/// ```swift
/// _ = NotificationCenter.default.addObserver(forName: .didSave, object: nil, queue: nil) { [weak self] notification in
///     self?.didSave(notification)
/// }
/// ```
///
/// The observation lasts for as long as the program, and does nothing once the observer is gone: `removeObserver(self)`
/// does not end it.
struct ObserverCalls {
    /// A part of the text that is replaced.
    struct Edit: Equatable {
        var range: Range<Int>
        var text: String
    }

    private let bytes: [UInt8]
    /// The number of parameters of each method, by its name; -1 where methods of one name differ.
    private let parameterCounts: [String: Int]
    private(set) var edits: [Edit] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        parameterCounts = Self.parameterCounts(in: bytes)
        var lexer = SwiftLexer(bytes)
        var conditions = ConditionStack()
        /// Where the statement that has come so far began, if it is a chain of names.
        var start: Int?
        var beginsStatement = true
        var token = lexer.next()
        while token.kind != .end {
            if token.kind == .directive {
                Self.follow(&conditions, lexer.text(token), &lexer)
            } else if lexer.text(token) == "addObserver", token.kind == .identifier, !conditions.asksForObjectiveC {
                let name = token
                token = lexer.next()
                if token.byte == UInt8(ascii: "("), token.kind == .punctuation, token.isAdjacent {
                    edits += call(from: name, opening: token, &lexer, isStatement: start)
                }
                start = nil
                token = lexer.next()
                continue
            }
            let continues = token.kind == .identifier || token.byte == UInt8(ascii: ".")
            if token.startsLine || beginsStatement, continues, token.byte != UInt8(ascii: ".") {
                start = lexer.text(token) == "return" ? nil : token.range.lowerBound
            } else if !continues {
                start = nil
            }
            beginsStatement =
                token.kind == .punctuation && "{;".utf8.contains(token.byte)
                || token.kind == .identifier && lexer.text(token) == "in"
            token = lexer.next()
        }
    }

    /// The text with all calls rewritten, and for each of its lines the line that it comes from.
    func rewritten() -> (text: [UInt8], lines: [Int]) {
        var (output, lines, position, line) = ([UInt8](), [1], 0, 1)
        func copy(_ range: Range<Int>) {
            for byte in bytes[range] {
                output.append(byte)
                guard byte == .lineFeed else { continue }
                line += 1
                lines.append(line)
            }
        }
        for edit in edits {
            copy(position..<edit.range.lowerBound)
            output += Array(edit.text.utf8)
            lines += edit.text.utf8.filter { $0 == .lineFeed }.map { _ in line }
            line += bytes[edit.range].count { $0 == .lineFeed }
            position = edit.range.upperBound
        }
        copy(position..<bytes.count)
        return (output, lines)
    }

    // MARK: - One call

    /// An argument of a call.
    private struct Argument {
        var label: String
        var range: Range<Int>
    }

    /// The edits of the call that the parenthesis just read belongs to; none if it is another one. Goes behind the
    /// call.
    private func call(
        from name: SwiftLexer.Token, opening: SwiftLexer.Token, _ lexer: inout SwiftLexer, isStatement start: Int?
    ) -> [Edit] {
        let (arguments, end) = Self.arguments(from: opening.range.upperBound, &lexer)
        guard arguments.map(\.label) == ["", "selector", "name", "object"], text(arguments[0]) == "self",
            let method = method(text(arguments[1]))
        else { return [] }
        let message = method.takesNotification ? "self?.\(method.name)(notification)" : "self?.\(method.name)()"
        let parameter = method.takesNotification ? "notification" : "_"
        let rest = "forName: \(text(arguments[2]))"
        var edits = [
            Edit(range: arguments[0].range.lowerBound..<arguments[2].range.upperBound, text: rest),
            Edit(range: arguments[3].range.upperBound..<arguments[3].range.upperBound, text: ", queue: nil"),
            Edit(range: end..<end, text: " { [weak self] \(parameter) in \(message) }"),
        ]
        // What comes of a statement is not used.
        if let start { edits.insert(Edit(range: start..<start, text: "_ = "), at: 0) }
        return edits
    }

    private func text(_ argument: Argument) -> String {
        String(decoding: bytes[argument.range], as: UTF8.self)
    }

    /// The method that `#selector(…)` names, if it is told how many parameters it has.
    private func method(_ selector: String) -> (name: String, takesNotification: Bool)? {
        guard selector.hasPrefix("#selector("), selector.hasSuffix(")") else { return nil }
        let reference = selector.dropFirst("#selector(".count).dropLast().filter { !$0.isWhitespace }
        let path = reference.prefix { $0 != "(" }
        let labels = reference.dropFirst(path.count)
        guard let name = path.split(separator: ".").last.map(String.init), !path.contains(":") else { return nil }
        switch labels {
        case "(_:)": return (name, true)
        case "()": return (name, false)
        case "":
            switch parameterCounts[name] {
            case 0: return (name, false)
            case 1: return (name, true)
            default: return nil
            }
        default: return nil
        }
    }

    // MARK: - Reading

    private static func follow(_ conditions: inout ConditionStack, _ directive: String, _ lexer: inout SwiftLexer) {
        switch directive {
        case "#if": conditions.begin(lexer.restOfLine())
        case "#elseif": conditions.change(to: lexer.restOfLine())
        case "#else": conditions.change(to: nil)
        case "#endif": conditions.end()
        default: break
        }
    }

    /// The arguments from an opening parenthesis on, and where the call ends; goes there.
    private static func arguments(from opening: Int, _ lexer: inout SwiftLexer) -> ([Argument], end: Int) {
        var (arguments, label, first, last) = ([Argument](), "", -1, opening)
        func finish() {
            if first >= 0 { arguments.append(Argument(label: label, range: first..<last)) }
            (label, first) = ("", -1)
        }
        var token = lexer.next()
        while token.kind != .end {
            let isPunctuation = token.kind == .punctuation
            if isPunctuation, token.byte == UInt8(ascii: ")") {
                finish()
                return (arguments, token.range.upperBound)
            }
            if isPunctuation, token.byte == UInt8(ascii: ",") {
                finish()
                token = lexer.next()
                continue
            }
            let start = token.range.lowerBound - (token.isEscaped ? 1 : 0)
            if first < 0, label.isEmpty, token.kind == .identifier {
                let name = lexer.text(token)
                var ahead = lexer
                if ahead.next().byte == UInt8(ascii: ":") {
                    label = name
                    lexer = ahead
                    token = lexer.next()
                    continue
                }
            }
            if first < 0 { first = start }
            last = token.range.upperBound
            if isPunctuation, "([{".utf8.contains(token.byte) {
                lexer.skipGroup()
                last = lexer.position
            }
            token = lexer.next()
        }
        return ([], lexer.position)
    }

    private static func parameterCounts(in bytes: [UInt8]) -> [String: Int] {
        var counts: [String: Int] = [:]
        var lexer = SwiftLexer(bytes)
        var token = lexer.next()
        while token.kind != .end {
            guard token.kind == .identifier, lexer.text(token) == "func" else {
                token = lexer.next()
                continue
            }
            token = lexer.next()
            let name = lexer.text(token)
            token = lexer.next()
            guard token.kind == .punctuation, token.byte == UInt8(ascii: "(") else { continue }
            let start = token.range.upperBound
            var commas = 0
            var isEmpty = true
            var depth = 1
            while depth > 0, token.kind != .end {
                token = lexer.next()
                if token.kind == .punctuation {
                    if "([{".utf8.contains(token.byte) { depth += 1 }
                    if ")]}".utf8.contains(token.byte) { depth -= 1 }
                    if depth == 1, token.byte == UInt8(ascii: ",") { commas += 1 }
                }
                if depth > 0, token.range.lowerBound >= start { isEmpty = false }
            }
            let count = isEmpty ? 0 : commas + 1
            counts[name] = counts[name].map { $0 == count ? count : -1 } ?? count
        }
        return counts
    }
}

extension ConditionStack {
    /// Whether a condition around this place may leave it to Apple's platforms.
    var mayBeApplesOnly: Bool {
        conditions.contains { condition in
            guard !condition.hasPrefix("!") else { return condition.contains("os(Linux)") }
            let marks = ["canImport(", "os(macOS)", "os(iOS)", "os(tvOS)", "os(watchOS)", "os(visionOS)"]
            return marks.contains { condition.contains($0) } && !condition.contains("os(Linux)")
        }
    }
}
