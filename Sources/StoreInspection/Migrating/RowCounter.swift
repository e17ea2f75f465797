import CoreData
import Foundation

/// Counts the rows of a store that a change of its model is about.
package struct RowCounter {
    private let rows: any StoredRows
    private let mapping: InferredMapping

    package init(_ rows: any StoredRows, _ mapping: InferredMapping) { (self.rows, self.mapping) = (rows, mapping) }

    /// What differs, with what it means for the rows.
    func line(_ item: ModelDifference.Item) throws -> MigrationPreview.Line {
        let effect = try effect(item)
        let message = [item.words.joined(separator: ", "), effect?.words].compactMap { $0 }.joined(separator: "; ")
        return MigrationPreview.Line(
            kind: effect?.isLoss ?? false ? .loss : .change, entity: item.entity, property: item.property?.name,
            message: message, rows: effect?.rows, total: effect?.total)
    }

    /// A number for a person: 1,000.
    package static func text(_ number: Int64) -> String {
        let digits = Array(String(number))
        return String(
            digits.enumerated().flatMap { place, digit in
                place > 0 && (digits.count - place) % 3 == 0 ? [",", digit] : [digit]
            })
    }
}

// MARK: - What becomes of rows

extension RowCounter {
    private struct Effect {
        let words: String
        let rows: Int64
        var total: Int64?
        var isLoss = false
    }

    private func effect(_ item: ModelDifference.Item) throws -> Effect? {
        guard let slot = item.property else {
            guard item.isGone, let layout = item.pair.source, !layout.isAbstract else { return nil }
            let rows = try count([layout])
            return Effect(words: Self.rows(rows), rows: rows, isLoss: rows > 0)
        }
        if item.isGone { return try removal(slot, item) }
        guard let property = item.pair.property(to: slot), let entity = item.pair.destination else { return nil }
        switch property.value {
        case .initial: return try addition(slot, entity)
        case .copiedOrDefault: return try filling(slot, entity)
        case .copied, .computed: return try reordering(property, item)
        }
    }

    /// The values that go with a property.
    private func removal(_ slot: PropertySlot, _ item: ModelDifference.Item) throws -> Effect? {
        guard let owner = item.pair.source else { return nil }
        let losing = owner.selfAndDescendants.filter { (layout) -> Bool in
            // Subentities may have the property still. Those that are gone are told by themselves.
            guard let pair = mapping.entity(from: layout), pair.destination != nil else { return false }
            return pair.removedSlots.contains { $0.index == slot.index }
        }
        let (rows, total) = (try count(losing, having: slot), try count(losing))
        let words =
            slot.kind.isToMany ? "have members" : slot.kind.isRelationship ? "lead to an object" : "have a value"
        return Effect(words: "\(Self.rows(rows, of: total)) \(words)", rows: rows, total: total, isLoss: rows > 0)
    }

    /// The rows that get the default of a new attribute.
    private func addition(_ slot: PropertySlot, _ entity: EntityLayout) throws -> Effect? {
        guard let text = slot.defaultText else { return nil }
        let rows = try count(sources(below: entity) { $0.property(to: slot)?.value == .initial })
        return rows == 0 ? nil : Effect(words: "\(Self.rows(rows)) get \(text)", rows: rows)
    }

    /// The rows that get a default in the place of nil.
    private func filling(_ slot: PropertySlot, _ entity: EntityLayout) throws -> Effect? {
        var (rows, total): (Int64, Int64) = (0, 0)
        for source in sources(below: entity, where: { $0.property(to: slot)?.value == .copiedOrDefault }) {
            guard let former = mapping.entity(from: source)?.property(to: slot)?.source else { continue }
            let all = try count([source])
            total += all
            rows += all - (try count([source], having: former))
        }
        let words = "\(Self.rows(rows, of: total)) have no value and get \(slot.defaultText ?? "the default")"
        return rows == 0 ? nil : Effect(words: words, rows: rows, total: total)
    }

    /// The order of members that is lost.
    private func reordering(_ property: InferredProperty, _ item: ModelDifference.Item) throws -> Effect? {
        guard let former = property.source, former.kind == .orderedToMany, property.destination.kind == .toMany,
            let owner = item.pair.source
        else { return nil }
        let rows = try count(Array(owner.selfAndDescendants), having: former)
        return rows == 0
            ? nil : Effect(words: "the members of \(Self.rows(rows)) lose their order", rows: rows, isLoss: true)
    }

    /// The former entities of those below one.
    private func sources(
        below entity: EntityLayout, where isWanted: (InferredEntity) -> Bool
    ) -> [EntityLayout] {
        entity.selfAndDescendants.compactMap { mapping.entity(to: $0) }.filter(isWanted).compactMap(\.source)
    }

    private static func rows(_ count: Int64, of total: Int64? = nil) -> String {
        let number = total.map { "\(text(count)) of \(text($0))" } ?? text(count)
        return number + ((total ?? count) == 1 ? " row" : " rows")
    }
}

// MARK: - Counting

extension RowCounter {
    /// The rows of entities, without those of their subentities.
    ///
    /// - Parameter slot: Only the rows with a value of this property.
    package func count(_ layouts: [EntityLayout], having slot: PropertySlot? = nil) throws -> Int64 {
        var total: Int64 = 0
        for layout in layouts where !layout.isAbstract { total += try rows.count(layout, having: slot) }
        return total
    }
}

extension PropertySlot {
    /// The default as a person writes it; nil where there is none.
    fileprivate var defaultText: String? {
        switch attribute?.defaultValue {
        case nil, is NSNull: nil
        case let text as String: "“\(text)”"
        case let number as NSNumber where kind == .boolean: number.boolValue ? "true" : "false"
        case let data as Data: "\(data.count) bytes"
        case let value?: "\(value)"
        }
    }
}
