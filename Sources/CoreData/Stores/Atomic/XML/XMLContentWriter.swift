import Foundation
import MappingDocument

/// Writes the objects of an XML store.
struct XMLContentWriter {
    private let content: AtomicContent
    private let skeleton: XMLSkeleton?
    /// The keys that several objects have, each in a tree of its own.
    private var sharedKeys: Set<Int64> = []

    init(_ content: AtomicContent, _ skeleton: XMLSkeleton?) {
        (self.content, self.skeleton) = (content, skeleton)
        var known: Set<Int64> = []
        for row in content.trees.values.lazy.flatMap(\.rows) where !known.insert(row.key).inserted {
            sharedKeys.insert(row.key)
        }
    }

    /// The objects in the order of their keys.
    func objects() throws -> [XMLStoreDocument.Object] {
        try content.trees.values.flatMap(\.rows).sorted {
            ($0.key, $0.layout.rootNumber) < ($1.key, $1.layout.rootNumber)
        }.map { try object($0) }
    }

    private func id(_ key: Int64, root: Int32) -> String {
        XMLNames.id(key, root: root, isShared: sharedKeys.contains(key))
    }

    private func object(_ row: RowSnapshot) throws -> XMLStoreDocument.Object {
        let layout = row.layout
        var object = XMLStoreDocument.Object(
            entityName: XMLNames.name(of: layout), id: id(row.key, root: layout.rootNumber))
        for slot in layout.slots where slot.isStoredInRow && slot.kind != .toOne && !row.isNull(slot.cell) {
            var value = row.value(of: slot, store: AtomicContent.ownStore)
            if slot.isExternal, case .data(let raw) = value { value = InlineData.data(raw).map { .data($0) } ?? .null }
            object.attributes.append(
                XMLStoreDocument.Attribute(
                    name: XMLNames.name(of: slot), type: XMLValues.typeName(slot.kind),
                    value: try XMLValues.value(value, slot, layout)))
        }
        for slot in layout.slots where slot.kind.isRelationship && !slot.isTransient {
            object.relationships.append(relationship(slot, row))
        }
        object.attributes.sort(by: skeleton?.attributes[object.entityName], \.name)
        object.relationships.sort(by: skeleton?.relationships[object.entityName], \.name)
        return object
    }

    private func relationship(_ slot: PropertySlot, _ row: RowSnapshot) -> XMLStoreDocument.Relationship {
        let destination = row.layout.model[slot.destination]
        let (least, most) = (slot.relationship?.minCount ?? 0, slot.relationship?.maxCount ?? 0)
        return XMLStoreDocument.Relationship(
            name: XMLNames.name(of: slot), counts: "\(least)/\(most)", destination: XMLNames.name(of: destination),
            objectIDs: members(slot, row).map { id($0.key, root: destination.rootNumber) })
    }

    private func members(_ slot: PropertySlot, _ row: RowSnapshot) -> [ObjectReference] {
        guard slot.kind == .toOne else { return content.members(of: row.key, ToManyKey(slot, in: row.layout)) }
        return row.isNull(slot.cell) ? [] : [row.reference(slot.cell, store: AtomicContent.ownStore)]
    }
}

extension Array {
    /// Sorts elements as a list of names says; names that it does not have come last.
    fileprivate mutating func sort(by names: [String]?, _ name: (Element) -> String) {
        guard let names else { return }
        let places = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        self = enumerated().sorted {
            (places[name($0.element)] ?? .max, $0.offset) < (places[name($1.element)] ?? .max, $1.offset)
        }.map(\.element)
    }
}
