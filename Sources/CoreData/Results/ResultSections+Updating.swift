import FoundationGaps

// What a change of some objects does to the results, found by looking at these objects and their neighbours.

/// A result that changed.
private struct TouchedResult {
    let object: NSManagedObject
    /// Where it was.
    let place: ResultsChange.Place
    /// Whether it is a result still.
    let isWanted: Bool
    /// The ID that was told of it.
    let id: NSManagedObjectID?
    /// Whether it may stay between its neighbours.
    var stays = false
}

extension ResultSections {
    /// Follows a change of objects.
    ///
    /// - Parameter touched: Each object that may be a result, or may have been one, and changed.
    /// - Throws: A predicate that can't be evaluated; nothing has changed then.
    mutating func update(_ touched: [NSManagedObject], _ query: ResultsQuery) throws -> ResultsChange {
        var known: [(object: NSManagedObject, section: Int, isWanted: Bool)] = []
        var new: [NSManagedObject] = []
        for object in touched {
            let isWanted = try query.contains(object)
            if let section = section(of: object) {
                known.append((object, section, isWanted))
            } else if isWanted {
                new.append(object)
            }
        }
        guard !(known.isEmpty && new.isEmpty) else { return ResultsChange() }
        var results = locate(known)
        decideWhoStays(&results, query)
        return rearrange(results, new, query)
    }

    /// The changed results in the order that they have been in.
    private func locate(_ known: [(object: NSManagedObject, section: Int, isWanted: Bool)]) -> [TouchedResult] {
        var results: [TouchedResult] = []
        for (index, group) in Dictionary(grouping: known, by: \.section).sorted(by: { $0.key < $1.key }) {
            let section = list[index]
            let wanted = Set(group.lazy.filter(\.isWanted).map { ObjectIdentifier($0.object) })
            for position in section.positions(of: group.map(\.object)) {
                let object = section.objects[position]
                results.append(
                    TouchedResult(
                        object: object, place: .init(section: index, item: position),
                        isWanted: wanted.contains(ObjectIdentifier(object)), id: keepsIDs ? section.ids[position] : nil)
                )
            }
        }
        return results
    }

    /// Finds the results that are where they belong: in their section, and in order with their neighbours that did not
    /// change.
    private func decideWhoStays(_ results: inout [TouchedResult], _ query: ResultsQuery) {
        let following = unchangedFollowers(of: results)
        var preceding: NSManagedObject?
        for index in results.indices {
            let result = results[index]
            if index == 0 || place(before: result.place) != results[index - 1].place {
                preceding = place(before: result.place).map { list[$0.section].objects[$0.item] }
            } else if results[index - 1].stays {
                preceding = results[index - 1].object
            }
            results[index].stays =
                result.isWanted && query.sectionName(of: result.object) == list[result.place.section].name
                && preceding.map { query.order($0, result.object) != .orderedDescending } ?? true
                && following[index].map { query.order(result.object, $0) != .orderedDescending } ?? true
        }
    }

    /// The next object behind each that did not change itself.
    private func unchangedFollowers(of results: [TouchedResult]) -> [NSManagedObject?] {
        var followers = [NSManagedObject?](repeating: nil, count: results.count)
        for index in results.indices.reversed() {
            let next = place(after: results[index].place)
            if index + 1 < results.count, next == results[index + 1].place {
                followers[index] = followers[index + 1]
            } else {
                followers[index] = next.map { list[$0.section].objects[$0.item] }
            }
        }
        return followers
    }

    private func place(before place: ResultsChange.Place) -> ResultsChange.Place? {
        if place.item > 0 { return .init(section: place.section, item: place.item - 1) }
        return place.section > 0
            ? .init(section: place.section - 1, item: list[place.section - 1].objects.count - 1) : nil
    }

    private func place(after place: ResultsChange.Place) -> ResultsChange.Place? {
        if place.item + 1 < list[place.section].objects.count {
            return .init(section: place.section, item: place.item + 1)
        }
        return place.section + 1 < list.count ? .init(section: place.section + 1, item: 0) : nil
    }

    // MARK: Rearranging

