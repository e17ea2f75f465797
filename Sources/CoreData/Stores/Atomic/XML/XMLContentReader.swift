import Foundation
import MappingDocument

/// Reads the objects of an XML store.
struct XMLContentReader {
    private let document: XMLStoreDocument
    private let names: XMLNames
    /// Where each object's row is, by the object's identifier in the document.
    private var references: [String: ObjectReference] = [:]

    /// - Throws: ``DamagedStore``; ``UnwritableStore`` for a model that XML stores can't hold.
    init(_ document: XMLStoreDocument, _ names: XMLNames) throws {
        (self.document, self.names) = (document, names)
        try assignKeys()
    }

    /// An object called z102 gets the key 102; one with another name gets a new key.
    private mutating func assignKeys() throws {
        var last = Int64(document.nextObjectID)
        for object in document.objects { last = max(last, XMLNames.key(object.id) ?? 0) }
        guard last < XMLNames.highestKey else {
            throw DamagedStore("An object or nextObjectID has the number \(last).")
        }
        for object in document.objects {
            let layout = try names.layout(object.entityName)
            var key = XMLNames.key(object.id)
            if key == nil {
                last += 1
                key = last
            }
            let reference = ObjectReference(key: key ?? 0, entity: layout.number, store: AtomicContent.ownStore)
            guard references.updateValue(reference, forKey: object.id) == nil else {
                throw DamagedStore("Two objects are called \(object.id).")
            }
        }
    }

    func content() throws -> AtomicContent {
        var content = AtomicContent()
        var trees: [Int32: [RowSnapshot]] = [:]
        var lists: [(ToManyKey, Int64, [ObjectReference])] = []
        for object in document.objects {
            guard let reference = references[object.id] else { continue }
            let layout = try names.layout(object.entityName)
            let values = try values(of: object, layout)
            trees[layout.rootNumber, default: []].append(
                .make(layout, key: reference.key, version: 1, values, over: nil))
            lists += try members(of: object, layout).map { (ToManyKey($0.slot, in: layout), reference.key, $0.members) }
        }
        for (root, rows) in trees {
            let tree = RowTree(rows)
            guard tree.isSound else { throw DamagedStore("Two objects have the same key.") }
            content.set(tree, root: root)
        }
        for (relationship, source, members) in lists where relationship.needsList {
            content.setMembers(members, of: source, relationship)
        }
        // Keys are counted for all trees together, with that of the first entity.
        content.noteKey(Int64(document.nextObjectID), root: 1)
        return content
    }

    private func values(of object: XMLStoreDocument.Object, _ layout: EntityLayout) throws -> ChangeRecord {
        let values = ChangeRecord.make(slotCount: layout.slots.count)
        for attribute in object.attributes {
            let slot = try names.slot(attribute.name, of: layout)
            values[slot.index] = try XMLValues.slot(attribute.value, slot, layout)
        }
        for relationship in object.relationships {
            let slot = try names.slot(relationship.name, of: layout)
            guard slot.kind == .toOne else { continue }
            let destinations = try destinations(of: relationship, slot, object)
            guard destinations.count < 2 else {
                throw DamagedStore("The to-one \(relationship.name) of \(object.id) has several destinations.")
            }
            if let destination = destinations.first { values[slot.index] = .reference(destination) }
        }
        return values
    }

    private func members(
        of object: XMLStoreDocument.Object, _ layout: EntityLayout
    ) throws -> [(slot: PropertySlot, members: [ObjectReference])] {
        try object.relationships.compactMap { relationship in
            let slot = try names.slot(relationship.name, of: layout)
            guard slot.kind.isToMany else { return nil }
            return (slot, try destinations(of: relationship, slot, object))
        }
    }

    private func destinations(
        of relationship: XMLStoreDocument.Relationship, _ slot: PropertySlot, _ object: XMLStoreDocument.Object
    ) throws -> [ObjectReference] {
        try relationship.objectIDs.map { id in
            if let reference = references[id] { return reference }
            // A delete rule without action leaves references to objects that are gone.
            guard let key = XMLNames.key(id) else {
                throw DamagedStore("\(relationship.name) of \(object.id) leads to \(id), which the file does not have.")
            }
            return ObjectReference(key: key, entity: slot.destination, store: AtomicContent.ownStore)
        }
    }
}
