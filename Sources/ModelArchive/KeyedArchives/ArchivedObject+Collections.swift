import Foundation
import PropertyLists

extension ArchivedObject {
    static let arrayClasses: Set<String> = ["NSArray", "NSMutableArray"]
    static let setClasses: Set<String> = ["NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet"]
    static let dictionaryClasses: Set<String> = [
        "NSDictionary", "NSMutableDictionary", "NSKnownKeysDictionary1", "NSKnownKeysMappingStrategy1",
    ]
    /// The names of all classes of collections.
    static let collectionClasses = arrayClasses.union(setClasses).union(dictionaryClasses)

    /// The elements of a field's array or set; none where there is no such field.
    func elements(_ key: String) throws -> [ArchivedValue] {
        let value = try self[key]
        if value.isNull { return [] }
        guard let elements = try value.object?.elements() else { throw unexpected(key, "array or set") }
        return elements
    }

    /// The entries of a field's dictionary; none where there is no such field.
    func entries(_ key: String) throws -> [(key: String, value: ArchivedValue)] {
        let value = try self[key]
        if value.isNull { return [] }
        guard let entries = try value.object?.entries() else { throw unexpected(key, "dictionary") }
        return entries
    }

    /// The elements, if the object is an array or a set.
    func elements() throws -> [ArchivedValue]? {
        guard Self.arrayClasses.contains(className) || Self.setClasses.contains(className) else { return nil }
        return try list("NS.objects").map(archive.value)
    }

    /// The entries, sorted by their keys, if the object is a dictionary with strings as keys.
    func entries() throws -> [(key: String, value: ArchivedValue)]? {
        guard let (keys, values) = try keysAndValues() else { return nil }
        guard keys.count == values.count else {
            throw corruptArchive(
                "The keyed archive is damaged: a dictionary has \(keys.count) keys, \(values.count) values.")
        }
        var entries: [String: ArchivedValue] = [:]
        for (key, value) in zip(keys, values) {
            guard let name = try archive.value(key).string else { throw unexpected("NS.keys", "list of strings") }
            guard entries.updateValue(try archive.value(value), forKey: name) == nil else {
                throw corruptArchive("The keyed archive is damaged: a dictionary has the key “\(name)” twice.")
            }
        }
        return entries.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The raw keys and values of a dictionary; the model caches of stores hold them in two arrays of their own.
    private func keysAndValues() throws -> (keys: [PropertyListValue], values: [PropertyListValue])? {
        switch className {
        case "NSDictionary", "NSMutableDictionary":
            return (try list("NS.keys"), try list("NS.objects"))
        case "NSKnownKeysDictionary1":
            guard let mapping = try object("searchMapping"), mapping.className == "NSKnownKeysMappingStrategy1",
                let keys = try mapping.object("keys"), let values = try object("values")
            else { throw unexpected("searchMapping", "mapping of keys") }
            return (try keys.list("NS.objects"), try values.list("NS.objects"))
        default:
            return nil
        }
    }

    /// The raw elements of a list, counted as handed out.
    private func list(_ key: String) throws -> [PropertyListValue] {
        guard let elements = fields[key]?.array else { throw unexpected(key, "list") }
        try archive.use(elements.count)
        return elements
    }
}
