/// What one Swift file declares, as far as managed classes are concerned.
package struct ScannedSource: Sendable {
    package let path: String
    /// The name of the file that the compiler sees.
    package var compiledName: String
    /// The modules that the file imports.
    package var imports: [Import] = []
    /// The types and extensions, each behind what encloses it.
    package var scopes: [ScannedScope] = []
    /// Properties of classes and extensions.
    package var properties: [ScannedProperty] = []
    /// Those instance methods of classes and extensions that are managed or validate a property.
    package var functions: [ScannedFunction] = []
    /// Instance methods of classes and extensions, in files that speak of migration policies.
    package var methods: [ScannedFunction] = []
    /// Whether the text speaks of migration policies.
    var mentionsPolicies = false
    /// See ``AmbiguousNames``.
    package var ambiguousNames: Set<String> = []
    /// Those of them that other modules may see in what the file declares.
    package var offeredNames: Set<String> = []
    /// Where each line begins.
    package var lineStarts: [Int] = [0]

    package struct Import: Hashable, Sendable {
        package var module: String
        /// Whether an import of this module brings that one along.
        package var isExported: Bool
    }

    package init(path: String) {
        self.path = path
        compiledName = path.split(separator: "/").last.map(String.init) ?? ""
    }

    /// The line and column of a byte, counted from 1.
    package func lineAndColumn(_ offset: Int) -> (line: Int, column: Int) {
        let line = lineStarts.lastIndex { $0 <= offset } ?? 0
        return (line + 1, offset - lineStarts[line] + 1)
    }
}

/// Which code may use a declaration.
package enum AccessLevel: Int, Comparable, Sendable {
    case `private`, `fileprivate`, `internal`, package, `public`, open

    package static func < (lhs: AccessLevel, rhs: AccessLevel) -> Bool { lhs.rawValue < rhs.rawValue }

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
package struct ScannedScope: Sendable {
    package enum Kind: Equatable, Sendable {
        case `class`, `struct`, `enum`, `protocol`
        case alias(TypeSyntax)
        case `extension`
    }

    package var kind: Kind
    /// The type's name behind those of the types around it; for an extension, what it names.
    package var path: [String]
    /// The scope around it, by its index in the file.
    package var parent: Int?
    /// What is written, if anything is.
    package var access: AccessLevel?
    package var inheritance: [TypeSyntax] = []
    package var genericParameters: [String] = []
    /// The conditions of the `#if`s around it, outermost first.
    package var conditions: [String] = []
    var isObjCMembers = false
    /// Whether an attribute may be a macro's, which changes the members.
    var hasMacros = false
    /// The name in `@objc(…)`, which a model may use.
    package var objcName: String?
    package var offset: Int
}

extension ScannedScope {
    /// A class that is written nowhere.
    package init(classNamed name: String, access: AccessLevel, superclass: String) {
        self.init(kind: .class, path: [name], access: access, inheritance: [.named(superclass)], offset: 0)
    }
}

/// A property.
package struct ScannedProperty: Sendable {
    package var name: String
    /// The scope that declares it, by its index in the file.
    package var scope: Int
    package var type: TypeSyntax?
    package var access: AccessLevel?
    /// Which code may set it, where that is written.
    package var setterAccess: AccessLevel?
    package var isManaged: Bool
    /// Whether Objective-C would see the property.
    package var isObjC: Bool
    package var isSettable: Bool
    /// Whether it belongs to the type and not to its instances.
    package var isStatic: Bool
    /// Whether a macro or a wrapper may make its accessors.
    package var hasMacros: Bool
    /// Whether code that may be generated can't use it: it can throw, wait, or is not available.
    package var isOutOfReach: Bool
    package var conditions: [String]
    package var offset: Int
}

/// An instance method.
package struct ScannedFunction: Sendable {
    package struct Parameter: Equatable, Sendable {
        package var label: String?
        package var name: String
        package var type: TypeSyntax
        /// Whether it is `inout`, or stands for a generic type.
        package var isUnusual = false
    }

    package var name: String
    package var scope: Int
    package var parameters: [Parameter]
    /// Nil for a method that gives nothing.
    package var result: TypeSyntax?
    package var access: AccessLevel?
    package var isManaged: Bool
    /// The selector in `@objc(…)`.
    package var selector: String?
    /// `throws` or `async`.
    package var hasEffects: Bool
    package var isAsync = false
    package var isOverride = false
    /// Whether code that may be generated can't use it.
    package var isOutOfReach = false
    package var conditions: [String]
    package var offset: Int
}
