import FoundationGaps

/// Keeps the derived attributes of a store that is in memory as a whole.
struct RowDerivations {
    let layouts: ModelLayout
    /// The derived attributes by their entity, of those that have any.
    private var derivations: [(layout: EntityLayout, all: [Derivation])] = []

    private struct Derivation {
        let slot: PropertySlot
        let expression: NSExpression
        let source: SQLDerivation.Source

        var isTime: Bool { if case .now = source { true } else { false } }
    }

    /// Whether the model has derived attributes.
    var areAny: Bool { !derivations.isEmpty }

    /// - Throws: 134020 for an expression that no store can keep.
    init(_ layouts: ModelLayout) throws {
        self.layouts = layouts
        for layout in layouts.layouts where !layout.derivedSlots.isEmpty {
            let all = try layout.derivedSlots.compactMap { slot -> Derivation? in
                guard let description = slot.property as? NSDerivedAttributeDescription,
                    let expression = description.derivationExpression
                else { return nil }
                let source = try SQLDerivation(slot, description, of: layout).source
                return Derivation(slot: slot, expression: expression, source: source)
            }
            derivations.append((layout, all))
        }
    }

    /// Computes the derived attributes anew that a save may change.
    ///
    /// - Parameters:
    ///   - written: The objects that the save writes.
    ///   - affected: What else the save changes; nil: everything is computed.
    /// - Returns: The other rows of which values changed.
    func update(
        _ content: inout AtomicContent, written: [ObjectReference], _ affected: AffectedRows?
    ) throws -> [RowSnapshot] {
        if derivations.isEmpty { return [] }
        let saved = Set(written.map { RowID(root: layouts.rootNumber(of: $0.entity), key: $0.key) })
        let reader = AtomicReader(content: content, layouts: layouts, token: StoreToken(), objectIDAt: { _ in nil })
        let graph = reader.graph
        var others: [RowSnapshot] = []
        for (layout, all) in derivations {
            for row in rows(of: layout, all, in: content, affected) {
                let isSaved = saved.contains(RowID(root: layout.rootNumber, key: row.key))
                guard let new = try derived(row, layout, all, isSaved: isSaved, graph) else { continue }
                content.put(new)
                if !isSaved { others.append(new) }
            }
        }
        if let failure = graph.failure { throw failure }
        return others
    }

    /// The rows of an entity of which an attribute may change.
    private func rows(
        of layout: EntityLayout, _ all: [Derivation], in content: AtomicContent, _ affected: AffectedRows?
    ) -> [RowSnapshot] {
        var keys: Set<Int64> = []
        for derivation in all {
            guard let found = affected?.keys(of: layout, derivation.source) else {
                return content.rows(of: layout, includingSubentities: false)
            }
            keys.formUnion(found)
        }
        return keys.sorted().compactMap { content[root: layout.rootNumber, key: $0] }
            .filter { $0.layout.number == layout.number }
    }

    /// The row with its derived values; nil where they are what they were.
    private func derived(
        _ row: RowSnapshot, _ layout: EntityLayout, _ all: [Derivation], isSaved: Bool, _ graph: RowGraph
    ) throws -> RowSnapshot? {
        let values = ChangeRecord.make(slotCount: layout.slots.count)
        var isChanged = false
        for derivation in all where !derivation.isTime || isSaved {
            let value = try value(derivation, of: row, graph)
            guard !row.value(of: derivation.slot, store: AtomicContent.ownStore).isEqual(to: value) else { continue }
            values[derivation.slot.index] = value
            isChanged = true
        }
        return isChanged ? .make(layout, key: row.key, version: row.version, values, over: row) : nil
    }

    private func value(_ derivation: Derivation, of row: RowSnapshot, _ graph: RowGraph) throws -> Slot {
        if derivation.isTime { return .double(Date().timeIntervalSinceReferenceDate) }
        let scope = EvaluationScope(object: RowObject(row, in: graph), reader: graph)
        let value = try derivation.expression.value(in: scope)
        return value.isNull ? .null : try derivation.slot.stored(value.boxed) ?? .null
    }

    private struct RowID: Hashable {
        let root: Int32
        let key: Int64
    }
}
