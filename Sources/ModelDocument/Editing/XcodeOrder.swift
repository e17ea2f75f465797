// Xcode writes entities, properties and their like sorted by name without regard to case, whatever their order was in
// the editor. What is added to such a list belongs at its place, or the next save in Xcode would move it.

extension String {
    /// Whether Xcode writes an element of this name before one of the other name.
    package func comesBeforeInXcode(_ other: String) -> Bool {
        lowercased().unicodeScalars.lexicographicallyPrecedes(other.lowercased().unicodeScalars)
    }
}

extension Array where Element: Identifiable<String> {
    /// Whether the elements are in the order in which Xcode writes them.
    package var isInXcodeOrder: Bool {
        zip(self, dropFirst()).allSatisfy { !$1.id.comesBeforeInXcode($0.id) }
    }

    /// Puts the elements into the order in which Xcode writes them; of equal names the first stays the first.
    package mutating func sortAsXcode() {
        let places = indices.sorted { left, right in
            if self[left].id.comesBeforeInXcode(self[right].id) { return true }
            return !self[right].id.comesBeforeInXcode(self[left].id) && left < right
        }
        self = places.map { self[$0] }
    }

    /// Adds an element where Xcode would write it, or at the end of a list that is in another order.
    ///
    /// - Returns: its place.
    @discardableResult
    package mutating func insertAsXcode(_ element: Element) -> Int {
        let place = isInXcodeOrder ? firstIndex { element.id.comesBeforeInXcode($0.id) } ?? count : count
        insert(element, at: place)
        return place
    }
}

extension [String] {
    /// Adds a name where Xcode would write it, or at the end of a list that is in another order.
    package mutating func insertAsXcode(_ name: String) {
        let isInOrder = zip(self, dropFirst()).allSatisfy { !$1.comesBeforeInXcode($0) }
        insert(name, at: isInOrder ? firstIndex { name.comesBeforeInXcode($0) } ?? count : count)
    }
}

extension Model {
    /// Carries out a change of names, after which the lists that were in Xcode's order are in it again.
    package mutating func keepingXcodeOrder(_ rename: (inout Model) throws -> Void) rethrows {
        let wasInOrder = OrderedLists(self)
        try rename(&self)
        wasInOrder.restore(in: &self)
    }

    /// Which lists of a model are in Xcode's order.
    private struct OrderedLists {
        let entities, fetchRequests, configurations, composites, diagram: Bool
        let properties: [(attributes: Bool, relationships: Bool, fetched: Bool, indexes: Bool)]
        let elements: [Bool]

        init(_ model: Model) {
            entities = model.entities.isInXcodeOrder
            fetchRequests = model.fetchRequests.isInXcodeOrder
            configurations = model.configurations.isInXcodeOrder
            composites = model.composites.isInXcodeOrder
            diagram = model.diagramElements.isInXcodeOrder
            properties = model.entities.map {
                (
                    $0.attributes.isInXcodeOrder, $0.relationships.isInXcodeOrder,
                    $0.fetchedProperties.isInXcodeOrder, $0.fetchIndexes.isInXcodeOrder
                )
            }
            elements = model.composites.map(\.elements.isInXcodeOrder)
        }

        /// Puts those lists into order; the change has kept the numbers of entities and composites.
        func restore(in model: inout Model) {
            for (index, was) in properties.enumerated() where model.entities.indices.contains(index) {
                if was.attributes { model.entities[index].attributes.sortUnlessInXcodeOrder() }
                if was.relationships { model.entities[index].relationships.sortUnlessInXcodeOrder() }
                if was.fetched { model.entities[index].fetchedProperties.sortUnlessInXcodeOrder() }
                if was.indexes { model.entities[index].fetchIndexes.sortUnlessInXcodeOrder() }
            }
            for (index, was) in elements.enumerated() where was && model.composites.indices.contains(index) {
                model.composites[index].elements.sortUnlessInXcodeOrder()
            }
            if entities { model.entities.sortUnlessInXcodeOrder() }
            if fetchRequests { model.fetchRequests.sortUnlessInXcodeOrder() }
            if configurations { model.configurations.sortUnlessInXcodeOrder() }
            if composites { model.composites.sortUnlessInXcodeOrder() }
            if diagram { model.diagramElements.sortUnlessInXcodeOrder() }
        }
    }
}

extension Array where Element: Identifiable<String> {
    fileprivate mutating func sortUnlessInXcodeOrder() {
        if !isInXcodeOrder { sortAsXcode() }
    }
}
