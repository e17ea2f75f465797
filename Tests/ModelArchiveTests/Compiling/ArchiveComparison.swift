import Foundation
import ModelArchive
import PropertyLists

/// Walks two keyed archives side by side from their roots, object for object, and notes where they differ.
///
/// Objects are compared by class, by what classes that inherits from, and by every key. Dictionaries and sets, which
/// have no order, are matched by their keys and by the names of their elements. An object that one archive refers to
/// from many places must be one object in the other too.
struct ArchiveComparison {
    struct Difference: Hashable, CustomStringConvertible {
        /// The classes of the objects on the way and the keys between them, the last key being what differs.
        var path: String
        /// The class of the object that has the different key.
        var className: String
        var key: String
        var apples: String
        var ours: String

        /// Whether the objects differ only in whether they can be changed: `NSArray` and `NSMutableArray`.
        var isOfMutability: Bool {
            apples == "a NSMutableString" || Self.withoutMutableClasses(apples) == Self.withoutMutableClasses(ours)
        }

        private static func withoutMutableClasses(_ description: String) -> String {
            description.replacing(#/"NSMutable\w+", /#, with: "")
        }

        var description: String { "\(path) (\(className)): Apple's \(apples), ours \(ours)" }
    }

    private(set) var differences: [Difference] = []
    private let apples: Archive
    private let ours: Archive
    private var partners: [Int: Int] = [:]
    private var taken: Set<Int> = []

    init(apples: Data, ours: Data) throws {
        self.apples = try Archive(apples)
        self.ours = try Archive(ours)
        try compare(self.apples.root, self.ours.root, Place(path: "model", className: "", key: "root"))
    }

    /// Where a value stands.
    private struct Place {
        var path: String
        var className: String
        var key: String

        func inside(_ step: String) -> Place { Place(path: path + step, className: className, key: key) }
    }

    private mutating func note(_ place: Place, _ first: Any, _ second: Any) {
        differences.append(
            .init(
                path: place.path, className: place.className, key: place.key, apples: "\(first)", ours: "\(second)"))
    }

    private mutating func compare(_ first: PropertyListValue, _ second: PropertyListValue, _ place: Place) throws {
        if (first.uid == nil) != (second.uid == nil) { note(place, first, second) }
        let (left, right) = (try apples.node(first), try ours.node(second))
        switch (left, right) {
        case (.object(let left), .object(let right)):
            try compare(left, right, place)
        case (.plain(let left), .plain(let right)):
            try compare(plain: left, right, place)
        default:
            note(place, left.summary, right.summary)
        }
    }

    private mutating func compare(plain left: PropertyListValue, _ right: PropertyListValue, _ place: Place) throws {
        guard case (.array(let left), .array(let right)) = (left, right) else {
            if left != right { note(place, left, right) }
            return
        }
        try compare(left, right, place)
    }

    private mutating func compare(_ left: [PropertyListValue], _ right: [PropertyListValue], _ place: Place) throws {
        if left.count != right.count { note(place, "\(left.count) elements", "\(right.count)") }
        for (index, (first, second)) in zip(left, right).enumerated() {
            try compare(first, second, place.inside("[\(index)]"))
        }
    }

    private mutating func compare(_ left: Archive.Object, _ right: Archive.Object, _ place: Place) throws {
        if let partner = partners[left.number] {
            if partner != right.number { note(place, "the same \(left.className)", "another one") }
            return
        }
        guard taken.insert(right.number).inserted else {
            note(place, "another \(left.className)", "the same")
            return
        }
        partners[left.number] = right.number
        if left.classes != right.classes { note(place, left.classes, right.classes) }
        if let first = try apples.entries(left), let second = try ours.entries(right) {
            return try compare(first, second, place)
        }
        if left.className.hasSuffix("Set"), let first = left.elements, let second = right.elements {
            return try compare(try apples.sorted(first), try ours.sorted(second), place)
        }
        if let first = left.elements, let second = right.elements { return try compare(first, second, place) }
        for key in Set(left.fields.keys).union(right.fields.keys).subtracting(["$class"]).sorted() {
            let next = Place(path: "\(place.path).\(key)", className: left.className, key: key)
            guard let first = left.fields[key], let second = right.fields[key] else {
                note(next, left.fields[key] ?? "nothing", right.fields[key] ?? "nothing")
                continue
            }
            try compare(first, second, next)
        }
    }

    private mutating func compare(
        _ left: [String: PropertyListValue], _ right: [String: PropertyListValue], _ place: Place
    ) throws {
        for key in Set(left.keys).union(right.keys).sorted() {
            let next = place.inside("[\(key)]")
            guard let first = left[key], let second = right[key] else {
                note(next, left[key] ?? "nothing", right[key] ?? "nothing")
                continue
            }
            try compare(first, second, next)
        }
    }
}

/// A keyed archive's objects.
private struct Archive {
    struct Object {
        var number: Int
        var classes: [String]
        var fields: [String: PropertyListValue]

        var className: String { classes[0] }
        /// The elements of an array or a set.
        var elements: [PropertyListValue]? { fields["NS.keys"] == nil ? fields["NS.objects"]?.array : nil }
    }

    enum Node {
        case plain(PropertyListValue)
        case object(Object)

        var summary: String {
            switch self {
            case .plain(let value): "\(value)"
            case .object(let object): "a \(object.className)"
            }
        }
    }

    struct Damage: Error {}

    let root: PropertyListValue
    private let objects: [PropertyListValue]

    init(_ data: Data) throws {
        guard let archive = try PropertyListValue(binary: data).dictionary, let objects = archive["$objects"]?.array,
            let root = archive["$top"]?.dictionary?["root"]
        else { throw Damage() }
        self.objects = objects
        self.root = root
    }

    func node(_ value: PropertyListValue) throws -> Node {
        guard let number = value.uid else { return .plain(value) }
        guard let fields = objects[number].dictionary, let classNumber = fields["$class"]?.uid else {
            return .plain(objects[number])
        }
        guard let names = objects[classNumber].dictionary?["$classes"]?.array else { throw Damage() }
        return .object(Object(number: number, classes: names.compactMap(\.string), fields: fields))
    }

    /// The entries of a dictionary, if the object is one.
    func entries(_ object: Object) throws -> [String: PropertyListValue]? {
        guard let keys = object.fields["NS.keys"]?.array, let values = object.fields["NS.objects"]?.array else {
            return nil
        }
        return Dictionary(zip(try keys.map(name), values)) { first, _ in first }
    }

    /// The elements of a set in the order of their names.
    func sorted(_ elements: [PropertyListValue]) throws -> [PropertyListValue] {
        try elements.map { (try name($0), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// What tells an element of a dictionary or set from others: a text, or an entity's name.
    private func name(_ value: PropertyListValue) throws -> String {
        switch try node(value) {
        case .plain(let value): return value.string ?? "\(value)"
        case .object(let object):
            guard let name = object.fields["NSEntityName"] ?? object.fields["NS.string"] else { throw Damage() }
            return try self.name(name)
        }
    }
}
