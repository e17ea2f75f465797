import CoreData
import ModelDocument
import StoreBrowsing

/// What is different between the objects of two stores.
final class StoreComparison {
    /// One object that only one of the stores has, or one value that differs.
    struct Difference {
        enum Kind: String {
            case inserted, deleted, changed
        }

        let kind: Kind
        let entity: String
        /// The object's identifier, and where objects match by attributes the values of these.
        let key: String
        var property: String?
        var before = JSONValue.null
        var after = JSONValue.null

        static let columns = ["change", "entity", "key", "property", "before", "after"]

        var values: [JSONValue] {
            [.string(kind.rawValue), .string(entity), .string(key), .optional(property), before, after]
        }

        /// `~ Mood/p4.rating: 3 → 4`
        var line: String {
            switch kind {
            case .inserted: "+ \(key)"
            case .deleted: "- \(key)"
            case .changed: "~ \(key).\(property ?? ""): \(Self.shown(before)) → \(Self.shown(after))"
            }
        }

        private static func shown(_ value: JSONValue) -> String {
            TextWidth.cut(JSONWriter(layout: .compact).string(value), to: 80)
        }
    }

    private let old: Side
    private let new: Side
    private let entities: [String]
    private let matchesByKey: Bool

    /// - Parameters:
    ///   - matching: Lists of attributes; of an entity the first counts all of which the entity has.
    ///   - entity: The only entity to compare; nil: all.
    /// - Throws: ``CommandFailure`` where objects can't be matched.
    init(
        _ old: OpenedStore, _ new: OpenedStore, renderer: ValueRenderer, matching: [[String]], entity: String?
    ) throws {
        let isCopy = old.identifier != nil && old.identifier == new.identifier && matching.isEmpty
        matchesByKey = isCopy
        self.old = try Side(old, renderer, matching, matchesByKey: isCopy)
        self.new = try Side(new, renderer, matching, matchesByKey: isCopy)
        let names = Set(self.old.concreteNames).union(self.new.concreteNames)
        if let entity, !names.contains(entity) {
            let known = names.sorted { $0.precedesByCodePoint($1) }
            throw CommandFailure(
                .invalidQuery, "Neither store has objects of an entity \(entity); they have \(list: known).")
        }
        entities = names.filter { entity == nil || $0 == entity }.sorted { $0.precedesByCodePoint($1) }
        for list in matching where !names.contains(where: { self.old.has(list, $0) && self.new.has(list, $0) }) {
            throw CommandFailure(
                .invalidQuery, "No entity of both stores has the attributes \(list: list).")
        }
        if isCopy { return }
        let unmatched = try entities.filter { name in
            guard try self.old.hasObjects(name) || self.new.hasObjects(name) else { return false }
            return self.old.key(of: name) == nil || self.old.key(of: name) != self.new.key(of: name)
        }
        guard unmatched.isEmpty else {
            throw CommandFailure(
                .invalidQuery,
                """
                Nothing tells which objects of \(list: unmatched) are the same: the stores have different UUIDs, or --match \
                was given. Name attributes by --match, or an entity by --entity.
                """)
        }
    }

    /// How many objects both stores have together.
    func objectCount() throws -> Int {
        try entities.reduce(0) { try $0 + old.objectCount(of: $1) + new.objectCount(of: $1) }
    }

    /// Told of each object that is read.
    var progress: ProgressBar? {
        get { old.progress }
        set { (old.progress, new.progress) = (newValue, newValue) }
    }

    /// Visits the differences: entity by entity, first what the old store has, then what is inserted.
    ///
    /// - Throws: ``CommandFailure`` where two objects of a store have the same key.
    func forEachDifference(_ body: (Difference) throws -> Void) throws {
        for entity in entities {
            var rest = try new.objects(of: entity)
            let order = rest.order
            try old.forEach(of: entity) { key, before in
                guard let after = rest.records.removeValue(forKey: key) else {
                    return try body(Difference(kind: .deleted, entity: entity, key: title(entity, key, before)))
                }
                try compare(entity, key, before, after, body)
            }
            for key in order {
                guard let after = rest.records[key] else { continue }
                try body(Difference(kind: .inserted, entity: entity, key: title(entity, key, after)))
            }
        }
    }

    private func title(_ entity: String, _ key: [JSONValue], _ record: Record) -> String {
        matchesByKey ? record.identifier : Side.label(entity, key)
    }

    private func compare(
        _ entity: String, _ key: [JSONValue], _ before: Record, _ after: Record,
        _ body: (Difference) throws -> Void
    ) throws {
        let title = title(entity, key, before)
        let attributes = Set(before.attributes.keys).union(after.attributes.keys)
        for name in attributes.sorted(by: { $0.precedesByCodePoint($1) }) {
            let values = (before.attributes[name] ?? .null, after.attributes[name] ?? .null)
            if values.0 != values.1 { try body(change(entity, title, name, values)) }
        }
        let relationships = Set(before.relationships.keys).union(after.relationships.keys)
        for name in relationships.sorted(by: { $0.precedesByCodePoint($1) }) {
            let values = (
                try old.related(before.relationships[name] ?? .null, isOrdered: old.isOrdered(entity, name)),
                try new.related(after.relationships[name] ?? .null, isOrdered: new.isOrdered(entity, name))
            )
            if values.0 != values.1 { try body(change(entity, title, name, values)) }
        }
    }

