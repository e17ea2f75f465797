import FoundationGaps

/// Which destination objects were made of which source objects by one entity mapping, by references: millions of them
/// take some tens of bytes each.
struct AssociationTable {
    // The n-th pair is the n-th of both.
    private(set) var sources: ContiguousArray<ObjectReference> = []
    private(set) var destinations: ContiguousArray<ObjectReference> = []
    private var bySource = Links()
    private var byDestination = Links()

    var count: Int { sources.count }

    /// Notes that a destination object was made of a source object.
    ///
    /// - Parameters:
    ///   - sourceRoot: The number of the tree of the source's entity; keys are unique in a tree.
    ///   - destinationRoot: That of the destination.
    mutating func add(
        _ source: ObjectReference, sourceRoot: Int32, _ destination: ObjectReference, destinationRoot: Int32
    ) {
        let place = Int32(sources.count)
        sources.append(source)
        destinations.append(destination)
        bySource.add(source, sourceRoot, place)
        byDestination.add(destination, destinationRoot, place)
    }

    /// The destination objects that were made of a source object, in the order in which they were associated.
    func destinations(of source: ObjectReference, root: Int32) -> [ObjectReference] {
        bySource.places(of: source, root).map { destinations[Int($0)] }
    }

    /// The source objects that a destination object was made of, in the order in which they were associated.
    func sources(of destination: ObjectReference, root: Int32) -> [ObjectReference] {
        byDestination.places(of: destination, root).map { sources[Int($0)] }
    }

    /// The first destination object that was made of a source object.
    func firstDestination(of source: ObjectReference, root: Int32) -> ObjectReference? {
        bySource.firstPlace(of: source, root).map { destinations[Int($0)] }
    }

    /// Whether a destination object has no pair before this one.
    func isFirst(_ place: Int) -> Bool { byDestination.isFirst(Int32(place)) }

    /// The destination objects, each once.
    var uniqueDestinations: [ObjectReference] { destinations.indices.filter(isFirst).map { destinations[$0] } }

    /// The source objects, each once.
    var uniqueSources: [ObjectReference] {
        sources.indices.filter { bySource.isFirst(Int32($0)) }.map { sources[$0] }
    }
}

/// The places of objects in a list, some of which are in it more than once.
private struct Links {
    /// The last place of each key, by tree.
    private var last: [KeyGroup: KeyTable<Int32>] = [:]
    /// The place before, for objects that are in the list more than once.
    private var before: [Int32: Int32] = [:]

    mutating func add(_ reference: ObjectReference, _ root: Int32, _ place: Int32) {
        let table = table(KeyGroup(store: reference.store, root: root))
        if let known = table[reference.key] { before[place] = known }
        table.set(reference.key, place)
    }

    private mutating func table(_ group: KeyGroup) -> KeyTable<Int32> {
        if let known = last[group] { return known }
        let new = KeyTable<Int32>()
        last[group] = new
        return new
    }

    func places(of reference: ObjectReference, _ root: Int32) -> [Int32] {
        guard let place = last[KeyGroup(store: reference.store, root: root)]?[reference.key] else { return [] }
        if before.isEmpty { return [place] }
        return sequence(first: place) { before[$0] }.reversed()
    }

    func firstPlace(of reference: ObjectReference, _ root: Int32) -> Int32? {
        guard let place = last[KeyGroup(store: reference.store, root: root)]?[reference.key] else { return nil }
        return before.isEmpty ? place : places(of: reference, root).first
    }

    func isFirst(_ place: Int32) -> Bool { before[place] == nil }
}
