extension SourceScanner {
    // MARK: - Properties

    /// The properties of one `var` or `let`: `var a = 1, b, c: Int`.
    mutating func variables(isConstant: Bool) {
        let prefix = takePrefix()
        advance()
        var untyped: [ScannedProperty] = []
        repeat {
            if at("(") {
                destructured(prefix, isConstant: isConstant)
                continue
            }
            guard let name = nameOfVariable() else { break }
            var property = property(name, prefix, isConstant: isConstant)
            var hasValue = false
            if take(":") {
                property.type = type()
                untyped = untyped.map { $0.with(type: property.type) }
            }
            if at("=") {
                skipInitialValue()
                hasValue = true
            }
            if at("{") { accessors(of: &property) }
            untyped.append(property)
            if property.type != nil || hasValue { flush(&untyped) }
        } while take(",")
        flush(&untyped)
    }

    private func property(_ name: VariableName, _ prefix: Prefix, isConstant: Bool) -> ScannedProperty {
        var property = ScannedProperty(name: name.text, prefix, scope: scope ?? 0, name.offset, conditions.conditions)
        property.isObjC = property.isObjC || scope.map { source.scopes[$0].isObjCMembers } ?? false
        property.isSettable = !isConstant
        property.hasMacros = property.hasMacros || scope.map { source.scopes[$0].hasMacros } ?? false
        return property
    }

    /// The properties of a tuple pattern, `(a, (b, _)): (Int, (Int, Int)) = c`, each with its part of the type.
    private mutating func destructured(_ prefix: Prefix, isConstant: Bool) {
        let names = namesInTuple()
        let type = take(":") ? type() : nil
        if at("=") { skipInitialValue() }
        var properties = names.map { name, place in
            property(name, prefix, isConstant: isConstant).with(type: type?.part(at: place))
        }
        flush(&properties)
    }

    /// The names in the tuple pattern here, each with its place in every tuple from the outside in; goes past the
    /// pattern.
    private mutating func namesInTuple() -> [(name: VariableName, place: [Int])] {
        var names: [(name: VariableName, place: [Int])] = []
        var count = 1
        advance()
        while token.kind != .end, !at(")") {
            if at("(") {
                names += namesInTuple().map { ($0.name, [count - 1] + $0.place) }
            } else if let name = nameOfVariable() {
                let isLabel = take(":")
                if !isLabel, name.text != "_" { names.append((name, [count - 1])) }
            } else {
                if at(",") { count += 1 }
                advance()
            }
        }
        advance()
        // Parentheses around a single pattern make no tuple.
        return count > 1 ? names : names.map { ($0.name, Array($0.place.dropFirst())) }
    }

    private mutating func flush(_ properties: inout [ScannedProperty]) {
        defer { properties = [] }
        guard isInClass else { return }
        source.properties += properties
    }

    private typealias VariableName = (text: String, offset: Int)

    private mutating func nameOfVariable() -> VariableName? {
        // As the compiler counts: from the backtick, where there is one.
        let offset = token.range.lowerBound - (token.isEscaped ? 1 : 0)
        return takeName().map { ($0, offset) }
    }

    /// Whether the comma here is followed by another variable: it may as well be part of an expression.
    private var beginsVariable: Bool {
        var ahead = self
        ahead.advance()
        if ahead.at("(") { ahead.skipGroup() } else if ahead.takeName() == nil { return false }
        return ahead.at(":") || ahead.at("=")
    }

    /// Goes to what follows the expression behind `=`: a comma, a brace, or the next statement.
    private mutating func skipInitialValue() {
        advance()
        var expectsOperand = true
        while token.kind != .end {
            if token.kind == .directive, ["#if", "#elseif", "#else", "#endif"].contains(text) { return }
            if at("}") || at(")") || at("]") || at(";") { return }
            if at(","), !expectsOperand, beginsVariable { return }
            if token.startsLine, !expectsOperand, !continuesExpression { return }
            if at("{") && isObservers { return }
            let isOperator = token.kind == .punctuation && !"([{".utf8.contains(token.byte)
            expectsOperand = isOperator && token.byte != UInt8(ascii: "?") && token.byte != UInt8(ascii: "!")
            if at("(") || at("[") || at("{") { skipGroup() } else { advance() }
        }
    }

    private var continuesExpression: Bool {
        switch token.kind {
        case .punctuation: !at("@")
        case .identifier: isName("as") || isName("is") || isName("else")
        default: false
        }
    }

    private var isObservers: Bool {
        let next = text(peek())
        return next == "willSet" || next == "didSet"
    }

    private mutating func accessors(of property: inout ScannedProperty) {
        let accessors = accessorsHere()
        if accessors.names.isEmpty || !accessors.names.isDisjoint(with: ["get", "_read", "unsafeAddress"]) {
            property.isSettable = !accessors.names.isDisjoint(with: ["set", "_modify", "unsafeMutableAddress"])
            // Macros and wrappers make accessors only where none are written.
            property.hasMacros = false
        }
        property.isOutOfReach = property.isOutOfReach || accessors.haveEffects
    }

