/// Everything that the file of bodies will say: decided, only the spelling left to `BodyEmitter`.
struct BodyPlan: Equatable {
    var module: String
    /// What the sources import that hold the declarations.
    var imports: [String] = []
    var classes: [ClassBodies] = []
    /// Names that are to mean CoreData's classes.
    var aliases: [String] = []
}

/// What is generated for one class, or one extension of it.
struct ClassBodies: Equatable {
    /// The class as code spells it.
    var spelling: String
    /// The class that the extension names: `NSManagedObject` for one that can't be named.
    var extended: String
    /// A name made of the class's, for generated ones.
    var identifier: String
    var keys: [Key] = []
    var functions: [Function] = []
    var members: [Member] = []
    /// Whether it is a class of migration policies, with the methods that expressions may call.
    var isPolicy = false
    var methods: [PolicyMethod] = []
    /// The names by which a model may ask for the class; none where it is not declared here or can't be named.
    var registeredNames: [String] = []
    /// The conditions of each declaration of the class; one that has none makes the class unconditional.
    var alternatives: [[String]] = []

    /// The conditions under which there is such a class.
    var conditions: [String] {
        guard !alternatives.contains([]), let first = alternatives.first else { return [] }
        if alternatives.count == 1 { return first }
        return ["(" + alternatives.map { "(" + $0.joined(separator: " && ") + ")" }.joined(separator: " || ") + ")"]
    }

    struct Key: Equatable {
        var name: String
        /// Nil where no model says.
        var slot: Int?
    }

    /// A function that is the body of a property's accessor or of a method.
    struct Function: Equatable {
        var symbol: String
        var access: String
        var name: String
        /// From the opening parenthesis to the result.
        var signature: String
        var body: String
        var conditions: [String]
    }

    /// A property or a validating method that key-value coding reaches.
    struct Member: Equatable {
        enum Access: Equatable {
            case readOnly, readWrite
            /// A wrapper or a macro makes the accessors: the compiler knows whether there is a setter.
            case decidedByMacro
        }

        enum Kind: Equatable {
            case property(Access, isObjC: Bool)
            case validation(method: String)
            /// A modelled property with a type that is a number and can't be nil.
            case scalar
        }

        var key: String
        var kind: Kind
        var conditions: [String]
    }
}

/// Something to be said about a place in the sources.
struct SourceDiagnostic: Equatable, Sendable {
    enum Severity: String, Sendable {
        case error, warning
    }

    var severity: Severity
    var path: String
    var line: Int
    var column: Int
    var sentence: String
    /// The conditions under which it holds.
    var conditions: [String]

    var description: String { "\(path):\(line):\(column): \(severity.rawValue): \(sentence)" }
}
