import FoundationGaps
import ModelFormat

/// The stored properties of an entity with those that they were before.
struct PropertyPairing {
    /// By the new slot.
    private(set) var sources: [Int: PropertySlot] = [:]
    private(set) var reshaped: [ReshapedAttribute] = []
    private let new: EntityLayout

    init(of new: EntityLayout, in old: EntityLayout?) {
        self.new = new
        guard let old else { return }
        pair(new.parts { $0.kind.isRelationship }, old.parts { $0.kind.isRelationship })
        let (attributes, formers) = (new.parts { $0.kind.isAttribute }, old.parts { $0.kind.isAttribute })
        pair(attributes, formers)
        noteGroupings(attributes, formers)
    }

    /// Pairs the properties of an entity, or the elements of a composite; then the elements of those.
    private mutating func pair(_ new: [PropertyPart], _ old: [PropertyPart]) {
        let match = RenamingMatch(of: new.map(\.renamingName), in: old.map(\.renamingName))
        for (part, source) in zip(new, match.sources) {
            guard let former = source.map({ old[$0] }) else { continue }
            switch (part.slot, former.slot) {
            case (let slot?, let formerSlot?): sources[slot.index] = formerSlot
            case (nil, nil): pair(part.elements, former.elements)
            default: reshaped.append(ReshapedAttribute(part, former))
            }
        }
    }

    /// Notes the elements of new composites whose identifiers name attributes that the entity had.
    private mutating func noteGroupings(_ new: [PropertyPart], _ old: [PropertyPart]) {
        let taken = Set(sources.values.map(\.index)).union(reshaped.compactMap { $0.former.slot?.index })
        for element in new.flatMap(\.leaves) {
            guard let slot = element.slot, sources[slot.index] == nil, element.path != element.property.name,
                let name = element.renamingName.identifier,
                let former = old.first(where: { $0.property.name == name && $0.slot != nil }),
                let formerSlot = former.slot, !taken.contains(formerSlot.index)
            else { continue }
            reshaped.append(ReshapedAttribute(element, former))
        }
    }
}

/// An attribute that is a composite in one of two models, or an element of one, and none in the other.
struct ReshapedAttribute {
    let part: PropertyPart
    let former: PropertyPart

    init(_ part: PropertyPart, _ former: PropertyPart) { (self.part, self.former) = (part, former) }

    /// What has become of it, as words behind the attribute's name.
    var reason: String {
        if former.slot == nil { return "was a composite attribute, whose values do not become one value by themselves" }
        if part.slot == nil { return "became a composite attribute, which values do not become by themselves" }
        return "was the attribute \(former.path), and values do not move into a composite attribute by themselves"
    }
}

/// A property of an entity, or an element of a composite attribute.
struct PropertyPart {
    let property: NSPropertyDescription
    /// Its name; an element has its dotted path.
    let path: String
    /// Nil for a composite, which is its elements.
    let slot: PropertySlot?
    /// The elements of a composite.
    let elements: [PropertyPart]

    fileprivate init?(_ property: NSPropertyDescription, path: String, in layout: EntityLayout) {
        (self.property, self.path) = (property, path)
        guard let composite = property as? NSCompositeAttributeDescription else {
            guard let slot = layout.slot(named: path) else { return nil }
            (self.slot, elements) = (slot, [])
            return
        }
        slot = nil
        elements = composite.elements.compactMap {
            PropertyPart($0, path: path + "." + $0.name, in: layout)
        }
    }

    var renamingName: RenamingMatch.Name { .init(property.name, identifier: property.renamingIdentifier) }

    /// The elements that are no composites, at any depth; the property itself where it is none.
    fileprivate var leaves: [PropertyPart] { slot == nil ? elements.flatMap(\.leaves) : [self] }
}

extension EntityLayout {
    /// The stored properties of a kind, composites as wholes.
    fileprivate func parts(where isWanted: (PropertySlot) -> Bool) -> [PropertyPart] {
        let elements = Set(slots.flatMap(\.elements))
        return slots.filter {
            isWanted($0) && !elements.contains($0.index) && !$0.isTransient && $0.kind != .undefined
        }.compactMap { PropertyPart($0.property, path: $0.name, in: self) }
    }
}
