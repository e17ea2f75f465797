import Foundation

/// A Swift source without what only compiles where there is an Objective-C runtime.
///
/// `@objc` and `@objcMembers` mean nothing elsewhere, `#keyPath(Person.team.name)` is `"team.name"`, and
/// `#selector(NSString.compare(_:))` is `Selector("compare:")`. `@objc(Name)` of a class becomes
/// `@_objcRuntimeName(Name)`, which the compiler accepts everywhere: a macro that is attached to the class reads the
/// name there. Whatever stays keeps its line and, where the replacement is no longer than what it replaces, its column.
///
/// ```swift
/// let source = PortableSource(text, path: "Person+CoreDataClass.swift")
/// print(source.text)
/// ```
package struct PortableSource: Sendable {
    /// One place that needs Objective-C.
    package struct Occurrence: Equatable, Sendable {
        package enum Kind: Equatable, Sendable {
            /// `@objc`, with its name if it has one; `@objcMembers`.
            case attribute
            case keyPath
            case selector
        }

        package var kind: Kind
        /// Where it stands, in bytes of UTF-8.
        package var range: Range<Int>
        /// What means the same without Objective-C; empty for an attribute, unless it names a class.
        package var replacement: String
        /// Whether an `#if canImport(ObjectiveC)` around it keeps it from other compilers already.
        package var isGuarded: Bool
    }

    /// The source as it came.
    package let original: String
    package let path: String
    /// In the order of the text.
    package let occurrences: [Occurrence]

    package init(_ original: String, path: String) {
        self.original = original
        self.path = path
        occurrences = OccurrenceScanner.occurrences(in: Array(original.utf8))
    }

    /// The source with every occurrence blanked or replaced.
    package var text: String {
        let bytes = Array(original.utf8)
        var output: [UInt8] = []
        var position = 0
        for occurrence in occurrences where !occurrence.isGuarded {
            output += bytes[position..<occurrence.range.lowerBound]
            output += Self.replacement(of: bytes[occurrence.range], by: occurrence.replacement)
            position = occurrence.range.upperBound
        }
        return String(decoding: output + bytes[position...], as: UTF8.self)
    }

    /// The source as a build compiles it in the original's place: what the compiler says of it points to the original.
    package var copy: String { "#sourceLocation(file: \(SwiftNames.literal(path)), line: 1)\n" + text }

    /// A replacement, filled up with blanks; lines stay.
    private static func replacement(of bytes: ArraySlice<UInt8>, by text: String) -> [UInt8] {
        let lines = bytes.filter { $0 == .lineFeed }
        guard lines.isEmpty else { return Array(text.utf8) + lines }
        return Array(text.utf8) + repeatElement(UInt8(ascii: " "), count: max(0, bytes.count - text.utf8.count))
    }
}

/// Walks over a source and finds what needs Objective-C.
private struct OccurrenceScanner {
    private var lexer: SwiftLexer
    private var token: SwiftLexer.Token
    private var conditions = ConditionStack()
    private var occurrences: [PortableSource.Occurrence] = []

    static func occurrences(in bytes: [UInt8]) -> [PortableSource.Occurrence] {
        var scanner = OccurrenceScanner(bytes)
        while scanner.token.kind != .end { scanner.step() }
        return scanner.occurrences
    }

    private init(_ bytes: [UInt8]) {
        lexer = SwiftLexer(bytes)
        token = lexer.next()
    }

    private mutating func advance() { token = lexer.next() }

    private func at(_ character: Unicode.Scalar) -> Bool {
        token.kind == .punctuation && token.byte == UInt8(truncatingIfNeeded: character.value)
    }

    private mutating func step() {
        switch token.kind {
        case .directive: directive()
        case .punctuation where at("@"): attribute()
        case .literal: literal()
        default: advance()
        }
    }

    private mutating func directive() {
        switch lexer.text(token) {
        case "#if": conditions.begin(lexer.restOfLine())
        case "#elseif": conditions.change(to: lexer.restOfLine())
        case "#else": conditions.change(to: nil)
        case "#endif": conditions.end()
        case "#keyPath": return expression(.keyPath) { "\"\(Self.keyPath($0))\"" }
        case "#selector": return expression(.selector) { "Selector(\"\(SelectorName($0).text)\")" }
        default: break
        }
        advance()
    }

    private mutating func attribute() {
        let start = token.range.lowerBound
        advance()
        let name = lexer.text(token)
        var end = token.range.upperBound
        guard token.kind == .identifier, name == "objc" || name == "objcMembers" else { return }
        advance()
        var className: String?
        if at("("), token.isAdjacent {
            let group = group()
            end = group.end
            className = group.text.filter { !$0.isWhitespace }
        }
        let isName = className.map { !$0.isEmpty && $0.utf8.allSatisfy(\.continuesName) } ?? false
        let replacement = isName && declaresClass ? "@_objcRuntimeName(\(className ?? ""))" : ""
        add(.attribute, start..<end, replacement)
    }

    /// Whether the attributes and modifiers here are those of a class.
    private var declaresClass: Bool {
        var ahead = self
        while ahead.token.kind != .end {
            if ahead.at("@") {
                ahead.advance()
                ahead.advance()
                if ahead.at("("), ahead.token.isAdjacent { _ = ahead.group() }
                continue
            }
            guard ahead.token.kind == .identifier else { return false }
            let name = ahead.lexer.text(ahead.token)
            ahead.advance()
            if name == "class" {
                // Not the modifier of `class func`.
                return ahead.token.kind == .identifier
                    && !["func", "override", "subscript", "var"].contains(ahead.lexer.text(ahead.token))
            }
            guard Self.modifiersOfClasses.contains(name) else { return false }
        }
        return false
    }

