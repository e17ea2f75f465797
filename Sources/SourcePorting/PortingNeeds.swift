import SwiftSources
/// What does not compile elsewhere and has to be changed by hand, beside what needs Objective-C.
struct PortingNeeds {
    private(set) var remarks: [DualSource.Remark] = []
    private var lexer: SwiftLexer
    private var conditions = ConditionStack()
    /// The braces that are open: whether each is an extension's.
    private var scopes: [Bool] = []
    /// Whether the brace that comes next is an extension's.
    private var declaresExtension = false
    private var token: SwiftLexer.Token
    private var line = 1
    private var lineStart = 0

    init(_ bytes: [UInt8]) {
        lexer = SwiftLexer(bytes)
        token = lexer.next()
        while token.kind != .end { step() }
    }

    private mutating func step() {
        switch token.kind {
        case .directive: directive()
        case .punctuation:
            if token.byte == UInt8(ascii: "{") {
                scopes.append(declaresExtension)
                declaresExtension = false
            } else if token.byte == UInt8(ascii: "}") {
                _ = scopes.popLast()
            }
            advance()
        case .identifier where !token.isEscaped: name()
        default: advance()
        }
    }

    private mutating func advance() { token = lexer.next() }

    private mutating func directive() {
        switch lexer.text(token) {
        case "#if": conditions.begin(lexer.restOfLine())
        case "#elseif": conditions.change(to: lexer.restOfLine())
        case "#else": conditions.change(to: nil)
        case "#endif": conditions.end()
        default: break
        }
        advance()
    }

    private mutating func name() {
        let (text, start) = (lexer.text(token), token.range.lowerBound)
        switch text {
        case "import" where scopes.isEmpty: return importDeclaration(start)
        case "extension" where isDeclaration: declaresExtension = true
        case "class", "struct", "enum", "protocol", "actor", "func", "var", "init": declaresExtension = false
        case "override" where scopes.last == true && overrideIsModifier:
            remark(
                start,
                "an extension can't override here: move the declaration into the class's body, or write it in another way"
            )
        case "as": return cast(start)
        default: break
        }
        advance()
    }

    /// Whether the keyword here begins a declaration: a name follows it.
    private var isDeclaration: Bool {
        var ahead = lexer
        return ahead.next().kind == .identifier
    }

    /// Whether `override` here stands before a declaration.
    private var overrideIsModifier: Bool {
        var ahead = lexer
        let next = ahead.next()
        let keywords: Set<String> = [
            "class", "convenience", "fileprivate", "final", "func", "init", "internal", "lazy", "nonisolated", "open",
            "package", "private", "public", "required", "static", "subscript", "var",
        ]
        return next.kind == .identifier && keywords.contains(ahead.text(next))
    }

    // MARK: - Imports

    private mutating func importDeclaration(_ start: Int) {
        advance()
        let kinds: Set<String> = ["class", "enum", "func", "let", "protocol", "struct", "typealias", "var"]
        let isScoped = token.kind == .identifier && kinds.contains(lexer.text(token))
        if isScoped { advance() }
        guard token.kind == .identifier else { return }
        var path = [lexer.text(token)]
        advance()
        while token.kind == .punctuation, token.byte == UInt8(ascii: "."), token.isAdjacent {
            advance()
            path.append(lexer.text(token))
            advance()
        }
        guard let advice = Self.advice(path, isScoped: isScoped) else { return }
        remark(start, advice)
    }

    private static func advice(_ path: [String], isScoped: Bool) -> String? {
        let name = path.joined(separator: ".")
        switch path[0] {
        case "os":
            return
                "\(name) is Apple's: put it under #if canImport(os); a lock is NSLock or Synchronization.Mutex, a log is that of swift-log"
        case "OSLog": return "OSLog is Apple's: put it under #if canImport(OSLog), or log with swift-log"
        case "Combine":
            return
                "Combine is Apple's: write #if canImport(Combine), and #else import CoreDataCombine, a product of this package, over OpenCombine"
        default: break
        }
        if !isScoped {
            return path.count > 1 ? "there are no submodules here: write import \(path[0])" : nil
        }
        // Foundation has husks of these, which hide those of CoreData.
        guard path[0] == "Foundation", let last = path.last,
            ["NSComparisonPredicate", "NSExpression"].contains(last)
        else { return nil }
        return "Foundation's \(last) can't be made here: write import CoreData"
    }

    // MARK: - Casts

    /// `as? NSFetchRequest<Player>`.
    private mutating func cast(_ start: Int) {
        advance()
        guard token.kind == .punctuation, token.byte == UInt8(ascii: "?") || token.byte == UInt8(ascii: "!") else {
            return
        }
        advance()
        let name = lexer.text(token)
        guard ["NSFetchRequest", "NSAsynchronousFetchRequest", "NSFetchedResultsController"].contains(name) else {
            return
        }
        advance()
        guard token.kind == .punctuation, token.byte == UInt8(ascii: "<") else { return }
        let advice =
            name == "NSFetchRequest"
            ? "make the request with its type, NSFetchRequest<Player>(entityName: \"Player\"); initialisers such as NSBatchDeleteRequest(fetchRequest:) take any"
            : "declare the variable with its type"
        remark(start, "a cast to another \(name)<…> never succeeds here: \(advice)")
    }

    private mutating func remark(_ offset: Int, _ message: String) {
        guard !conditions.mayBeApplesOnly else { return }
        // Places come in the order of the text.
        line += lexer.bytes[lineStart..<offset].count { $0 == .lineFeed }
        lineStart = offset
        remarks.append(.init(line: line, message: message))
    }
}
