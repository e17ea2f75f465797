/// What the generated file will say about one class: everything decided, only the spelling left to `SwiftEmitter`.
struct ClassPlan: Equatable {
    /// Whether the class itself is written, or only its accessors.
    enum Form: Equatable {
        case definition
        case accessors
    }

    /// Where `fetchRequest()` stands. The same function in a class and its superclass is ambiguous for the compiler;
    /// two in extensions of a protocol are not, the one for the subclass being the more special.
    enum RequestPlace: Equatable {
        /// In the class, as Xcode has it.
        case member
        /// In an extension of `NSFetchRequestResult`, for classes that generated ones inherit from or that inherit from
        /// them.
        case resultExtension
    }

    var entity: String
    var name: String
    /// The module that the model looks for the class in: this one, unless the model names another.
    var module: String
    var superclass: String
    var form: Form
    var requestPlace: RequestPlace
    var isAbstract: Bool
    var isIdentifiable: Bool
    /// What the model's author says of the entity, line by line.
    var documentation: [String]
    var properties: [PropertyPlan]
    var requests: [RequestPlan]
}

/// A function that makes the request of one template.
struct RequestPlan: Equatable {
    /// A variable of the template's predicate.
    struct Parameter: Equatable {
        var name: String
        var variable: String
        var type: String
    }

    var function: String
    var template: String
    var parameters: [Parameter]
    /// What the request gives: objects of the class, unless the template asks for something else.
    var resultType: String
    /// The sentence above the function.
    var summary: String
}

/// One accessor, or the family of accessors of a to-many relationship.
struct PropertyPlan: Equatable {
    enum Kind: Equatable {
        /// A type for which the runtime has an overload of `managedValue`.
        case value(type: String)
        /// A date kept as a scalar: seconds since the reference date.
        case timeInterval
        /// A number object, a transformable, composite or undefined attribute.
        case transformable(type: String)
        case toOne(type: String)
        case toMany(type: String, isOrdered: Bool)
        /// The members as a Swift set or array, as the relationship's user info says.
        case members(type: String, isArray: Bool, isOrdered: Bool)
        case fetched(type: String)
    }

    var name: String
    /// The index in the entity's layout, as the package's README of this module defines it.
    var slot: Int
    var kind: Kind
    /// What the model's author says of the property, line by line.
    var documentation: [String]
    /// The sentence above the accessor.
    var summary: String
}

/// Everything that goes into one generated file.
struct FilePlan: Equatable {
    var modelName: String
    var versionName: String
    var module: String
    /// Modules of classes that the model names and other targets hold.
    var otherModules: [String]
    var classes: [ClassPlan]
}
