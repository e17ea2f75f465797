import Foundation
import PropertyLists

/// The form of a keyed archive that depends on the archived value alone, so that a store can compare values as bytes.
///
/// Foundation's archiver writes sets and dictionaries in the order of this process's hashes, and what is there twice
/// once or twice, as it came. Here members of sets and keys of dictionaries are in the order of their own content,
/// equal objects are one object, and objects are numbered as a walk from the top comes to them.
struct CanonicalArchive {
    private let source: [PropertyListValue]
    /// The objects that differ; they refer to each other by their places in this list, the first of which is nil's.
    private var nodes: [PropertyListValue] = [.string("$null")]
    /// The places by the bytes of the objects.
    private var places: [Data: Int] = [:]
    private var placesOfSource = [0: 0]
    private var open: Set<Int> = []
    private var orders: [Pair: ComparisonResult] = [:]

    private struct Pair: Hashable {
        let left, right: Int
    }

    /// The canonical form of what Foundation's archiver wrote.
    ///
    /// - Throws: `CocoaError.coderInvalidValue` for an object that contains itself, or nests deeper than can be read
    ///   back.
    static func data(of archive: Data) throws -> Data {
        let (objects, top) = try SecureArchive.parts(of: archive)
        guard let number = top[NSKeyedArchiveRootObjectKey]?.uid else {
            throw SecureArchive.invalidValue("The archive of the value has no object on top.")
        }
        var canonical = CanonicalArchive(source: objects)
        let root = try canonical.place(of: number)
        var walk = Walk(canonical.nodes)
        let rootNumber = walk.number(of: root)
        return PropertyListValue.dictionary([
            "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
            "$top": .dictionary([NSKeyedArchiveRootObjectKey: .uid(rootNumber)]), "$objects": .array(walk.objects),
        ]).binary
    }

    private init(source: [PropertyListValue]) { self.source = source }

    // MARK: Objects that differ

    private mutating func place(of number: Int) throws -> Int {
        if let known = placesOfSource[number] { return known }
        guard source.indices.contains(number) else {
            throw SecureArchive.invalidValue("The archive of the value refers to an object that it doesn't hold.")
        }
        guard open.insert(number).inserted else {
            throw SecureArchive.invalidValue("The value contains itself, and could not be read back from an archive.")
        }
        defer { open.remove(number) }
        // A text or number in the innermost object counts here, but not when it is read.
        guard open.count <= KeyedArchiveDecoder.deepestNesting + 1 else {
            throw SecureArchive.invalidValue("The value nests objects too deep to be read back from an archive.")
        }
        let place = add(arranged(try replaced(source[number])))
        placesOfSource[number] = place
        return place
    }

    /// The object with its references to the source's objects replaced by places.
    private mutating func replaced(_ value: PropertyListValue) throws -> PropertyListValue {
        switch value {
        case .uid(let number): .uid(try place(of: number))
        case .array(let elements): .array(try elements.map { try replaced($0) })
        case .dictionary(let fields): .dictionary(try fields.mapValues { try replaced($0) })
        default: value
        }
    }

    private mutating func add(_ node: PropertyListValue) -> Int {
        let bytes = node.binary
        if let known = places[bytes] { return known }
        places[bytes] = nodes.count
        nodes.append(node)
        return nodes.count - 1
    }

    // MARK: What has no order of its own

    /// The object, the members of a set and the entries of a dictionary in the order of their content.
    private mutating func arranged(_ object: PropertyListValue) -> PropertyListValue {
        guard var fields = object.dictionary, let objects = fields["NS.objects"]?.array?.compactMap(\.uid),
            let place = fields["$class"]?.uid, let classes = nodes[place].dictionary?["$classes"]?.array
        else { return object }
        if classes.contains(.string("NSSet")) {
            let members = objects.sorted { order($0, $1) == .orderedAscending }
            fields["NS.objects"] = .array(distinct(members).map { .uid($0) })
        } else if classes.contains(.string("NSDictionary")), let keys = fields["NS.keys"]?.array?.compactMap(\.uid) {
            let entries = zip(keys, objects).sorted { order($0.0, $1.0) == .orderedAscending }
            fields["NS.keys"] = .array(distinct(entries.map(\.0)).map { .uid($0) })
            fields["NS.objects"] = .array(entries.map { .uid($0.1) })
        }
        return .dictionary(fields)
    }

    /// Members of a set that have the same archive without being equal stay as many as they are.
    private mutating func distinct(_ members: [Int]) -> [Int] {
        var seen: Set<Int> = []
        return members.map { member in
            if seen.insert(member).inserted { return member }
            nodes.append(nodes[member])
            return nodes.count - 1
        }
    }

    private mutating func order(_ left: Int, _ right: Int) -> ComparisonResult {
        if left == right { return .orderedSame }
        // Texts and numbers, of which most collections are, take less to compare than to look up.
        guard nodes[left].dictionary != nil, nodes[right].dictionary != nil else {
            return order(nodes[left], nodes[right])
        }
        let pair = Pair(left: left, right: right)
        if let known = orders[pair] { return known }
        let result = order(nodes[left], nodes[right])
        orders[pair] = result
        return result
    }

    private mutating func order(_ left: PropertyListValue, _ right: PropertyListValue) -> ComparisonResult {
        switch (left, right) {
        case (.uid(let a), .uid(let b)): return order(a, b)
        case (.array(let a), .array(let b)): return order(a, b)
        case (.dictionary(let a), .dictionary(let b)):
            let (first, second) = (a.sorted { $0.key < $1.key }, b.sorted { $0.key < $1.key })
            let keys = order(first.map { .string($0.key) }, second.map { .string($0.key) })
            return keys == .orderedSame ? order(first.map(\.value), second.map(\.value)) : keys
        case (.string(let a), .string(let b)): return Self.order(a.utf8, b.utf8)
        case (.integer(let a), .integer(let b)): return ComparisonResult(a, b)
        default:
            // Of scalars the bytes say everything; what comes first does not matter, only that it always does.
            return Self.order(left.binary, right.binary)
        }
    }

    private static func order<Bytes: Collection<UInt8>>(_ left: Bytes, _ right: Bytes) -> ComparisonResult {
        if left.lexicographicallyPrecedes(right) { return .orderedAscending }
        return left.elementsEqual(right) ? .orderedSame : .orderedDescending
    }

    private mutating func order(_ left: [PropertyListValue], _ right: [PropertyListValue]) -> ComparisonResult {
        for (a, b) in zip(left, right) {
            let result = order(a, b)
            if result != .orderedSame { return result }
        }
        return ComparisonResult(left.count, right.count)
    }
}

/// The walk that numbers the objects.
private struct Walk {
    private let nodes: [PropertyListValue]
    private(set) var objects: [PropertyListValue]
    private var numbers = [0: 0]

    init(_ nodes: [PropertyListValue]) {
        self.nodes = nodes
        objects = [nodes[0]]
    }

    mutating func number(of place: Int) -> Int {
        if let known = numbers[place] { return known }
        let number = objects.count
        numbers[place] = number
        objects.append(.null)
        objects[number] = replaced(nodes[place])
        return number
    }

    private mutating func replaced(_ value: PropertyListValue) -> PropertyListValue {
        switch value {
        case .uid(let place): return .uid(number(of: place))
        case .array(let elements): return .array(elements.map { replaced($0) })
        case .dictionary(let fields):
            var result: [String: PropertyListValue] = [:]
            for (key, value) in fields.sorted(by: { $0.key < $1.key }) { result[key] = replaced(value) }
            return .dictionary(result)
        default: return value
        }
    }
}
