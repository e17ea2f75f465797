import FoundationGaps

extension ResultSections.Section {
    func position(of object: NSManagedObject) -> Int? {
        objects.withUnsafeBufferPointer { buffer in buffer.firstIndex { $0 === object } }
    }

    /// Where objects are, all of which are in the section, in the order of the section.
    func positions(of wanted: [NSManagedObject]) -> [Int] {
        // A look through the array costs less than a hash of each of its objects.
        if wanted.count <= 8 { return wanted.compactMap { position(of: $0) }.sorted() }
        let identities = Set(wanted.map { ObjectIdentifier($0) })
        return objects.indices.filter { identities.contains(ObjectIdentifier(objects[$0])) }
    }

    /// - Parameter positions: In ascending order.
    mutating func remove(_ positions: [Int]) {
        if positions.count == 1 {
            objects.remove(at: positions[0])
            if !ids.isEmpty { ids.remove(at: positions[0]) }
        } else {
            objects = ContiguousArray(objects.removing(positions))
            if !ids.isEmpty { ids = ids.removing(positions) }
        }
    }

    /// Puts objects where they belong, each behind those that are not ordered after it.
    ///
    /// - Returns: For each object the index, before the change, of the object that it comes before.
    mutating func insert(_ new: [NSManagedObject], ids newIDs: [NSManagedObjectID], _ query: ResultsQuery) -> [Int] {
        var places: [Int] = []
        places.reserveCapacity(new.count)
        for object in new { places.append(place(for: object, from: places.last ?? 0, query)) }
        if new.count == 1 {
            objects.insert(new[0], at: places[0])
            if !newIDs.isEmpty { ids.insert(newIDs[0], at: places[0]) }
        } else {
            if !newIDs.isEmpty { ids = ids.inserting(newIDs, before: places) }
            objects = ContiguousArray(objects.inserting(new, before: places))
        }
        return places
    }

    private func place(for object: NSManagedObject, from start: Int, _ query: ResultsQuery) -> Int {
        var (low, high) = (start, objects.count)
        while low < high {
            let middle = (low + high) / 2
            if query.order(object, objects[middle]) == .orderedAscending { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension RandomAccessCollection where Index == Int {
    /// The elements but those at some indexes, which ascend.
    fileprivate func removing(_ positions: [Int]) -> [Element] {
        var rest: [Element] = []
        rest.reserveCapacity(count - positions.count)
        var start = startIndex
        for position in positions {
            rest.append(contentsOf: self[start..<position])
            start = position + 1
        }
        rest.append(contentsOf: self[start...])
        return rest
    }

    /// The elements with new ones, each before the element at its place; the places ascend.
    fileprivate func inserting(_ new: [Element], before places: [Int]) -> [Element] {
        var all: [Element] = []
        all.reserveCapacity(count + new.count)
        var start = startIndex
        for (element, place) in zip(new, places) {
            all.append(contentsOf: self[start..<place])
            all.append(element)
            start = place
        }
        all.append(contentsOf: self[start...])
        return all
    }
}
