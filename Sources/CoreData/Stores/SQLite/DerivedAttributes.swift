import Foundation

/// Sees to it that every save through a connection keeps the model's derived attributes.
///
/// What SQL can compute by itself is kept by triggers in the file, as Apple's framework makes them. `canonical:` and
/// the like need a function, and the name under which Apple's framework knows it is known from no store: a trigger with
/// a name of ours would make the file unwritable there. Where the file has no triggers for an attribute, the connection
/// therefore has its own, temporary ones, which leave no trace; where it has, the functions that they call are made
/// known.
struct DerivedAttributes {
    private let schema: SQLSchema
    private let stored: StoredTriggers

    init(_ schema: SQLSchema, _ stored: StoredTriggers) {
        self.schema = schema
        self.stored = stored
    }

    /// - Throws: 134020 for an attribute that neither the file's triggers nor ours can keep; ``SQLiteError``.
    func keep(on connection: SQLiteConnection) throws {
        guard hasAny else { return }
        var unkept: Set<String> = []
        for layout in schema.layouts.layouts where schema.contains(layout) {
            for slot in ownDerivedSlots(of: layout) {
                let own = stored.keeping(slot, of: layout)
                if own.isEmpty { unkept.insert(layout.name + "." + slot.name) }
                try registerFunctions(of: own.map(\.sql), for: slot, connection)
            }
        }
        if unkept.isEmpty { return }
        let own = try schema.derivations { unkept.contains($0.name + "." + $1.name) }
        for var trigger in own.flatMap({ $0.triggers(in: schema) }).distinctlyNamed {
            trigger.isTemporary = true
            try connection.execute(connection.dialect.text(of: .createTrigger(trigger)))
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

    /// Makes the function known that an attribute's own triggers put its value through, whatever its name is there.
    private func registerFunctions(of triggers: [String], for slot: PropertySlot, _ connection: SQLiteConnection) throws
    {
        guard let transform = SQLDerivation.transform(of: slot),
            let function = SQLFunction.all.first(where: { $0.name == transform.rawValue })
        else { return }
        let names = Set(triggers.flatMap { StoredTriggers.valueFunctions(in: $0) })
        for name in names where !SQLiteConnection.triggerFunctions.contains(name) {
            try connection.register(SQLFunction(name, -1) { try function.body(Array($0.prefix(1))) })
        }
    }
}