    private mutating func rearrange(
        _ results: [TouchedResult], _ new: [NSManagedObject], _ query: ResultsQuery
    ) -> ResultsChange {
        let before = list.map { (id: $0.id, name: $0.name) }
        var removed: [Int: [Int]] = [:]
        for result in results where !result.stays {
            removed[before[result.place.section].id, default: []].append(result.place.item)
        }
        for (id, positions) in removed { place(ofSection: id).map { remove(positions, fromSection: $0) } }
        let movers = results.filter { !$0.stays && $0.isWanted }
        let arrivals = admit(movers.map(\.object) + new, query)
        dropEmptySections()

        var change = ResultsChange(sections: sectionChanges(from: before))
        change.objects = results.compactMap { $0.isWanted ? nil : deletion($0) }
        let origins = Dictionary(uniqueKeysWithValues: movers.map { (ObjectIdentifier($0.object), $0) })
        for (id, arrival) in arrivals {
            guard let section = place(ofSection: id) else { continue }
            for (offset, (object, place)) in zip(arrival.objects, arrival.places).enumerated() {
                let new = ResultsChange.Place(section: section, item: place + offset)
                change.objects.append(self.arrival(of: object, at: new, from: origins[ObjectIdentifier(object)]))
            }
        }
        for result in results where result.stays {
            let id = before[result.place.section].id
            guard let section = place(ofSection: id) else { continue }
            let rest = result.place.item - (removed[id]?.partitioningIndex { $0 >= result.place.item } ?? 0)
            let item = rest + (arrivals[id]?.places.partitioningIndex { $0 > rest } ?? 0)
            change.objects.append(update(of: result, at: .init(section: section, item: item), query))
        }
        return change
    }

    private struct Arrivals {
        let objects: [NSManagedObject]
        /// For each object the one before which it came.
        let places: [Int]
    }

    /// Puts objects into their sections.
    ///
    /// - Returns: What came into each section, by the section's identity.
    private mutating func admit(_ objects: [NSManagedObject], _ query: ResultsQuery) -> [Int: Arrivals] {
        var names: [String] = []
        var groups: [String: [NSManagedObject]] = [:]
        for object in objects.count > 1 ? objects.sorted(by: query.descriptors) : objects {
            let name = query.sectionName(of: object)
            if groups[name] == nil { names.append(name) }
            groups[name, default: []].append(object)
        }
        var arrivals: [Int: Arrivals] = [:]
        for name in names {
            guard let group = groups[name] else { continue }
            let section = sectionToEnter(name, group[0], query)
            arrivals[list[section].id] = Arrivals(objects: group, places: insert(group, intoSection: section, query))
        }
        return arrivals
    }

    /// The section of a name, which is made where there is none, or only an empty one at the wrong place.
    private mutating func sectionToEnter(_ name: String, _ first: NSManagedObject, _ query: ResultsQuery) -> Int {
        let known = section(named: name)
        if let known, !isNamed || !list[known].objects.isEmpty { return known }
        let filled = list.indices.filter { !list[$0].objects.isEmpty }
        let next = filled.partitioningIndex { query.order(first, list[$0].objects[0]) == .orderedAscending }
        let place = next < filled.count ? filled[next] : list.count
        // What is empty and stands there will do.
        if let known, known < place, next == 0 || known > filled[next - 1] { return known }
        return makeSection(name, before: place)
    }

    // MARK: Telling

    private func sectionChanges(from before: [(id: Int, name: String)]) -> [ResultsChange.Section] {
        let old = Set(before.map(\.id))
        var changes = before.enumerated().filter { place(ofSection: $1.id) == nil }.map {
            ResultsChange.Section(type: .delete, name: $1.name, index: $0)
        }
        for (index, section) in list.enumerated() where !old.contains(section.id) {
            changes.append(ResultsChange.Section(type: .insert, name: section.name, index: index))
        }
        return changes
    }

    private func deletion(_ result: TouchedResult) -> ResultsChange.Object {
        ResultsChange.Object(object: result.object, type: .delete, old: result.place, oldID: result.id)
    }

    private func arrival(
        of object: NSManagedObject, at place: ResultsChange.Place, from origin: TouchedResult?
    ) -> ResultsChange.Object {
        ResultsChange.Object(
            object: object, type: origin == nil ? .insert : .move, old: origin?.place, new: place, oldID: origin?.id,
            newID: keepsIDs ? list[place.section].ids[place.item] : nil)
    }

    private mutating func update(
        of result: TouchedResult, at place: ResultsChange.Place, _ query: ResultsQuery
    ) -> ResultsChange.Object {
        let oldID = renewID(at: place) ?? result.id
        return ResultsChange.Object(
            object: result.object, type: query.sortKeyWasSet(result.object) ? .move : .update, old: result.place,
            new: place, oldID: oldID, newID: keepsIDs ? list[place.section].ids[place.item] : nil)
    }
}