    /// The accessors in the block here; none for one that is the getter's body. Goes past the block.
    private mutating func accessorsHere() -> (names: Set<String>, haveEffects: Bool) {
        var names: Set<String> = []
        var haveEffects = false
        advance()
        while token.kind != .end, !at("}") {
            if at("@") {
                advance()
                advance()
                if at("("), token.isAdjacent { skipGroup() }
            } else if token.kind == .identifier, Self.accessorNames.contains(text) {
                names.insert(text)
                advance()
            } else if token.kind == .identifier, !names.isEmpty || isModifierOfAccessor {
                haveEffects = haveEffects || isName("async") || isName("throws")
                advance()
            } else if !names.isEmpty, at("{") || at("(") {
                skipGroup()
            } else {
                skipRestOfBlock()
                return (names, haveEffects)
            }
        }
        advance()
        return (names, haveEffects)
    }

    private var isModifierOfAccessor: Bool {
        [
            "nonmutating", "mutating", "nonisolated", "private", "fileprivate", "internal", "__consuming", "consuming",
            "borrowing",
        ].contains(text)
    }

    private mutating func skipRestOfBlock() {
        while token.kind != .end, !at("}") {
            if at("{") || at("(") || at("[") { skipGroup() } else { advance() }
        }
        advance()
    }

    /// Without `read` and `modify`, which are more likely functions that a getter's body calls.
    private static let accessorNames: Set<String> = [
        "get", "set", "willSet", "didSet", "_read", "_modify", "init", "unsafeAddress", "unsafeMutableAddress",
    ]

    // MARK: - Functions

    mutating func function() {
        let prefix = takePrefix()
        advance()
        let offset = token.range.lowerBound
        guard isInClass, !prefix.isStatic, let name = takeName() else { return advance() }
        let isManaged = prefix.attributes["NSManaged"] != nil
        let isWanted = isManaged || name.hasPrefix("validate")
        guard isWanted || source.mentionsPolicies, take("("), let scope else { return }
        var function = ScannedFunction(
            name: name, scope: scope, parameters: parameters(), access: prefix.access, isManaged: isManaged,
            selector: prefix.selector, hasEffects: false, conditions: conditions.conditions, offset: offset)
        while isName("throws") || isName("async") || isName("rethrows") {
            function.hasEffects = true
            function.isAsync = function.isAsync || isName("async")
            advance()
            if at("("), token.isAdjacent { skipGroup() }
        }
        if at("-"), peek().byte == UInt8(ascii: ">") {
            advance()
            advance()
            function.result = type()
        }
        if isWanted { source.functions.append(function) }
        guard source.mentionsPolicies else { return }
        function.isOverride = prefix.isOverride
        function.isOutOfReach = prefix.isUnavailable
        source.methods.append(function)
    }

    /// The parameters up to the closing parenthesis, which is passed.
    private mutating func parameters() -> [ScannedFunction.Parameter] {
        var parameters: [ScannedFunction.Parameter] = []
        while token.kind != .end, !at(")") {
            guard let label = takeName() else {
                advance()
                continue
            }
            let name = takeName() ?? label
            guard take(":") else { continue }
            let isUnusual = isName("inout") || isName("some") || isName("isolated")
            parameters.append(
                .init(label: label == "_" ? nil : label, name: name, type: type(), isUnusual: isUnusual))
            if at("=") { skipInitialValue() }
            _ = take(",")
        }
        advance()
        return parameters
    }
}

extension SourceScanner.Prefix {
    /// What stands between the parentheses of `@objc(…)`.
    var selector: String? {
        attributes["objc"].flatMap { $0.isBlank ? nil : $0.filter { !$0.isWhitespace } }
    }

    /// Whether an attribute is none of the language's: then it names a macro, a wrapper or an actor.
    var hasMacros: Bool { attributes.keys.contains { !Self.languageAttributes.contains($0) && !$0.hasPrefix("_") } }

    private static let languageAttributes: Set<String> = [
        "GKInspectable", "IBDesignable", "IBInspectable", "IBOutlet", "MainActor", "NSCopying", "NSManaged", "Sendable",
        "abi", "available", "backDeployed", "discardableResult", "dynamicCallable", "dynamicMemberLookup", "export",
        "frozen", "inlinable", "inline", "nonexhaustive", "nonobjc", "objc", "objcMembers", "preconcurrency",
        "requires_stored_property_inits", "safe", "section", "unchecked", "unsafe", "usableFromInline", "used",
    ]

    /// Whether an attribute takes the declaration away from code that does not know better.
    fileprivate var isUnavailable: Bool {
        attributes["available"].map { text in
            ["unavailable", "deprecated", "obsoleted", "noasync"].contains { text.contains($0) }
        } ?? false
    }
}

extension String {
    fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}

extension ScannedProperty {
    fileprivate init(
        name: String, _ prefix: SourceScanner.Prefix, scope: Int, _ offset: Int, _ conditions: [String]
    ) {
        self.init(
            name: name, scope: scope, access: prefix.access, setterAccess: prefix.setterAccess,
            isManaged: prefix.attributes["NSManaged"] != nil,
            // What overrides a managed property is seen by Objective-C as that one is.
            isObjC: (prefix.attributes["objc"] != nil || prefix.isOverride) && prefix.attributes["nonobjc"] == nil,
            isSettable: true, isStatic: prefix.isStatic, hasMacros: prefix.hasMacros,
            isOutOfReach: prefix.isUnavailable || prefix.isStatic, conditions: conditions,
            offset: offset)
    }

    fileprivate func with(type: TypeSyntax?) -> ScannedProperty {
        var copy = self
        copy.type = copy.type ?? type
        return copy
    }
}
