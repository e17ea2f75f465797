/// Spells the symbol of a declaration as the compiler does.
///
/// The compiler declares the accessors of an `@NSManaged` property and defines none; code that defines them has to meet
/// their names. The grammar is that of "Mangling.rst" in the Swift project: types and names that came before are
/// referred to by their number, words inside names by a letter.
package struct SymbolMangler {
    private(set) var output: [UInt8] = Array("$s".utf8)
    private var names: [String: Int] = [:]
    private var types: [String: Int] = [:]
    /// The number of the next name or type that can be referred to.
    private var next = 0
    var words: [(start: Int, count: Int)] = []
    private var merge = SubstitutionMerge()

    var symbol: String { String(decoding: output, as: UTF8.self) }

    // MARK: - Declarations

    /// The symbol of a property's getter or setter.
    package static func accessor(_ member: MemberSymbol, type: SwiftType, isSetter: Bool) -> String {
        var mangler = SymbolMangler()
        mangler.add(member)
        mangler.add(type)
        mangler.put(isSetter ? "vs" : "vg")
        return mangler.symbol
    }

    /// The symbol of a method.
    package static func method(_ member: MemberSymbol, parameters: [SwiftType.Element], result: SwiftType) -> String {
        var mangler = SymbolMangler()
        mangler.add(member)
        mangler.add(labels: parameters.map(\.label))
        mangler.add(result)
        mangler.add(parameters: parameters)
        mangler.put("F")
        return mangler.symbol
    }

    private mutating func add(_ member: MemberSymbol) {
        add(member.owner)
        if let module = member.extensionModule { extend(by: module) }
        add(name: member.name)
        add(discriminator: member.discriminator)
    }

    private mutating func extend(by module: String) {
        add(module: module)
        put("E")
    }

    private mutating func add(discriminator: String?) {
        guard let discriminator else { return }
        add(name: discriminator)
        put("LL")
    }

    private mutating func add(labels: [String?]) {
        guard !labels.isEmpty else { return }
        guard labels.contains(where: { $0 != nil }) else { return put("y") }
        for label in labels {
            if let label { add(name: label) } else { put("_") }
        }
    }

    private mutating func add(parameters: [SwiftType.Element]) {
        switch parameters.count {
        case 0: put("y")
        case 1 where parameters[0].label == nil: add(parameters[0].type)
        default:
            for (index, parameter) in parameters.enumerated() {
                add(parameter.type)
                if index == 0 { put("_") }
            }
            put("t")
        }
    }

    // MARK: - Types

    private mutating func add(_ type: NominalType) {
        if type.module == "Swift", type.path.count == 1, let letter = Self.standardTypes[type.path[0].name] {
            return substitute(standard: letter)
        }
        if let number = types[type.key] { return substitute(number) }
        let last = type.path[type.path.count - 1]
        if type.path.count == 1 {
            add(module: type.module)
        } else {
            add(NominalType(module: type.module, path: Array(type.path.dropLast())))
            if let module = last.extensionModule { extend(by: module) }
        }
        add(name: last.name)
        add(discriminator: last.discriminator)
        put(String(last.kind.rawValue))
        remember(type.key)
    }

    private mutating func add(_ type: SwiftType) {
        switch type {
        case .nominal(let type): return add(type)
        case .any: return put("yp")
        case .anyObject: return put("yXl")
        // Neither a tuple nor a plain existential type can be referred to; nor can a protocol.
        case .tuple(let elements): return add(tuple: elements)
        case .existential(let type):
            add(module: type.module)
            add(name: type.path[type.path.count - 1].name)
            return put("_p")
        case .optional(let wrapped):
            if let number = types[type.key] { return substitute(number) }
            add(wrapped)
            put("Sg")
        case .bound(let generic, let arguments):
            if let number = types[type.key] { return substitute(number) }
            add(generic)
            put("y")
            arguments.forEach { add($0) }
            put("G")
        }
        remember(type.key)
    }

    private mutating func add(tuple elements: [SwiftType.Element]) {
        guard !elements.isEmpty else { return put("y") }
        for (index, element) in elements.enumerated() {
            add(element.type)
            if let label = element.label { add(name: label) }
            if index == 0 { put("_") }
        }
        put("t")
    }

    private mutating func add(module: String) {
        if module == "Swift" { put("s") } else { add(name: module) }
    }

    // MARK: - Names and references

    mutating func put(_ text: String) { output += Array(text.utf8) }

    mutating func put(_ byte: UInt8) { output.append(byte) }

    private mutating func add(name: String) {
        if let number = names[name] { return substitute(number) }
        names[name] = next
        next += 1
        addIdentifier(name)
    }

    private mutating func remember(_ type: String) {
        types[type] = next
        next += 1
    }

    private mutating func substitute(_ number: Int) {
        guard number < 26 else { return put(number == 26 ? "A_" : "A\(number - 27)_") }
        let letter = UInt8(ascii: "A") + UInt8(number)
        if !merge.add(letter, isStandard: false, to: &output) {
            put("A")
            put(letter)
        }
    }

    private mutating func substitute(standard letter: UInt8) {
        if !merge.add(letter, isStandard: true, to: &output) {
            put("S")
            put(letter)
        }
    }

    /// The types of the standard library that have a letter. `Int16` and its like are ordinary.
    private static let standardTypes: [String: UInt8] = [
        "Array": "a", "Bool": "b", "Dictionary": "D", "Double": "d", "Float": "f", "Set": "h", "Int": "i",
        "Character": "J", "String": "S", "Substring": "s", "UInt": "u",
    ].mapValues { (letter: Unicode.Scalar) in UInt8(ascii: letter) }
}

/// A property or method of a type.
package struct MemberSymbol {
    var owner: NominalType
    /// The module of the extension, if it is not the owner's.
    var extensionModule: String?
    var name: String
    /// What tells a private member from others; see ``Discriminator``.
    var discriminator: String?

    package init(owner: NominalType, extensionModule: String?, name: String, discriminator: String?) {
        (self.owner, self.extensionModule) = (owner, extensionModule)
        (self.name, self.discriminator) = (name, discriminator)
    }
}

/// References that follow each other are written as one: `ABAC` as `AbC`, `SSSS` as `S2S`.
private struct SubstitutionMerge {
    private var position = 0
    private var size = 0
    private var count = 0
    private var isStandard = false

    /// - Returns: Whether the reference became part of the one before.
    mutating func add(_ letter: UInt8, isStandard: Bool, to output: inout [UInt8]) -> Bool {
        if count > 0, count < 2048, output.count == position + size, self.isStandard == isStandard {
            let last = output[output.count - 1]
            if last != letter, !isStandard {
                output[output.count - 1] = last + 32
                output.append(letter)
                (position, size, count) = (output.count - 1, 1, 1)
                return true
            }
            if last == letter {
                count += 1
                output.removeLast(output.count - position)
                output += Array("\(count)".utf8)
                output.append(letter)
                size = output.count - position
                return true
            }
        }
        (position, size, count, self.isStandard) = (output.count + 1, 1, 1, isStandard)
        return false
    }
}
