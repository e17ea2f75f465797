/// Finds out whether a name may stand in what a file offers to other modules: then no internal alias may take its
/// place.
///
/// It reads tokens and knows no types, so it finds rather too much: every name between `public` and the body that
/// follows, everything in the body of a public extension, protocol or enumeration, and everything in a file with code
/// that other modules inline.
struct PublicMentions {
    private(set) var names: Set<String> = []
    private var lexer: SwiftLexer
    /// Whether the declarations in each open brace are public without saying so.
    private var scopes: [Bool] = []
    /// What the declaration that is being read has been found to be.
    private var isPublic = false
    private var isContainer = false

    /// - Parameter wanted: The names to look for.
    init(of wanted: Set<String>, in bytes: [UInt8]) {
        lexer = SwiftLexer(bytes)
        var token = lexer.next()
        while token.kind != .end {
            switch token.kind {
            case .punctuation: punctuation(token)
            case .identifier where token.isEscaped: break
            case .identifier:
                let text = lexer.text(token)
                if Self.inlined.contains(text) {
                    names = wanted
                    return
                }
                if token.startsLine, Self.beginnings.contains(text) { (isPublic, isContainer) = (false, false) }
                if ["public", "open", "package"].contains(text) { isPublic = true }
                if ["extension", "protocol", "enum"].contains(text) { isContainer = true }
                if isPublic || scopes.contains(true), wanted.contains(text) { names.insert(text) }
            default: break
            }
            token = lexer.next()
        }
    }

    private mutating func punctuation(_ token: SwiftLexer.Token) {
        switch token.byte {
        case UInt8(ascii: "{"):
            scopes.append(isPublic && isContainer)
            (isPublic, isContainer) = (false, false)
        case UInt8(ascii: "}"):
            _ = scopes.popLast()
            (isPublic, isContainer) = (false, false)
        case UInt8(ascii: "@") where token.startsLine, UInt8(ascii: ";"): (isPublic, isContainer) = (false, false)
        default: break
        }
    }

    private static let inlined: Set<String> = ["frozen", "inlinable", "usableFromInline", "_alwaysEmitIntoClient"]

    /// What begins a declaration, if it begins a line.
    private static let beginnings: Set<String> = [
        "actor", "case", "class", "convenience", "deinit", "dynamic", "enum", "extension", "fileprivate", "final",
        "func", "import", "indirect", "init", "internal", "lazy", "let", "mutating", "nonisolated", "override",
        "package", "private", "protocol", "public", "open", "required", "static", "struct", "subscript", "typealias",
        "unowned", "var", "weak",
    ]
}