    private static let modifiersOfClasses: Set<String> = [
        "fileprivate", "final", "internal", "nonisolated", "open", "package", "private", "public",
    ]

    private mutating func expression(_ kind: PortableSource.Occurrence.Kind, _ replacement: (String) -> String) {
        let start = token.range.lowerBound
        advance()
        guard at("(") else { return }
        let (text, end) = group()
        add(kind, start..<end, replacement(text))
    }

    /// The text between the parentheses that begin here, and where they end; goes past them.
    private mutating func group() -> (text: String, end: Int) {
        let start = token.range.upperBound
        lexer.skipGroup()
        let end = lexer.position
        advance()
        return (lexer.text(start..<max(start, end - 1)), end)
    }

    /// What is interpolated in a string is code too.
    private mutating func literal() {
        let range = token.range
        let bytes = Array(lexer.bytes[range])
        if bytes.contains(UInt8(ascii: "#")), bytes.contains(UInt8(ascii: "\\")) {
            for (start, text) in Interpolations.of(bytes) {
                for var inner in Self.occurrences(in: text) {
                    let offset = range.lowerBound + start
                    inner.range = inner.range.lowerBound + offset..<inner.range.upperBound + offset
                    inner.isGuarded = inner.isGuarded || isGuarded
                    occurrences.append(inner)
                }
            }
        }
        advance()
    }

    private var isGuarded: Bool {
        // Only what asks for Objective-C itself: a platform's condition is the app's affair and does not say that.
        conditions.asksForObjectiveC
    }

    private mutating func add(_ kind: PortableSource.Occurrence.Kind, _ range: Range<Int>, _ replacement: String) {
        occurrences.append(.init(kind: kind, range: range, replacement: replacement, isGuarded: isGuarded))
    }

    /// The keys of a key path without the types that it starts from.
    private static func keyPath(_ text: String) -> String {
        let names = text.split { $0 == "." || $0 == "?" || $0 == "!" || $0.isWhitespace }.map {
            $0.filter { $0 != "`" }
        }
        let keys = names.dropLast().drop { $0.first?.isUppercase == true || $0 == "self" }
        return (Array(keys) + names.suffix(1)).joined(separator: ".")
    }
}

/// The code that a string literal interpolates.
private enum Interpolations {
    /// - Returns: The code with its offset in the literal.
    static func of(_ literal: [UInt8]) -> [(start: Int, text: [UInt8])] {
        let pounds = literal.prefix { $0 == UInt8(ascii: "#") }.count
        let mark = [UInt8(ascii: "\\")] + Array(repeating: UInt8(ascii: "#"), count: pounds) + [UInt8(ascii: "(")]
        var found: [(Int, [UInt8])] = []
        var position = 0
        while position < literal.count {
            guard literal[position...].starts(with: mark) else {
                position += literal[position] == UInt8(ascii: "\\") && pounds == 0 ? 2 : 1
                continue
            }
            let start = position + mark.count
            var lexer = SwiftLexer(Array(literal[start...]))
            lexer.skipGroup()
            let end = start + max(0, lexer.position - 1)
            found.append((start, Array(literal[start..<min(end, literal.count)])))
            position = end + 1
        }
        return found
    }
}

/// The selector of a method that `#selector` names.
struct SelectorName {
    let text: String

    /// - Parameter reference: What stands between the parentheses: `NSString.compare(_:)`, `getter: Person.name`.
    init(_ reference: String) {
        var rest = reference.filter { !$0.isWhitespace && $0 != "`" }[...]
        if let cast = reference.range(of: " as ") {
            rest = reference[..<cast.lowerBound].filter { !$0.isWhitespace }[...]
        }
        let isSetter = rest.hasPrefix("setter:")
        if isSetter || rest.hasPrefix("getter:") { rest = rest.dropFirst("getter:".count) }
        let head = rest.prefix { $0 != "(" }
        let name = head.split(separator: ".").last.map(String.init) ?? ""
        let labels = rest.dropFirst(head.count).dropFirst().prefix { $0 != ")" }.split(separator: ":").map(String.init)
        if isSetter {
            text = "set" + SwiftNames.capitalised(name) + ":"
        } else if let first = labels.first {
            let piece = first == "_" ? "" : Self.startsWithPreposition(first) ? "" : "With"
            let label = first == "_" ? "" : SwiftNames.capitalised(first)
            text = name + piece + label + ":" + labels.dropFirst().map { ($0 == "_" ? "" : $0) + ":" }.joined()
        } else {
            text = Self.comparisons.contains(name) ? name + ":" : name
        }
    }

    /// The methods that are named without their parameter, as only one is called so.
    private static let comparisons: Set<String> = [
        "caseInsensitiveCompare", "compare", "localizedCaseInsensitiveCompare", "localizedCompare",
        "localizedStandardCompare",
    ]

    private static func startsWithPreposition(_ label: String) -> Bool {
        ["at", "by", "for", "from", "in", "of", "on", "to", "with", "using", "into"].contains { label.hasPrefix($0) }
    }
}
