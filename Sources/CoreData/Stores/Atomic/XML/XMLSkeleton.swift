import MappingDocument

/// What an XML store's file has beside its objects, and the order in which its objects have their values. All of it is
/// written again.
struct XMLSkeleton: Sendable {
    /// The document without objects.
    let document: XMLStoreDocument
    /// The names of attributes by the objects' entity, each before those that follow it in some object.
    private(set) var attributes: [String: [String]] = [:]
    private(set) var relationships: [String: [String]] = [:]

    init(of document: XMLStoreDocument) {
        for object in document.objects {
            attributes[object.entityName, default: []].merge(object.attributes.map(\.name))
            relationships[object.entityName, default: []].merge(object.relationships.map(\.name))
        }
        var rest = document
        rest.objects = []
        self.document = rest
    }
}

extension [String] {
    /// Puts in what is missing, each name behind the one that comes before it in the other list.
    fileprivate mutating func merge(_ other: [String]) {
        var place = startIndex
        for name in other {
            if let known = firstIndex(of: name) {
                place = Swift.max(place, known + 1)
            } else {
                insert(name, at: place)
                place += 1
            }
        }
    }
}
