import CoreData
import ModelArchive
import StoreInspection

/// What a migration by a mapping model would do: which entity becomes which, and what no mapping reads.
package struct MappingPreview {
    package private(set) var lines: [MigrationPreview.Line] = []
    private let mappings: [CompiledMapping.EntityMapping]
    private let counter: any StoredRows
    private let source: ModelLayout

    /// - Parameter counter: Counts the rows of the store.
    /// - Throws: What the store reports.
    package init(_ compiled: CompiledMapping, _ migrator: StoreMigrator, _ counter: any StoredRows) throws {
        (mappings, self.counter) = (compiled.entityMappings, counter)
        source = migrator.source.seal()
        let held = migrator.heldEntities
        for layout in source.layouts where held?.contains(layout.name) ?? true { try tell(layout) }
    }

    /// - Throws: What the store reports.
    package init(_ compiled: CompiledMapping, _ migrator: StoreMigrator) throws {
        let mapping = InferredMapping(
            from: migrator.source, entities: migrator.heldEntities, to: migrator.destination)
        self = try migrator.counting(mapping) { try MappingPreview(compiled, migrator, $0) }
    }

    private mutating func tell(_ layout: EntityLayout) throws {
        let rows = layout.isAbstract ? 0 : try counter.count(layout, having: nil)
        let own = mappings.filter { $0.sourceEntityName == layout.name }
        let kept = own.filter { $0.destinationEntityName != nil }
        for mapping in kept {
            let message = "becomes \(mapping.destinationEntityName ?? "") by \(mapping.name); \(Self.rows(rows))"
            lines.append(.init(kind: .change, entity: layout.name, property: nil, message: message, rows: rows))
        }
        if layout.isAbstract { return }
        guard kept.isEmpty else { return try tellUnread(layout, kept, total: rows) }
        let reason = own.isEmpty ? "no mapping is for it" : "removed by \(own[0].name)"
        lines.append(
            .init(
                kind: rows > 0 ? .loss : .change, entity: layout.name, property: nil,
                message: "\(reason); \(Self.rows(rows))", rows: rows))
    }

    /// The properties that no expression names.
    private mutating func tellUnread(
        _ layout: EntityLayout, _ mappings: [CompiledMapping.EntityMapping], total: Int64
    ) throws {
        let expressions = mappings.flatMap { $0.attributeMappings + $0.relationshipMappings }
            .compactMap(\.valueExpression)
        let words = Set(expressions.flatMap(Self.words))
        for slot in layout.slots where !slot.isTransient && slot.kind != .composite {
            let name = slot.name.split(separator: ".").first.map(String.init) ?? slot.name
            if words.contains(name) { continue }
            let rows = try counter.count(layout, having: slot)
            if rows == 0 { continue }
            lines.append(
                .init(
                    kind: .loss, entity: layout.name, property: slot.name,
                    message: "no expression reads it; \(RowCounter.text(rows)) of \(Self.rows(total)) have a value",
                    rows: rows, total: total))
        }
    }

    private static func words(_ text: String) -> [String] {
        text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
    }

    private static func rows(_ count: Int64) -> String { RowCounter.text(count) + (count == 1 ? " row" : " rows") }
}
