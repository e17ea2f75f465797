import Foundation

/// Writes the rows of a binary store, with the names of what they hold.
struct BinaryContentWriter {
    private let content: AtomicContent
    private let layouts: [EntityLayout]

    init(_ content: AtomicContent, _ layouts: ModelLayout) {
        (self.content, self.layouts) = (content, layouts.layouts)
    }

    /// The entities in the order of their numbers; rows and members name them by their place here.
    var entities: Data {
        var writer = ByteWriter()
        writer.put(UInt32(layouts.count))
        for layout in layouts {
            writer.put(layout.name)
            writer.put(layout.parent == nil ? content.lastKeys[layout.number] ?? 0 : 0)
            let slots = layout.rowSlots
            writer.put(UInt32(slots.count))
            for slot in slots {
                writer.put(slot.name)
                writer.put("\(slot.kind)")
            }
        }
        return writer.data
    }

    var rows: Data {
        var writer = ByteWriter()
        for root in content.trees.keys.sorted() {
            for row in content.trees[root]?.rows ?? [] { put(row, to: &writer) }
        }
        return writer.data
    }

    private func put(_ row: RowSnapshot, to writer: inout ByteWriter) {
        let layout = row.layout
        writer.put(place(of: layout.number))
        writer.put(row.key)
        writer.put(row.version)
        for slot in layout.rowSlots {
            let isNull = row.isNull(slot.cell)
            writer.put(UInt8(isNull ? 0 : 1))
            if isNull { continue }
            if slot.isExternal {
                writer.put(InlineData.data(row.data(slot.cell)) ?? Data())
            } else if slot.kind.isVariable {
                row.withBytes(slot.cell) { writer.put(bytes: $0) }
            } else if slot.kind == .toOne {
                let destination = row.reference(slot.cell, store: AtomicContent.ownStore)
                writer.put(destination.key)
                writer.put(place(of: destination.entity))
            } else {
                writer.put(row.int(slot.cell))
            }
        }
    }

    var members: Data {
        var writer = ByteWriter()
        for relationship in content.lists.keys.sorted(by: {
            ($0.declaring, $0.slot.index) < ($1.declaring, $1.slot.index)
        }) {
            let lists = (content.lists[relationship] ?? [:]).filter { !$0.value.isEmpty }
            if lists.isEmpty { continue }
            writer.put(place(of: relationship.declaring))
            writer.put(relationship.slot.name)
            writer.put(UInt32(lists.count))
            for source in lists.keys.sorted() {
                writer.put(source)
                let members = lists[source] ?? []
                writer.put(UInt32(members.count))
                for member in members {
                    writer.put(member.key)
                    writer.put(place(of: member.entity))
                }
            }
        }
        return writer.data
    }

    /// Numbers of entities begin with one.
    private func place(of entity: Int32) -> UInt32 { UInt32(entity - 1) }
}

extension EntityLayout {
    /// What rows hold, in the order in which binary stores have it.
    var rowSlots: [PropertySlot] { slots.filter(\.isStoredInRow) }
}
