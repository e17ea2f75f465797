import Foundation

/// Sees to it that every save through a connection keeps the model's derived attributes.
///
/// What SQL can compute by itself is kept by triggers in the file, as Apple's framework makes them. `canonical:` and the
/// like need a function, and the name under which Apple's framework knows it is known from no store: a trigger with a name
/// of ours would make the file unwritable there. Where the file has no triggers for an attribute, the connection therefore
/// has its own, temporary ones, which leave no trace; where it has, the functions that they call are made known.
struct DerivedAttributes {
    private let schema: SQLSchema

    init(_ schema: SQLSchema) { self.schema = schema }

    /// - Throws: 134020 for an attribute that neither the file's triggers nor ours can keep; ``SQLiteError``.
    func keep(on connection: SQLiteConnection) throws {
        guard hasAny else { return }
        let stored = try storedTriggers(connection)
        var unkept: Set<String> = []
        for layout in schema.layouts.layouts where schema.contains(layout) {
            for slot in ownDerivedSlots(of: layout) {
                // The trigger names the entity, and tells the attribute whose value it changed.
                let own = stored.filter {
                    $0.name.hasPrefix("Z_DA_") && $0.name.contains("_\(layout.name)_")
                        && $0.sql.contains(" Z_PK, \(slot.name.sqlLiteral),")
                }
                if own.isEmpty { unkept.insert(layout.name + "." + slot.name) }
                try registerFunctions(of: own.map(\.sql), for: slot, connection)
            }
        }
        if unkept.isEmpty { return }
        let own = try schema.derivations { unkept.contains($0.name + "." + $1.name) }
        for trigger in own.flatMap({ $0.triggers(in: schema) }).distinctlyNamed {
            try connection.execute(trigger.creation(isTemporary: true))
        }
    }

    private var hasAny: Bool {
        schema.layouts.layouts.contains { schema.contains($0) && !ownDerivedSlots(of: $0).isEmpty }
    }

    private func ownDerivedSlots(of layout: EntityLayout) -> [PropertySlot] {
        layout.slots[(layout.parent?.slots.count ?? 0)...].filter {
            $0.isStoredInRow && $0.property is NSDerivedAttributeDescription
                && schema.column(of: layout, slot: $0.index) != nil
        }
    }

    private func storedTriggers(_ connection: SQLiteConnection) throws -> [(name: String, sql: String)] {
        let statement = try SQLiteStatement(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND sql IS NOT NULL", on: connection)
        var found: [(name: String, sql: String)] = []
        while try statement.step() { found.append((statement.text(0) ?? "", statement.text(1) ?? "")) }
        return found
    }

    /// Makes the function known that an attribute's own triggers put its value through, whatever its name is there.
    private func registerFunctions(of triggers: [String], for slot: PropertySlot, _ connection: SQLiteConnection) throws
    {
        guard let transform = SQLDerivation.transform(of: slot),
            let function = SQLFunction.all.first(where: { $0.name == transform.rawValue })
        else { return }
        let names = Set(triggers.flatMap { Self.calledFunctions(in: $0) })
        for name in names where !SQLiteConnection.triggerFunctions.contains(name) {
            try connection.register(SQLFunction(name, -1) { try function.body(Array($0.prefix(1))) })
        }
    }

    /// The names before opening parentheses that begin as those of Apple's functions do.
    private static func calledFunctions(in sql: String) -> [String] {
        sql.split(separator: "(").dropLast().compactMap { part in
            let name = String(part.reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" }.reversed())
            return name.hasPrefix("NS") ? name : nil
        }
    }
}
