import ModelDocument

/// The identifiers of one version and of everything in it.
struct VersionTree: Sendable, Hashable {
    let node: IdentifiedNode
    /// Where each element is; the version itself is at the model.
    let places: [ElementID: ElementPlace]
    private let ids: [ElementPlace: ElementID]

    var id: ElementID { node.id }

    init(_ node: IdentifiedNode) {
        self.node = node
        var places: [ElementID: ElementPlace] = [:]
        Self.collect(node, at: .model, into: &places)
        self.places = places
        ids = Dictionary(places.map { ($1, $0) }) { first, _ in first }
    }

    private static func collect(
        _ node: IdentifiedNode, at place: ElementPlace, into places: inout [ElementID: ElementPlace]
    ) {
        places[node.id] = place
        var counts: [ElementKind: Int] = [:]
        for child in node.children {
            let index = counts[child.kind, default: 0]
            counts[child.kind] = index + 1
            collect(child, at: place.child(child.kind, index), into: &places)
        }
    }

    /// The identifier of what is at a place.
    func id(at place: ElementPlace) -> ElementID? { ids[place] }

    /// The identifier of what is at a place, or of what is nearest around it.
    func nearestID(to place: ElementPlace) -> ElementID {
        var place = place
        while !place.steps.isEmpty {
            if let id = ids[place] { return id }
            place = place.owner
        }
        return id
    }
}
