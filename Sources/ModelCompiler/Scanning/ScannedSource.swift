/// What one Swift file declares, as far as managed classes are concerned.
struct ScannedSource: Sendable {
    let path: String
    /// The name of the file that the compiler sees.
    var compiledName: String
    /// The modules that the file imports.
    var imports: [Import] = []
    /// The types and extensions, each behind what encloses it.
    var scopes: [ScannedScope] = []
    /// Properties of classes and extensions.
    var properties: [ScannedProperty] = []
    /// Those instance methods of classes and extensions that are managed or validate a property.
    var functions: [ScannedFunction] = []
    /// See ``AmbiguousNames``.
    var ambiguousNames: Set<String> = []
    /// Those of them that other modules may see in what the file declares.
    var offeredNames: Set<String> = []
    /// Where each line begins.
    var lineStarts: [Int] = [0]

    struct Import: Hashable, Sendable {
        var module: String
        /// Whether who imports this module gets that one too.
        var isExported: Bool
    }

    init(path: String) {
        self.path = path
        compiledName = path.split(separator: "/").last.map(String.init) ?? ""
    }

    /// The line and column of a byte, counted from 1.
    func lineAndColumn(_ offset: Int) -> (line: Int, column: Int) {
        let line = lineStarts.lastIndex { $0 <= offset } ?? 0
        return (line + 1, offset - lineStarts[line] + 1)
    }
}

/// Who may use a declaration.
enum AccessLevel: Int, Comparable, Sendable {
    case `private`, `fileprivate`, `internal`, package, `public`, open

    static func < (lhs: AccessLevel, rhs: AccessLevel) -> Bool { lhs.rawValue < rhs.rawValue }

    init?(keyword: String) {
        switch keyword {
        case "private": self = .private
        case "fileprivate": self = .fileprivate
        case "internal": self = .internal
        case "package": self = .package
        case "public": self = .public
        case "open": self = .open
        default: return nil
        }
    }
}

/// A type's declaration, or an extension of one.
struct ScannedScope: Sendable {
    enum Kind: Equatable, Sendable {
        case `class`, `struct`, `enum`, `protocol`
        case alias(TypeSyntax)
        case `extension`
    }

    var kind: Kind
    /// The type's name behind those of the types around it; for an extension, what it names.
    var path: [String]
    /// The scope around it, by its index in the file.
    var parent: Int?
    /// What is written, if anything is.
    var access: AccessLevel?
    var inheritance: [TypeSyntax] = []
    var genericParameters: [String] = []
    /// The conditions of the `#if`s around it, outermost first.
    var conditions: [String] = []
    var isObjCMembers = false
    /// Whether an attribute may be a macro's, which changes the members.
    var hasMacros = false
    /// The name in `@objc(…)`, which a model may use.
    var objcName: String?
    var offset: Int
}

/// A property.
struct ScannedProperty: Sendable {
    var name: String
    /// The scope that declares it, by its index in the file.
    var scope: Int
    var type: TypeSyntax?
    var access: AccessLevel?
    /// Who may set it, where that is written.
    var setterAccess: AccessLevel?
    var isManaged: Bool
    /// Whether Objective-C would see the property.
    var isObjC: Bool
    var isSettable: Bool
    /// Whether it belongs to the type and not to its instances.
    var isStatic: Bool
    /// Whether a macro or a wrapper may make its accessors.
    var hasMacros: Bool
    /// Whether code that may be generated can't use it: it can throw, wait, or is not available.
    var isOutOfReach: Bool
    var conditions: [String]
    var offset: Int
}

/// An instance method.
struct ScannedFunction: Sendable {
    struct Parameter: Equatable, Sendable {
        var label: String?
        var name: String
        var type: TypeSyntax
    }

    var name: String
    var scope: Int
    var parameters: [Parameter]
    /// Nil for a method that gives nothing.
    var result: TypeSyntax?
    var access: AccessLevel?
    var isManaged: Bool
    /// The selector in `@objc(…)`.
    var selector: String?
    /// `throws` or `async`.
    var hasEffects: Bool
    var conditions: [String]
    var offset: Int
}