    private func change(
        _ entity: String, _ title: String, _ name: String, _ values: (JSONValue, JSONValue)
    ) -> Difference {
        Difference(
            kind: .changed, entity: entity, key: title, property: name, before: values.0, after: values.1)
    }
}

/// One of two stores that are compared.
private final class Side {
    private let store: OpenedStore
    private let exporter: any RecordSource
    private let model: Model
    private let matching: [[String]]
    private let matchesByKey: Bool
    var progress: ProgressBar?
    private var counts: [String: Int]?
    private var labels: [String: [String: String]] = [:]

    init(_ store: OpenedStore, _ renderer: ValueRenderer, _ matching: [[String]], matchesByKey: Bool) throws {
        self.store = store
        self.matching = matching
        self.matchesByKey = matchesByKey
        model = try store.readingModel()
        exporter = try store.records(renderer: renderer)
    }

    var concreteNames: [String] { model.entitiesByName.filter { !$0.isAbstract }.map(\.name) }

    func hasObjects(_ entity: String) throws -> Bool { try objectCount(of: entity) > 0 }

    func objectCount(of entity: String) throws -> Int {
        let all = try counts ?? store.rowCounts()
        counts = all
        return all[entity, default: 0]
    }

    /// Whether the entity has all attributes of a list.
    func has(_ list: [String], _ entity: String) -> Bool {
        let names = Set(model.lineage(of: entity).flatMap { $0.attributes.filter { !$0.isTransient }.map(\.name) })
        return !list.isEmpty && names.isSuperset(of: list)
    }

    /// The attributes that tell which object it is; nil where nothing does.
    func key(of entity: String) -> [String]? {
        if let named = matching.first(where: { has($0, entity) }) { return named }
        return model.lineage(of: entity).lazy.flatMap(\.uniquenessConstraints).map(\.names).first {
            self.has($0, entity)
        }
    }

    func isOrdered(_ entity: String, _ name: String) -> Bool {
        model.lineage(of: entity).lazy.flatMap(\.relationships).first { $0.name == name }?.isOrdered ?? false
    }

    /// `Country[710]`
    static func label(_ entity: String, _ key: [JSONValue]) -> String {
        entity + "[" + key.map(\.fieldText).joined(separator: ", ") + "]"
    }

    /// The objects of exactly this entity by their keys, and the keys in the store's order.
    func objects(of entity: String) throws -> (records: [[JSONValue]: Record], order: [[JSONValue]]) {
        var records: [[JSONValue]: Record] = [:]
        var order: [[JSONValue]] = []
        try forEach(of: entity) { key, record in
            records[key] = record
            order.append(key)
        }
        return (records, order)
    }

    /// Visits the objects of exactly this entity.
    func forEach(of entity: String, _ body: ([JSONValue], Record) throws -> Void) throws {
        let names = matchesByKey ? nil : key(of: entity)
        if !matchesByKey, names == nil { return }
        var known: [[JSONValue]: String] = [:]
        try exporter.forEachRecord(of: entity) { record in
            progress?.advance()
            let key = names?.map { record.attributes[$0] ?? .null } ?? [.int(record.key)]
            if let other = known.updateValue(record.identifier, forKey: key) {
                throw CommandFailure(
                    .invalidQuery,
                    """
                    \(other) and \(record.identifier) of \(store.place.name) have the same \(list: names ?? []). \
                    Name other attributes by --match.
                    """)
            }
            try body(key, record)
        }
    }

    /// Related objects in a form that does not depend on the store's own keys; members without order come sorted.
    func related(_ value: JSONValue, isOrdered: Bool) throws -> JSONValue {
        if matchesByKey { return value }
        switch value {
        case .string(let identifier): return .string(try label(of: identifier))
        case .array(let items):
            let labels = try items.map { item in
                if case .string(let identifier) = item { return try label(of: identifier) }
                return item.fieldText
            }
            return .array((isOrdered ? labels : labels.sorted { $0.precedesByCodePoint($1) }).map(JSONValue.string))
        default: return value
        }
    }

    /// What names a related object; of an entity without a key only the entity.
    private func label(of identifier: String) throws -> String {
        let entity = String(identifier.prefix { $0 != "/" })
        guard let names = key(of: entity) else { return entity }
        if let known = labels[entity] { return known[identifier] ?? entity }
        var all: [String: String] = [:]
        try exporter.forEachRecord(of: entity) { record in
            all[record.identifier] = Self.label(entity, names.map { record.attributes[$0] ?? .null })
        }
        labels[entity] = all
        return all[identifier] ?? entity
    }
}
