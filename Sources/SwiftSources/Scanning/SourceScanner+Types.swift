extension SourceScanner {
    // MARK: - Declarations

    mutating func typeDeclaration(_ keyword: String) {
        let offset = token.range.lowerBound
        let prefix = takePrefix()
        advance()
        guard let name = takeName() else { return }
        let kind: ScannedScope.Kind =
            switch keyword {
            case "struct": .struct
            case "enum": .enum
            case "protocol": .protocol
            default: .class
            }
        enter(kind, path: pathOfScope + [name], prefix, offset)
    }

    mutating func extensionDeclaration() {
        let offset = token.range.lowerBound
        let prefix = takePrefix()
        advance()
        let path: [String]
        switch type() {
        case .named(let components): path = components.map(\.name)
        case .array: path = ["Array"]
        case .dictionary: path = ["Dictionary"]
        case .optional: path = ["Optional"]
        default: return
        }
        enter(.extension, path: path, prefix, offset)
    }

    mutating func aliasDeclaration() {
        let offset = token.range.lowerBound
        let prefix = takePrefix()
        advance()
        guard let name = takeName() else { return }
        let parameters = genericParameters()
        guard take("=") else { return }
        source.scopes.append(
            ScannedScope(
                kind: .alias(type()), path: pathOfScope + [name], parent: scope, access: prefix.access,
                genericParameters: parameters, conditions: conditions.conditions, offset: offset))
    }

    mutating func importDeclaration() {
        let prefix = takePrefix()
        advance()
        let kinds: Set<String> = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
        if token.kind == .identifier, !token.isEscaped, kinds.contains(text) { advance() }
        guard let module = takeName() else { return }
        source.imports.append(.init(module: module, isExported: prefix.attributes["_exported"] != nil))
        while take(".") { advance() }
    }

    /// What stood before the keyword; what follows starts without.
    mutating func takePrefix() -> Prefix {
        defer { prefix = Prefix() }
        return prefix
    }

    private var pathOfScope: [String] { scope.map { source.scopes[$0].path } ?? [] }

    private mutating func enter(_ kind: ScannedScope.Kind, path: [String], _ prefix: Prefix, _ offset: Int) {
        var declared = ScannedScope(
            kind: kind, path: path, parent: scope, access: prefix.access, conditions: conditions.conditions,
            isObjCMembers: prefix.attributes["objcMembers"] != nil, hasMacros: prefix.hasMacros,
            objcName: prefix.selector, offset: offset)
        declared.genericParameters = genericParameters()
        if take(":") { declared.inheritance = inheritance() }
        while token.kind != .end, !at("{") { advance() }
        guard take("{") else { return }
        enter(declared)
    }

    private mutating func inheritance() -> [TypeSyntax] {
        var types: [TypeSyntax] = []
        repeat { types.append(type()) } while take(",")
        return types
    }

    /// The names between the angle brackets that may begin here.
    private mutating func genericParameters() -> [String] {
        guard at("<") else { return [] }
        var names: [String] = []
        var (depth, expectsName) = (0, true)
        repeat {
            if at("<") { depth += 1 }
            if at(">") { depth -= 1 }
            if depth == 1, token.kind == .identifier, expectsName {
                if !isName("each"), !isName("let") { names.append(text) }
                expectsName = isName("each") || isName("let")
            }
            if depth == 1, at(",") { expectsName = true }
            if at("-") { advance() }  // `->` ends no list
            advance()
        } while depth > 0 && token.kind != .end
        return names
    }

    // MARK: - Types

    /// The type that is written here.
    mutating func type() -> TypeSyntax {
        skipSpecifiers()
        if isName("any") {
            advance()
            return postfix(.existential(type()))
        }
        var parsed = postfix(primaryType())
        while at("&") {
            advance()
            _ = postfix(primaryType())
            parsed = .other("a composition of protocols")
        }
        guard isFunctionArrow else { return parsed }
        while token.kind != .end, !at(">") {
            advance()
            if at("(") { skipGroup() }
        }
        advance()
        _ = type()
        return .other("a function type")
    }

    private var isFunctionArrow: Bool {
        if isName("async") || isName("throws") || isName("rethrows") { return arrowFollows }
        return at("-") && peek().byte == UInt8(ascii: ">")
    }

    /// Whether an arrow comes behind the effects here.
    private var arrowFollows: Bool {
        var ahead = self
        while ahead.isName("async") || ahead.isName("throws") || ahead.isName("rethrows") {
            ahead.advance()
            if ahead.at("(") { ahead.skipGroup() }
        }
        return ahead.at("-") && ahead.peek().byte == UInt8(ascii: ">")
    }

    private mutating func skipSpecifiers() {
        while true {
            if at("@") {
                advance()
                advance()
                if at("("), token.isAdjacent { skipGroup() }
            } else if token.kind == .identifier, !token.isEscaped, Self.specifiers.contains(text),
                [.identifier, .punctuation].contains(peek().kind), !":,)=?".utf8.contains(peek().byte)
            {
                advance()
                if at("("), token.isAdjacent { skipGroup() }
            } else {
                return
            }
        }
    }

    private static let specifiers: Set<String> = [
        "inout", "borrowing", "consuming", "__owned", "__shared", "sending", "isolated", "some", "nonisolated",
    ]

    private mutating func primaryType() -> TypeSyntax {
        if at("[") { return collectionType() }
        if at("(") { return tupleType() }
        if at("~") {
            advance()
            _ = primaryType()
            return .other("a type without a conformance")
        }
        guard token.kind == .identifier else { return .other("no type") }
        return namedType()
    }

    private mutating func namedType() -> TypeSyntax {
        var components: [TypeSyntax.Component] = []
        repeat {
            guard let name = takeName() else { break }
            components.append(.init(name: name, arguments: at("<") ? genericArguments() : []))
            if at("."), peek().kind != .identifier { break }
        } while take(".")
        if components.count > 1, ["Type", "Protocol"].contains(components[components.count - 1].name) {
            return .other("a metatype")
        }
        return .named(components)
    }

    private mutating func genericArguments() -> [TypeSyntax] {
        advance()
        var arguments: [TypeSyntax] = []
        repeat { arguments.append(type()) } while take(",")
        _ = take(">")
        return arguments
    }

    private mutating func collectionType() -> TypeSyntax {
        advance()
        let first = type()
        let collection: TypeSyntax = take(":") ? .dictionary(first, type()) : .array(first)
        while token.kind != .end, !at("]") { advance() }
        advance()
        return collection
    }

    private mutating func tupleType() -> TypeSyntax {
        advance()
        var elements: [TypeSyntax.Element] = []
        while token.kind != .end, !at(")") {
            elements.append(element())
            if !take(","), !at(")") { advance() }
        }
        advance()
        return elements.count == 1 && elements[0].label == nil ? elements[0].type : .tuple(elements)
    }

    private mutating func element() -> TypeSyntax.Element {
        guard token.kind == .identifier else { return .init(label: nil, type: type()) }
        var labels: [String] = []
        var ahead = self
        while ahead.token.kind == .identifier, labels.count < 2, let name = ahead.takeName() { labels.append(name) }
        guard ahead.take(":") else { return .init(label: nil, type: type()) }
        self = ahead
        return .init(label: labels[0] == "_" ? nil : labels[0], type: type())
    }

    /// `?`, `!`, `...` behind a type.
    private mutating func postfix(_ type: TypeSyntax) -> TypeSyntax {
        var type = type
        while true {
            if (at("?") || at("!")) && !token.startsLine {
                advance()
                type = .optional(type)
            } else if at("."), peek().byte == UInt8(ascii: ".") {
                while take(".") {}
                type = .other("a variadic parameter")
            } else if at("."), peek().kind == .identifier, ["Type", "Protocol"].contains(text(peek())) {
                advance()
                advance()
                type = .other("a metatype")
            } else {
                return type
            }
        }
    }
}
