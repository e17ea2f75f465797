import SwiftSources
/// The class that a declaration belongs to.
struct Owner {
    var type: NominalType
    /// Where its members are declared.
    var context: TypeResolver.Context
    var scope: ScannedScope
    var source: ScannedSource
    var isPrivate: Bool
    var isExtension: Bool
    var isGeneric: Bool
    /// The names by which a model may know it.
    var names: [String]

    /// A name made of the class's and those around it; of two private classes in two files, each has its own.
    var identifier: String {
        type.path.map { $0.name + ($0.discriminator.map { String($0.prefix(7)) } ?? "") }
            .joined(separator: "_").identifier
    }

    /// The enumeration of the class's keys.
    var keysName: String { "_\(identifier)Keys" }

    var exampleMember: String { "a managed class" }

    func diagnostic(
        _ severity: SourceDiagnostic.Severity, _ offset: Int, _ conditions: [String], _ sentence: String
    ) -> SourceDiagnostic { SourceDiagnostic(severity, source, offset, conditions, sentence) }

    /// What to write instead of a property that can't be understood.
    func remedy(for name: String) -> String {
        "import the module that declares it, or write the accessors yourself: { get { value(forKey: \"\(name)\") as! … } set { setValue(newValue, forKey: \"\(name)\") } }"
    }
}

extension SourceDiagnostic {
    init(
        _ severity: Severity, _ source: ScannedSource, _ offset: Int, _ conditions: [String], _ sentence: String
    ) {
        let (line, column) = source.lineAndColumn(offset)
        self.init(
            severity: severity, path: source.path, line: line, column: column, sentence: sentence,
            conditions: conditions)
    }
}

/// A type as generated code spells it.
struct TypeSpelling: Equatable {
    /// The whole type.
    let spelling: String
    /// The type without the optional around it.
    let unwrapped: String

    /// - Parameter module: The module that the code is part of.
    init(_ type: SwiftType, in module: SourceModule) {
        spelling = Self.spell(type, module)
        unwrapped = Self.spell(type.unwrapped, module)
    }

    private static func spell(_ type: SwiftType, _ module: SourceModule) -> String {
        switch type {
        case .nominal(let nominal): spell(nominal, module)
        case .bound(let generic, let arguments):
            "\(spell(generic, module))<\(arguments.map { spell($0, module) }.joined(separator: ", "))>"
        case .optional(let wrapped): spell(wrapped, module) + "?"
        case .tuple(let elements):
            "(" + elements.map { ($0.label.map { "\($0): " } ?? "") + spell($0.type, module) }.joined(separator: ", ")
                + ")"
        case .existential(let type): "(any \(spell(type, module)))"
        case .any: "Any"
        case .anyObject: "AnyObject"
        }
    }

    private static func spell(_ type: NominalType, _ module: SourceModule) -> String {
        let isForeign = type.module != module.name
        // A type of this module hides one of the same name that is imported.
        let isHidden = isForeign && !module.places(of: [type.path[0].name]).isEmpty
        let qualifier = type.module == "FoundationEssentials" ? "Foundation" : type.module
        return (isHidden ? qualifier + "." : "") + type.spelling
    }
}

/// The types of a managed method.
struct Signature {
    var conditions: [String]
    var parameters: [SwiftType] = []
    var result = SwiftType.void
    var access = AccessLevel.open
    var resultSpelling = TypeSpelling.void
    private var parameterTexts: [String] = []

    init(conditions: [String]) { self.conditions = conditions }

    /// From the opening parenthesis to the result.
    var text: String {
        "(\(parameterTexts.joined(separator: ", ")))" + (result == .void ? "" : " -> \(resultSpelling.spelling)")
    }

    func adding(_ type: (meaning: TypeResolver.Meaning, spelling: TypeSpelling), index: Int) -> Signature {
        var copy = self
        copy.add(type.meaning)
        copy.parameters.append(type.meaning.type)
        copy.parameterTexts.append("_ value\(index == 0 ? "" : "\(index)"): \(type.spelling.spelling)")
        return copy
    }

    func with(result type: (meaning: TypeResolver.Meaning, spelling: TypeSpelling)) -> Signature {
        var copy = self
        copy.add(type.meaning)
        copy.result = type.meaning.type
        copy.resultSpelling = type.spelling
        return copy
    }

    private mutating func add(_ meaning: TypeResolver.Meaning) {
        conditions += meaning.conditions
        access = min(access, meaning.access)
    }

    /// Whether the runtime has an operation on such values.
    func isAccepted(by operation: ManagedFunction.Operation, isManaged: (NominalType) -> Bool) -> Bool {
        let isVoid = result == .void
        return switch operation {
        case .insert, .remove: isVoid && parameters[0].isMember(isManaged)
        case .insertAt: isVoid && parameters[0].isMember(isManaged) && parameters[1].isPlace
        case .removeAt: isVoid && parameters[0].isPlace
        case .replaceAt: isVoid && parameters[0].isPlace && parameters[1].isMember(isManaged)
        case .primitive: !isVoid
        case .setPrimitive: isVoid
        }
    }
}

extension TypeSpelling {
    fileprivate static let void = TypeSpelling(.void, in: SourceModule(name: "", sources: []))
}

extension SwiftType {
    /// Whether the type is a member's of a relationship, or a collection of them.
    fileprivate func isMember(_ isManaged: (NominalType) -> Bool) -> Bool {
        switch self {
        case .nominal(let type):
            isManaged(type) || (type.module == "Foundation" && ["NSSet", "NSOrderedSet"].contains(type.path[0].name))
        case .bound(let generic, let arguments):
            ["Array", "Set"].contains(generic.path[0].name) && arguments.count == 1
                && arguments[0].isManagedClass(isManaged)
        default: false
        }
    }

    private func isManagedClass(_ isManaged: (NominalType) -> Bool) -> Bool {
        if case .nominal(let type) = self { isManaged(type) } else { false }
    }

    fileprivate var isPlace: Bool {
        guard case .nominal(let type) = self else { return false }
        return SystemTypes.isSystemModule(type.module) && ["Int", "IndexSet", "NSIndexSet"].contains(type.path[0].name)
    }
}

extension TypeSyntax {
    var takesIndexes: Bool {
        guard case .named(let components) = self, let last = components.last else { return false }
        return ["Int", "IndexSet", "NSIndexSet"].contains(last.name)
    }
}

extension ScannedFunction {
    /// Whether this is a method `validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws`.
    var isValidation: Bool {
        guard !isManaged, hasEffects, result == nil, name.count > "validate".count, parameters.count == 1 else {
            return false
        }
        guard parameters[0].label == nil, case .named(let components) = parameters[0].type.withoutOptional else {
            return false
        }
        return ["AutoreleasingUnsafeMutablePointer", "UnsafeMutablePointer"].contains(components.last?.name)
    }
}

extension TypeSyntax {
    fileprivate var withoutOptional: TypeSyntax { if case .optional(let wrapped) = self { wrapped } else { self } }
}

extension String {
    /// The text with an underscore for whatever can't be part of a name.
    var identifier: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.isXIDContinue ? $0 : "_" }))
    }
}
