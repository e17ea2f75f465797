import FoundationGaps

/// The results of a controller, in their order, cut into sections.
///
/// A section is an array in order: an object's place is found by comparing with some of the others, and what is told of
/// a change is found by looking at the objects that changed, not at all.
struct ResultSections {
    struct Section {
        /// Identifies the section for as long as it has objects.
        let id: Int
        let name: String
        var objects: ContiguousArray<NSManagedObject>
        /// The objects' IDs as they were told; empty where no delegate wants IDs.
        var ids: [NSManagedObjectID] = []
    }

    private(set) var list: ContiguousArray<Section> = []
    /// Without names there is one section, empty or not.
    let isNamed: Bool
    /// Whether the sections keep the objects' IDs.
    private(set) var keepsIDs = false
    /// The sections of all objects, by the sections' identity; nil until they are asked for.
    private var members: [ObjectIdentifier: Int]?
    /// Where sections are, by their identity.
    private var places: [Int: Int] = [:]
    private var identities: [String: Int] = [:]
    private var lastIdentity = 0

    /// Sections without objects.
    init(of query: ResultsQuery) {
        isNamed = query.sectionKeyPath != nil
        if !isNamed { append("", []) }
    }

    /// Cuts objects, in order, into sections.
    ///
    /// - Throws: If objects of one section are not neighbours.
    init(_ objects: [NSManagedObject], _ query: ResultsQuery) throws {
        isNamed = query.sectionKeyPath != nil
        guard isNamed else {
            append("", ContiguousArray(objects))
            return
        }
        var start = 0
        var name: String?
        for (index, object) in objects.enumerated() {
            let own = query.sectionName(of: object)
            guard own != name else { continue }
            if let name { append(name, ContiguousArray(objects[start..<index])) }
            if identities[own] != nil { throw Self.outOfOrder(own, object, query) }
            (start, name) = (index, own)
        }
        if let name { append(name, ContiguousArray(objects[start...])) }
    }

    /// Cuts objects into sections that are known, if they are right still.
    init?(_ objects: [NSManagedObject], names: [String], counts: [Int], _ query: ResultsQuery) {
        guard query.sectionKeyPath != nil, names.count == counts.count, counts.allSatisfy({ $0 > 0 }),
            Set(names).count == names.count, counts.reduce(0, +) == objects.count
        else { return nil }
        isNamed = true
        var start = 0
        for (name, count) in zip(names, counts) {
            let part = objects[start..<start + count]
            // Results are in the order of their sections: if both ends belong to one, so does all between them.
            guard let first = part.first, let last = part.last, query.sectionName(of: first) == name,
                query.sectionName(of: last) == name
            else { return nil }
            append(name, ContiguousArray(part))
            start += count
        }
    }

    private static func outOfOrder(_ name: String, _ object: NSManagedObject, _ query: ResultsQuery) -> NSError {
        NSError.cocoa(
            NSPersistentStoreOperationError,
            "The objects of the section \"\(name)\" are not neighbours in the results: sort by what \"\(query.sectionKeyPath ?? "")\" comes from first.",
            userInfo: [NSAffectedObjectsErrorKey: [object]])
    }

    private mutating func append(_ name: String, _ objects: ContiguousArray<NSManagedObject>) {
        let id = makeIdentity()
        places[id] = list.count
        identities[name] = id
        list.append(Section(id: id, name: name, objects: objects))
    }

    private mutating func makeIdentity() -> Int {
        lastIdentity += 1
        return lastIdentity
    }

    // MARK: Looking up

    /// The same sections, for code that looks at them and does not follow changes.
    var copyToShow: ResultSections {
        var copy = self
        // Two tables would have to become two when one changes.
        copy.members = nil
        return copy
    }

    var count: Int { list.reduce(0) { $0 + $1.objects.count } }

    /// All objects in their order.
    var objects: [NSManagedObject] {
        if list.count == 1 { return Array(list[0].objects) }
        var all: [NSManagedObject] = []
        all.reserveCapacity(count)
        for section in list { all.append(contentsOf: section.objects) }
        return all
    }

    /// Where an object is; nil: it is no result.
    mutating func place(of object: NSManagedObject) -> ResultsChange.Place? {
        guard let section = section(of: object), let item = list[section].position(of: object) else { return nil }
        return ResultsChange.Place(section: section, item: item)
    }

    /// The index of the section that an object is in.
    mutating func section(of object: NSManagedObject) -> Int? {
        enterMembers()
        return members?[ObjectIdentifier(object)].flatMap { places[$0] }
    }

    func contains(_ object: NSManagedObject) -> Bool { members?[ObjectIdentifier(object)] != nil }

    /// The index of the section with a name.
    func section(named name: String) -> Int? { identities[name].flatMap { places[$0] } }

    func place(ofSection id: Int) -> Int? { places[id] }

    /// Enters all objects where that has not happened.
    mutating func enterMembers() {
        guard members == nil else { return }
        var table: [ObjectIdentifier: Int] = [:]
        table.reserveCapacity(count)
        for section in list { for object in section.objects { table[ObjectIdentifier(object)] = section.id } }
        members = table
    }

    // MARK: IDs

    /// Starts to keep the objects' IDs, or stops.
    mutating func keepIDs(_ keeps: Bool) {
        guard keeps != keepsIDs else { return }
        keepsIDs = keeps
        for index in list.indices { list[index].ids = keeps ? list[index].objects.map(\.ownID) : [] }
    }

    /// Takes an object's ID anew.
    ///
    /// - Returns: The one that it had; nil where it is the same.
    mutating func renewID(at place: ResultsChange.Place) -> NSManagedObjectID? {
        guard keepsIDs else { return nil }
        let old = list[place.section].ids[place.item]
        guard old.isTemporaryID else { return nil }
        let new = list[place.section].objects[place.item].ownID
        guard new != old else { return nil }
        list[place.section].ids[place.item] = new
        return old
    }

    // MARK: Changing

    /// Takes objects out of a section, which may be empty then.
    ///
    /// - Parameter positions: In ascending order.
    mutating func remove(_ positions: [Int], fromSection index: Int) {
        for position in positions { members?[ObjectIdentifier(list[index].objects[position])] = nil }
        list[index].remove(positions)
    }

    /// Puts objects into a section, each behind those that are not ordered after it.
    ///
    /// - Parameter new: In order.
    /// - Returns: For each object the index, before the change, of the object that it comes before.
    mutating func insert(_ new: [NSManagedObject], intoSection index: Int, _ query: ResultsQuery) -> [Int] {
        for object in new { members?[ObjectIdentifier(object)] = list[index].id }
        return list[index].insert(new, ids: keepsIDs ? new.map(\.ownID) : [], query)
    }

    /// Makes a section, where its first object says.
    ///
    /// - Returns: Its index.
    mutating func makeSection(_ name: String, before index: Int) -> Int {
        let section = Section(id: makeIdentity(), name: name, objects: [])
        list.insert(section, at: index)
        identities[name] = section.id
        for place in index..<list.count { places[list[place].id] = place }
        return index
    }

    /// Lets go of sections without objects.
    mutating func dropEmptySections() {
        guard isNamed, list.contains(where: \.objects.isEmpty) else { return }
        for section in list where section.objects.isEmpty && identities[section.name] == section.id {
            identities[section.name] = nil
        }
        list.removeAll(where: \.objects.isEmpty)
        places = Dictionary(uniqueKeysWithValues: list.enumerated().map { ($1.id, $0) })
    }
}
