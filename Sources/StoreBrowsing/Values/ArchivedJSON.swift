import CoreData
import Foundation
import ModelArchive
import PropertyLists

/// Property lists and keyed archives as JSON.
///
/// Nothing is instantiated: an archived object is an object of its fields with its class under `$class`, the common
/// collections and values of Foundation are what they stand for. What refers back to an object that it is part of is
/// `{"$ref": n}`, n being the object's number in the archive.
package struct ArchivedJSON {
    private let objects: [PropertyListValue]
    private let dates: DateStyle
    /// The objects that are being decoded, from the outermost on.
    private var path: [Int] = []
    /// A hostile archive may refer to one object from everywhere: what is decoded is counted.
    private var remaining = 100_000
    /// In how many values the present one lies.
    private var depth = 0
    /// The author of an archive nests values at will, within property lists and by references. What decodes, copies and
    /// writes them recurs as deep, and a stack has an end.
    private static let greatestDepth = 256

    /// The data's content, or nil where it is no property list, or one that grows or nests beyond measure.
    package static func decode(_ data: Data, dates: DateStyle) -> JSONValue? {
        guard let value = propertyList(data) else { return nil }
        if let archive = value.dictionary, archive["$archiver"]?.string == "NSKeyedArchiver",
            let objects = archive["$objects"]?.array, let top = archive["$top"]?.dictionary
        {
            var decoder = ArchivedJSON(objects: objects, dates: dates)
            return try? decoder.root(top)
        }
        var decoder = ArchivedJSON(objects: [], dates: dates)
        return try? decoder.json(value)
    }

    private init(objects: [PropertyListValue], dates: DateStyle) { (self.objects, self.dates) = (objects, dates) }

    private static func propertyList(_ data: Data) -> PropertyListValue? {
        guard data.starts(with: "bplist".utf8) || data.starts(with: "<?xml".utf8) else { return nil }
        return try? PropertyListValue(propertyList: data)
    }

    private struct TooLarge: Error {}

    // MARK: Values

    private mutating func root(_ top: [String: PropertyListValue]) throws -> JSONValue {
        if let root = top["root"], top.count == 1 { return try json(root) }
        return try members(top)
    }

    private mutating func json(_ value: PropertyListValue) throws -> JSONValue {
        remaining -= 1
        guard remaining > 0, depth < Self.greatestDepth else { throw TooLarge() }
        depth += 1
        defer { depth -= 1 }
        switch value {
        case .null: return .null
        case .boolean(let flag): return .bool(flag)
        case .integer(let number): return .int(number)
        // JSON has no bound, but most of its readers have.
        case .unsigned(let number): return .string(String(number))
        case .real(let number): return number.isFinite ? .double(number) : .string("\(number)")
        case .date(let seconds): return date(seconds)
        case .data(let data): return .string(data.base64EncodedString())
        case .string(let text): return .string(text)
        case .array(let items): return .array(try list(items))
        case .dictionary(let entries): return try members(entries)
        case .uid(let number): return try object(number)
        }
    }

    private func date(_ seconds: Double) -> JSONValue {
        ISODate.text(.double(seconds), style: dates).map(JSONValue.string) ?? .double(seconds)
    }

    private mutating func list(_ items: [PropertyListValue]) throws -> [JSONValue] {
        var list: [JSONValue] = []
        for item in items { list.append(try json(item)) }
        return list
    }

    private mutating func members(_ entries: [String: PropertyListValue]) throws -> JSONValue {
        var members: [String: JSONValue] = [:]
        for (name, value) in entries { members[name] = try json(value) }
        return .object(members)
    }

    // MARK: Archived objects

    private mutating func object(_ number: Int) throws -> JSONValue {
        guard number != 0, objects.indices.contains(number) else {
            return number == 0 ? .null : ["$ref": .int(Int64(number))]
        }
        guard !path.contains(number) else { return ["$ref": .int(Int64(number))] }
        path.append(number)
        defer { path.removeLast() }
        guard var fields = objects[number].dictionary, let className = className(fields) else {
            return try json(objects[number])
        }
        fields["$class"] = nil
        return try known(className, fields) ?? other(className, fields)
    }

    private func className(_ fields: [String: PropertyListValue]) -> String? {
        guard let number = fields["$class"]?.uid, objects.indices.contains(number) else { return nil }
        return objects[number].dictionary?["$classname"]?.string
    }

    private mutating func other(_ className: String, _ fields: [String: PropertyListValue]) throws -> JSONValue {
        guard case .object(var all) = try members(fields) else { return .null }
        all["$class"] = .string(className)
        return .object(all)
    }

    /// The values of Foundation's own classes; nil for all other classes, and for unexpected fields.
    private mutating func known(_ className: String, _ fields: [String: PropertyListValue]) throws -> JSONValue? {
        switch className.replacing("Mutable", with: "") {
        case "NSNull": return .null
        case "NSString": return fields["NS.string"]?.string.map(JSONValue.string)
        case "NSData": return try fields["NS.data"].map { try json($0) }
        case "NSUUID":
            return fields["NS.uuidbytes"]?.data.flatMap { $0.count == 16 ? SQLValue.blob($0).json(as: .uuid) : nil }
        case "NSDate":
            if case .real(let seconds)? = fields["NS.time"] { return date(seconds) }
            return nil
        case "NSURL": return try url(fields)
        case "NSArray", "NSSet", "NSOrderedSet": return try items(fields).map(JSONValue.array)
        case "NSDictionary": return try dictionary(fields)
        default: return nil
        }
    }

    private mutating func url(_ fields: [String: PropertyListValue]) throws -> JSONValue? {
        guard let relative = fields["NS.relative"] else { return nil }
        guard let base = fields["NS.base"], base != .uid(0) else { return try json(relative) }
        return ["relative": try json(relative), "base": try json(base)]
    }

    private mutating func items(_ fields: [String: PropertyListValue]) throws -> [JSONValue]? {
        if let items = fields["NS.objects"]?.array { return try list(items) }
        // Ordered sets of old releases number their members.
        let numbered = (0..<fields.count).map { fields["NS.object.\($0)"] }.prefix { $0 != nil }.compactMap { $0 }
        return numbered.count == fields.count ? try list(numbered) : nil
    }

    private mutating func dictionary(_ fields: [String: PropertyListValue]) throws -> JSONValue? {
        guard let keys = fields["NS.keys"]?.array, let values = fields["NS.objects"]?.array, keys.count == values.count
        else { return nil }
        var (members, pairs) = ([String: JSONValue](), [JSONValue]())
        for (key, value) in zip(keys, values) {
            let (key, value) = (try json(key), try json(value))
            if case .string(let name) = key { members[name] = value }
            pairs.append(.array([key, value]))
        }
        return members.count == pairs.count ? .object(members) : .array(pairs)
    }
}
