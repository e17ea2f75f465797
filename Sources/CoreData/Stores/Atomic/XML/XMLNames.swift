import Foundation

/// The names of a model as XML stores spell them: entities in capital letters, properties in small ones.
struct XMLNames {
    private let layouts: [String: EntityLayout]
    private var slots: [Int32: [String: PropertySlot]] = [:]

    /// - Throws: ``UnwritableStore`` where two names differ by their case alone.
    init(_ model: ModelLayout) throws {
        var layouts: [String: EntityLayout] = [:]
        for layout in model.layouts {
            if let other = layouts.updateValue(layout, forKey: Self.name(of: layout)) {
                throw UnwritableStore(
                    "An XML store can't tell the entities \(other.name) and \(layout.name) apart: it has their names in capital letters."
                )
            }
            slots[layout.number] = try Self.slots(of: layout)
        }
        self.layouts = layouts
    }

    private static func slots(of layout: EntityLayout) throws -> [String: PropertySlot] {
        var slots: [String: PropertySlot] = [:]
        for slot in layout.slots where slot.isStoredInRow || slot.kind.isToMany && !slot.isTransient {
            if let other = slots.updateValue(slot, forKey: name(of: slot)) {
                throw UnwritableStore(
                    "An XML store can't tell \(layout.name).\(other.name) and \(layout.name).\(slot.name) apart: it has their names in small letters."
                )
            }
        }
        return slots
    }

    static func name(of layout: EntityLayout) -> String { layout.name.uppercased() }
    static func name(of slot: PropertySlot) -> String { slot.name.lowercased() }

    // MARK: Identifiers of objects

    /// An object with the key 102 is called z102. In a store that was copied from one of another type, objects of
    /// different trees may have the same key: their tree is in the higher bits of the number.
    static func id(_ key: Int64, root: Int32, isShared: Bool) -> String {
        "z\(isShared ? Int64(root) << treeShift | key : key)"
    }

    /// The key in an identifier; nil for one that is made in another way.
    static func key(_ id: String) -> Int64? {
        guard id.first == "z", let number = Int64(id.dropFirst()), number > 0, "z\(number)" == id else { return nil }
        let key = number & (1 << treeShift - 1)
        return key > 0 ? key : nil
    }

    private static let treeShift: Int64 = 40

    /// Keys that are read are smaller, so that there are enough for new objects.
    static let highestKey: Int64 = 1 << (treeShift - 1)

    // MARK: Entities and properties

    /// - Throws: ``DamagedStore`` for an entity that the model does not have, and for an abstract one.
    func layout(_ name: String) throws -> EntityLayout {
        guard let layout = layouts[name], !layout.isAbstract else {
            throw DamagedStore("It has an object of the entity \(name), which the model does not have.")
        }
        return layout
    }

    /// - Throws: ``DamagedStore`` for a property that the entity does not have.
    func slot(_ name: String, of layout: EntityLayout) throws -> PropertySlot {
        guard let slot = slots[layout.number]?[name] else {
            throw DamagedStore("It has the property \(name) of \(layout.name), which the model does not have.")
        }
        return slot
    }
}
