import RandomSeeds

/// A program with managed classes of all shapes, made from a seed.
struct RandomProgram {
    let module: String
    private(set) var files: [(path: String, text: String)] = []
    private var random: SeededGenerator
    private var names: Set<String> = []
    /// Types that every file may name, as the file scope spells them.
    private var values: [String] = []
    private var protocols: [String] = []
    private var classes: [String] = []
    private var managed: [String] = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        module = ["Model", "AppKitten", "M", "Shop_2", "DataModel", "Größen", "MyModelModelData"].randomElement(
            using: &random)!
        // What other files name comes first.
        let shared = (0..<Int.random(in: 1...3, using: &random)).map { _ in typesFile() }
        let own = (0..<Int.random(in: 1...3, using: &random)).map { _ in classFile() }
        for (index, text) in (shared + own).enumerated() {
            let name = [
                "File\(index)", "Person+CoreDataClass\(index)", "Mit Leerzeichen \(index)", "Übersicht\(index)",
            ]
            files.append((name.randomElement(using: &random)! + ".swift", "import CoreData\n\n" + text))
        }
    }

    // MARK: - Names

    private static let words = [
        "Person", "Team", "Data", "Model", "URL", "id", "Core", "person", "My", "X", "Address", "Straße", "名前", "2nd",
        "HTTPServer", "_", "Item", "String", "Kind",
    ]

    private mutating func name(capitalised: Bool) -> String {
        while true {
            let words = (0..<Int.random(in: 1...4, using: &random)).map { _ in Self.words.randomElement(using: &random)!
            }
            var name = words.joined()
            if let first = name.first, first.isNumber || first == "_" { name = "a" + name }
            name =
                capitalised
                ? name.prefix(1).uppercased() + name.dropFirst() : name.prefix(1).lowercased() + name.dropFirst()
            let isTaken = ["String", "Data", "URL", "Model", "M", "id", "Kind"].contains(name) || name == module
            if !isTaken, names.insert(name).inserted { return name }
        }
    }

    // MARK: - Types

    private mutating func typesFile() -> String {
        var text = ""
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let name = name(capitalised: true)
            switch Int.random(in: 0...5, using: &random) {
            case 0:
                text += "struct \(name) { enum Inner: Int16 { case one, two }\n struct Deep { struct Deeper {} } }\n"
                values += [name, "\(name).Inner", "\(name).Deep.Deeper"]
            case 1:
                text += "public enum \(name): Int32 { case one, two }\n"
                values.append(name)
            case 2:
                text += "protocol \(name) {}\n"
                protocols.append(name)
            case 3:
                text += "class \(name): NSObject { class Nested {} }\n"
                values += [name, "\(name).Nested"]
            case 4:
                text += "typealias \(name) = \(type(depth: 1))\n"
                values.append(name)
            default:
                text += "extension NSObject { struct \(name) {} }\n"
            }
        }
        return text
    }

    private mutating func type(depth: Int) -> String {
        if depth > 0, Int.random(in: 0...2, using: &random) == 0 {
            switch Int.random(in: 0...4, using: &random) {
            case 0: return "[\(type(depth: depth - 1))]"
            case 1: return "[String: \(type(depth: depth - 1))]"
            case 2: return managed.randomElement(using: &random).map { "Set<\($0)>" } ?? "Set<String>"
            case 3: return "(\(type(depth: depth - 1)), second: \(type(depth: depth - 1)))"
            default: return "\(type(depth: depth - 1))?"
            }
        }
        let fixed = [
            "Int16", "Int32", "Int64", "Int", "Bool", "Double", "Float", "String", "Date", "Data", "UUID", "URL",
            "Decimal",
            "NSDecimalNumber", "NSNumber", "NSSet", "NSOrderedSet", "NSString", "NSDate", "Any", "AnyObject",
            "NSObject",
            "TimeInterval", "IndexSet", "CGFloat", "any NSCoding", "Foundation.Date", "NSManagedObject", "NSRange",
            "Swift.String", "Calendar",
        ]
        let own = (values + managed + managed).randomElement(using: &random)
        if let own, Bool.random(using: &random) { return own }
        if let proto = protocols.randomElement(using: &random), Int.random(in: 0...5, using: &random) == 0 {
            return "(any \(proto))"
        }
        let type = fixed.randomElement(using: &random)!
        return type.hasPrefix("any ") ? "(\(type))" : type
    }

    private mutating func propertyType() -> String {
        let type = type(depth: 2)
        return switch Int.random(in: 0...3, using: &random) {
        case 0: type
        case 1: type + "!"
        default: type + "?"
        }
    }

    // MARK: - Classes

    private mutating func classFile() -> String {
        var text = ""
        for _ in 0..<Int.random(in: 1...3, using: &random) { text += managedClass() }
        return text
    }

    private mutating func managedClass() -> String {
        let name = name(capitalised: true)
        let superclass = managed.filter { !$0.contains(".") }.randomElement(using: &random) ?? "NSManagedObject"
        let inherits = Bool.random(using: &random) ? "NSManagedObject" : superclass
        switch Int.random(in: 0...4, using: &random) {
        case 0:
            let outer = self.name(capitalised: true)
            let text =
                "enum \(outer) {\n enum Level: Int16 { case a }\n class \(name): \(inherits) {\n\(members(also: ["Level"]))\n}\n}\n"
            managed.append("\(outer).\(name)")
            return text
        case 1:
            return "private class \(name): NSManagedObject {\n@NSManaged var other: \(name)?\n\(members(also: []))\n}\n"
        case 2:
            managed.append(name)
            return "public class \(name): NSManagedObject {}\n\n"
                + "\(["", "private ", "fileprivate "].randomElement(using: &random)!)extension \(name) {\n\(members(also: []))\n}\n"
        default:
            managed.append(name)
            return "class \(name): \(inherits) {\n enum Level: Int16 { case a }\n\(members(also: ["Level", name]))\n}\n"
        }
    }

    private mutating func members(also local: [String]) -> String {
        let before = values
        values += local
        defer { values = before }
        var lines: [String] = []
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            let access = ["", "", "", "private ", "fileprivate ", "internal ", "private(set) "].randomElement(
                using: &random)!
            switch Int.random(in: 0...9, using: &random) {
            case 0:
                lines.append(
                    "@NSManaged \(access)var \(name(capitalised: false)), \(name(capitalised: false)): \(propertyType())"
                )
            default:
                lines.append("@NSManaged \(access)var \(name(capitalised: false)): \(propertyType())")
            }
        }
        return (lines + methods()).joined(separator: "\n")
    }

    /// The methods of a to-many relationship; called, for those in extensions would not be referred to otherwise.
    private mutating func methods() -> [String] {
        guard let member = managed.randomElement(using: &random) else { return [] }
        let property = name(capitalised: true)
        return [
            "@NSManaged func addTo\(property)(_ value: \(member))",
            "@NSManaged func addTo\(property)(_ values: NSSet)",
            "@NSManaged func removeFrom\(property)(_ values: Set<\(member)>)",
            "@NSManaged func insertInto\(property)(_ value: \(member), at idx: Int)",
            "@NSManaged func replace\(property)(at indexes: NSIndexSet, with values: [\(member)])",
            "@NSManaged func primitive\(property)() -> String?",
            "func call\(property)(_ member: \(member)) {",
            "    addTo\(property)(member); addTo\(property)(NSSet()); removeFrom\(property)([member])",
            "    insertInto\(property)(member, at: 0); replace\(property)(at: NSIndexSet(), with: [member])",
            "    _ = primitive\(property)()",
            "}",
        ]
    }
}
