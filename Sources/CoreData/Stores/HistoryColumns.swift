import Foundation

/// Which bit of a change's mask stands for which property of an entity, and which values a deletion keeps.
///
/// The bits are counted from the highest one of the first byte on. First come to-one relationships, then the places
/// of rows in ordered relationships that lead to them, then attributes, then to-many relationships: each by name,
/// inherited properties in between. What is transient has no bit.
///
/// Stores that Apple's framework made agree. They do not show the order of to-many relationships among each other, nor
/// what a composite attribute has.
package struct HistoryColumns {
    /// The property of each bit. The place in an ordered relationship counts as the to-one relationship.
    let names: [String]
    /// The attributes with values that are kept when an object is deleted, by name.
    package let preserved: [PropertySlot]
    /// The bits of each slot.
    private let bits: [[Int]]

    package init(_ layout: EntityLayout) {
        let slots = layout.slots.filter { !$0.isElement && !$0.isTransient }
            .sorted { $0.name.isOrderedByScalars($1.name) }
        let toOnes = slots.filter { $0.kind == .toOne }
        let toManies = slots.filter(\.kind.isToMany)
        let isPaired = { (slot: PropertySlot) in slot.inverse(in: layout)?.kind.isToMany == true }
        let order =
            toOnes + toOnes.filter { $0.inverse(in: layout)?.kind == .orderedToMany }
            + slots.filter(\.kind.isAttribute) + toManies.filter { !isPaired($0) } + toManies.filter(isPaired)
        names = order.map(\.name)
        preserved = slots.filter { $0.isStoredInRow && $0.attribute?.preservesValueInHistoryOnDeletion == true }
        var bits = [[Int]](repeating: [], count: layout.slots.count)
        for (bit, slot) in order.enumerated() {
            bits[slot.index].append(bit)
            for element in slot.elements { bits[element].append(bit) }
        }
        self.bits = bits
    }

    /// The mask for changes of the slots at these indexes.
    package func mask(_ changed: some Sequence<Int>) -> Data {
        var mask = Data(count: (names.count + 7) / 8)
        for slot in changed { for bit in bits[slot] { mask[bit / 8] |= 0x80 >> UInt8(bit % 8) } }
        return mask
    }

    /// The properties of a mask, each once. Bits that the entity does not know are passed over.
    package func properties(of mask: Data) -> [String] {
        var found: [String] = []
        for (place, byte) in mask.enumerated() where byte != 0 {
            for bit in 0..<8 where byte & 0x80 >> UInt8(bit) != 0 && place * 8 + bit < names.count {
                let name = names[place * 8 + bit]
                if !found.contains(name) { found.append(name) }
            }
        }
        return found
    }
}

extension PropertySlot {
    /// Whether it is an element of a composite attribute, not a property of the entity's own.
    fileprivate var isElement: Bool { name.contains(".") }

    fileprivate func inverse(in layout: EntityLayout) -> PropertySlot? {
        inverse < 0 ? nil : layout.model[destination].slots[inverse]
    }
}

extension ChangeRecord {
    /// The indexes of the slots with a value.
    package var setSlots: [Int] { withValues { values in values.indices.filter { !values[$0].isUnset } } }
}
