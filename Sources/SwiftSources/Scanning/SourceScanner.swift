/// Finds the declarations of a Swift file that matter to managed classes.
///
/// It reads the scopes of types only, and skips every function body, initial value and literal. It does not judge: what
/// the compiler will refuse passes here.
package struct SourceScanner {
    /// What stands before a declaration's keyword.
    struct Prefix {
        var attributes: [String: String] = [:]
        var access: AccessLevel?
        var setterAccess: AccessLevel?
        var isStatic = false
        var isOverride = false
        var isEmpty = true
    }

    private var lexer: SwiftLexer
    private(set) var token: SwiftLexer.Token
    var prefix = Prefix()
    /// The scopes that are open, by their indices; the file itself is none.
    private var open: [Int] = []
    private(set) var conditions = ConditionStack()
    var source: ScannedSource

    /// Scans a file's text.
    package static func scan(_ bytes: [UInt8], path: String) -> ScannedSource {
        var scanner = SourceScanner(bytes, path: path)
        while scanner.token.kind != .end { scanner.step() }
        return scanner.source
    }

    private init(_ bytes: [UInt8], path: String) {
        source = ScannedSource(path: path)
        source.ambiguousNames = AmbiguousNames.mentioned(in: bytes)
        source.offeredNames = AmbiguousNames.offered(in: bytes, of: source.ambiguousNames)
        source.mentionsPolicies = bytes.firstRange(of: Array("MigrationPolicy".utf8)) != nil
        source.lineStarts += bytes.indices.filter { bytes[$0] == .lineFeed }.map { $0 + 1 }
        lexer = SwiftLexer(bytes)
        token = lexer.next()
    }

    // MARK: - Tokens

    mutating func advance() { token = lexer.next() }

    func isName(_ name: String) -> Bool {
        token.kind == .identifier && !token.isEscaped && token.range.count == name.utf8.count
            && lexer.bytes[token.range].elementsEqual(name.utf8)
    }

    func at(_ character: Unicode.Scalar) -> Bool {
        token.kind == .punctuation && token.byte == UInt8(truncatingIfNeeded: character.value)
    }

    var text: String { lexer.text(token) }

    /// Goes past a character, if it is there.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard at(character) else { return false }
        advance()
        return true
    }

    /// The name here, if there is one; goes past it.
    mutating func takeName() -> String? {
        guard token.kind == .identifier else { return nil }
        defer { advance() }
        return text
    }

    /// Goes past the bracket here and all that it encloses.
    mutating func skipGroup() {
        lexer.skipGroup()
        advance()
    }

    /// The text between the brackets that begin here; goes past them.
    mutating func takeGroup() -> String {
        let start = token.range.upperBound
        skipToGroupEnd()
        let group = lexer.text(start..<max(start, token.range.lowerBound))
        advance()
        return group
    }

    private mutating func skipToGroupEnd() {
        var depth = 1
        while depth > 0, token.kind != .end {
            advance()
            if at("(") || at("[") || at("{") { depth += 1 }
            if at(")") || at("]") || at("}") { depth -= 1 }
        }
    }

    /// What comes, without going there.
    func peek() -> SwiftLexer.Token {
        var lexer = lexer
        return lexer.next()
    }

    func text(_ token: SwiftLexer.Token) -> String { lexer.text(token) }

    // MARK: - Scopes

    /// The innermost type or extension that is open.
    var scope: Int? { open.last }

    /// Whether the members of the open scope can be a managed class's.
    var isInClass: Bool {
        guard let scope else { return false }
        return source.scopes[scope].kind == .class || source.scopes[scope].kind == .extension
    }

    mutating func enter(_ scope: ScannedScope) {
        source.scopes.append(scope)
        open.append(source.scopes.count - 1)
    }

    // MARK: - Steps

    /// Goes past one declaration, the beginning or end of a scope, or a token that means nothing here.
    private mutating func step() {
        switch token.kind {
        case .directive: directive()
        case .identifier where !token.isEscaped: nameStep()
        case .punctuation: punctuation()
        default: skipToken()
        }
    }

    private mutating func skipToken() {
        prefix = Prefix()
        advance()
    }

    private mutating func punctuation() {
        switch token.byte {
        case UInt8(ascii: "@"): attribute()
        case UInt8(ascii: "}"):
            _ = open.popLast()
            skipToken()
        case UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "["):
            prefix = Prefix()
            skipGroup()
        case UInt8(ascii: "."):
            skipToken()
            if token.kind == .identifier { advance() }
        default: skipToken()
        }
    }

    private mutating func nameStep() {
        let keyword = text
        if Self.modifiers.contains(keyword), keyword != "class" || !declaresClass { return modifier(keyword) }
        switch keyword {
        case "class", "struct", "enum", "protocol": typeDeclaration(keyword)
        case "actor" where peek().kind == .identifier: typeDeclaration(keyword)
        case "extension": extensionDeclaration()
        case "typealias": aliasDeclaration()
        case "import": importDeclaration()
        case "var", "let": variables(isConstant: keyword == "let")
        case "func": function()
        default: skipToken()
        }
    }

    /// Whether `class` begins a declaration here: not as in `class func`.
    private var declaresClass: Bool {
        let next = peek()
        let name = text(next)
        return next.kind == .identifier
            && (next.isEscaped
                || !(Self.modifiers.contains(name) || ["func", "var", "let", "subscript"].contains(name)))
    }

    private mutating func modifier(_ keyword: String) {
        prefix.isEmpty = false
        advance()
        let argument = at("(") && token.isAdjacent ? takeGroup() : ""
        if let access = AccessLevel(keyword: keyword) {
            if argument == "set" { prefix.setterAccess = access } else { prefix.access = access }
        } else if keyword == "static" || keyword == "class" {
            prefix.isStatic = true
        } else if keyword == "override" {
            prefix.isOverride = true
        }
    }

    private mutating func attribute() {
        advance()
        guard var name = takeName() else { return }
        while at("."), token.isAdjacent {
            advance()
            name += "." + (takeName() ?? "")
        }
        let arguments = at("(") && (token.isAdjacent || Self.attributesWithArguments.contains(name)) ? takeGroup() : ""
        prefix.attributes[name, default: ""] += arguments + " "
        prefix.isEmpty = false
    }

    private mutating func directive() {
        switch text {
        case "#if": conditions.begin(lexer.restOfLine())
        case "#elseif": conditions.change(to: lexer.restOfLine())
        case "#else": conditions.change(to: nil)
        case "#endif": conditions.end()
        case "#sourceLocation", "#error", "#warning":
            advance()
            if at("(") { skipGroup() }
            return
        default: return skipToken()
        }
        // Attributes between conditions belong to what follows them: `#if canImport(ObjectiveC)`, `@objc`, `#endif`.
        advance()
    }

    private static let modifiers: Set<String> = [
        "private", "fileprivate", "internal", "package", "public", "open", "static", "class", "final", "lazy", "weak",
        "unowned", "dynamic", "override", "required", "convenience", "mutating", "nonmutating", "optional", "indirect",
        "nonisolated", "isolated", "distributed", "borrowing", "consuming", "prefix", "postfix", "infix",
    ]

    private static let attributesWithArguments: Set<String> = ["objc", "available"]
}
