import ArgumentParser
import CoreData
import StoreBrowsing

/// `coredata update STORE ENTITY --set key=value --where P`: values of many objects.
struct UpdateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update", abstract: "Change values of the objects that a predicate is true for.",
        discussion: """
            The store changes in one transaction. Values are checked by the model: type, required values, rules. Dates \
            are ISO 8601, binary data is base64, a to-one relationship takes an identifier such as Team/p3. An empty value \
            is nil; "" in quotes is the empty text.

            Without --yes the command asks first, and refuses where there is no terminal. A store with history records \
            the change, with the author "coredata". All objects: --where TRUEPREDICATE.

            EXAMPLES
              coredata update League.sqlite Player --set team= --where 'age > 40' --dry-run
              coredata update League.sqlite Player --compute 'age=age + 1' --where 'age < 20'
            """)

    @OptionGroup var target: StoreTarget

    @Argument(help: "The entity.")
    var entity: String

    @Option(help: "A property and its new value, as key=value; it may be given more than once.")
    var set: [String] = []

    @Option(help: "An attribute and an expression over the object's values, as 'salary=salary * 2'.")
    var compute: [String] = []

    @Option(name: .customLong("where"), help: "Which objects change.")
    var predicate: String

    @OptionGroup var options: ChangeOptions

    func validate() throws {
        if set.isEmpty, compute.isEmpty { throw ValidationError("--set or --compute says what changes.") }
    }

    func run() throws {
        let place = try target.look()
        let description = try place.entity(named: entity)
        let predicate = try QuerySession.predicate(predicate)
        let verb = ChangeOptions.Verb(past: "Changed", future: "This changes", conditional: "Would change")
        try options.carryOut(verb, in: place) { store in
            let request = NSBatchUpdateRequest(entityName: entity)
            request.predicate = predicate
            request.propertiesToUpdate = try assignments(description, store)
            request.resultType = .updatedObjectIDsResultType
            let result = try store.perform { try $0.execute(request) as? NSBatchUpdateResult }
            return ChangeReport(of: result?.result as? [NSManagedObjectID] ?? [], found: nil)
        }
    }

    private func assignments(_ entity: NSEntityDescription, _ store: LiveStore) throws -> [AnyHashable: Any] {
        let all =
            try set.map { try Assignment($0, of: entity, in: store) }
            + compute.map { try Assignment(computing: $0, of: entity) }
        var values: [AnyHashable: Any] = [:]
        for assignment in all {
            guard values.updateValue(assignment.value, forKey: assignment.key) == nil else {
                throw CommandFailure(.invalidQuery, "“\(assignment.key)” is set twice.")
            }
        }
        return values
    }
}

extension ChangeReport {
    /// - Parameters:
    ///   - ids: The objects.
    ///   - found: How many of them, from the first on, the predicate was true for; nil: all.
    init(of ids: [NSManagedObjectID], found: Int?) {
        let found = found ?? ids.count
        counts = Self.counts(ids.prefix(found), false) + Self.counts(ids.dropFirst(found), true)
    }

    private static func counts(
        _ ids: ArraySlice<NSManagedObjectID>, _ isByRule: Bool
    ) -> [(entity: String, count: Int, isByRule: Bool)] {
        var counts: [String: Int] = [:]
        for id in ids { counts[id.entity.name ?? "", default: 0] += 1 }
        return counts.sorted { $0.key.precedesByCodePoint($1.key) }.map { ($0.key, $0.value, isByRule) }
    }
}
