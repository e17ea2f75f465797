import FoundationGaps

/// The layouts of all entities of a sealed model, by number and by name.
package final class ModelLayout: @unchecked Sendable {
    // Unchecked: immutable once `init` returns.

    /// `layouts[n - 1]` has number `n`.
    package let layouts: [EntityLayout]
    private let numbers: [String: Int32]
    /// The entities of each class, but for `NSManagedObject` itself.
    private let entitiesByClass: [ObjectIdentifier: [EntityLayout]]
    /// The layouts' tables, by number, in plain memory: looking one up retains nothing.
    private let tables: UnsafeMutablePointer<UnsafePointer<LayoutTable>>

    /// - Parameter entities: All entities of the model. Each is given its layout (`NSEntityDescription.layout`).
    package init(entities: [NSEntityDescription]) {
        var layouts: [EntityLayout] = []
        func place(_ entity: NSEntityDescription, under parent: EntityLayout?) {
            let layout = EntityLayout(entity: entity, number: Int32(layouts.count + 1), parent: parent)
            entity.layout = layout
            layouts.append(layout)
            entity.subentities.sorted(by: Self.precedes).forEach { place($0, under: layout) }
            layout.descendantCount = layouts.count - Int(layout.number)
        }
        entities.filter { $0.superentity == nil }.sorted(by: Self.precedes).forEach { place($0, under: nil) }
        self.layouts = layouts
        numbers = Dictionary(layouts.map { ($0.name, $0.number) }, uniquingKeysWith: { first, _ in first })
        entitiesByClass = Dictionary(grouping: layouts) { ObjectIdentifier($0.managedClass) }
        tables = .allocate(capacity: layouts.count)
        for (index, layout) in layouts.enumerated() { (tables + index).initialize(to: UnsafePointer(layout.table)) }
        for layout in layouts {
            layout.model = self
            layout.slots.forEach(connect)
        }
    }

    deinit { tables.deallocate() }

    package subscript(number: Int32) -> EntityLayout { layouts[Int(number) - 1] }

    /// The number of the root of an entity's tree.
    @inline(__always)
    func rootNumber(of number: Int32) -> Int32 { table(of: number).pointee.rootNumber }

    @inline(__always)
    func table(of number: Int32) -> UnsafePointer<LayoutTable> { tables[Int(number) - 1] }

    /// The entities of the trees that some entities are in, which share a table with them.
    ///
    /// - Parameter names: The names of entities; nil: all.
    package func trees(of names: Set<String>?) -> [EntityLayout] {
        guard let names else { return layouts }
        let roots = Set(layouts.filter { names.contains($0.name) }.map(\.rootNumber))
        return layouts.filter { roots.contains($0.rootNumber) }
    }

    package func layout(named name: String) -> EntityLayout? { numbers[name].map { self[$0] } }

    /// The entities that have instances of exactly this class as objects.
    func entities(of type: NSManagedObject.Type) -> [EntityLayout] { entitiesByClass[ObjectIdentifier(type)] ?? [] }

    private func connect(_ slot: PropertySlot) {
        guard let relationship = slot.relationship, let destination = relationship.destinationEntity?.name,
            let layout = layout(named: destination)
        else { return }
        slot.destination = layout.number
        if let inverse = relationship.inverseRelationship {
            slot.inverse = layout.indexByName[inverse.name] ?? -1
            slot.isPair = slot.inverse >= 0 && !relationship.isToMany && !inverse.isToMany
        }
    }

    private static func precedes(_ a: NSEntityDescription, _ b: NSEntityDescription) -> Bool {
        let (x, y) = (a.name ?? "", b.name ?? "")
        let (p, q) = (x.lowercased(), y.lowercased())
        return p == q ? x.isOrderedByScalars(y) : p.isOrderedByScalars(q)
    }
}
