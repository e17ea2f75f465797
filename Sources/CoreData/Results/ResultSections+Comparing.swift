import FoundationGaps

// What leads from one state of the results to another that was fetched.

extension ResultSections {
    /// What leads from older sections to these.
    ///
    /// As few objects as possible move: those that are in the same section as before and in the longest sequence that
    /// kept its order stay.
    ///
    /// - Parameters:
    ///   - old: Nil: nothing was told yet, not even of the one section that has no name.
    ///   - touched: Objects that changed, wherever they are.
    func change(
        from old: ResultSections?, touched: Set<ObjectIdentifier>, _ query: ResultsQuery
    ) -> ResultsChange {
        var comparison = SectionComparison(old: old?.list ?? [], new: list)
        comparison.compareSections()
        comparison.compareObjects(touched, query)
        return comparison.change
    }
}

private struct SectionComparison {
    let old: ContiguousArray<ResultSections.Section>
    let new: ContiguousArray<ResultSections.Section>
    private(set) var change = ResultsChange()
    /// For each old section that stays the index that it has now.
    private var successors: [Int: Int] = [:]

    init(old: ContiguousArray<ResultSections.Section>, new: ContiguousArray<ResultSections.Section>) {
        self.old = old
        self.new = new
    }

    /// Finds the sections that stay: those of the same name, as many as keep their order.
    mutating func compareSections() {
        let names = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($1.name, $0) })
        let common = new.indices.compactMap { index in names[new[index].name].map { (old: $0, new: index) } }
        for index in longestIncreasingSubsequence(common.map(\.old)) {
            successors[common[index].old] = common[index].new
        }
        let kept = Set(successors.values)
        for (index, section) in old.enumerated() where successors[index] == nil {
            change.sections.append(.init(type: .delete, name: section.name, index: index))
        }
        for (index, section) in new.enumerated() where !kept.contains(index) {
            change.sections.append(.init(type: .insert, name: section.name, index: index))
        }
    }

    mutating func compareObjects(_ touched: Set<ObjectIdentifier>, _ query: ResultsQuery) {
        var origins = originalPlaces()
        for (index, section) in new.enumerated() {
            // Of each object that was in this section too: where it was, and where it is.
            var common: [(old: ResultsChange.Place, new: Int)] = []
            for (item, object) in section.objects.enumerated() {
                let place = ResultsChange.Place(section: index, item: item)
                guard let origin = origins.removeValue(forKey: ObjectIdentifier(object)) else {
                    add(object, .insert, from: nil, to: place)
                    continue
                }
                if successors[origin.section] == index {
                    common.append((origin, item))
                } else {
                    add(object, .move, from: origin, to: place)
                }
            }
            let stays = Set(longestIncreasingSubsequence(common.map(\.old.item)))
            for (number, pair) in common.enumerated() {
                let object = section.objects[pair.new]
                let place = ResultsChange.Place(section: index, item: pair.new)
                if !stays.contains(number) {
                    add(object, .move, from: pair.old, to: place)
                } else if touched.contains(ObjectIdentifier(object)) || hasOtherID(pair.old, place) {
                    add(object, query.sortKeyWasSet(object) ? .move : .update, from: pair.old, to: place)
                }
            }
        }
        for place in origins.values { add(old[place.section].objects[place.item], .delete, from: place, to: nil) }
    }

    private func originalPlaces() -> [ObjectIdentifier: ResultsChange.Place] {
        var places: [ObjectIdentifier: ResultsChange.Place] = [:]
        places.reserveCapacity(old.reduce(0) { $0 + $1.objects.count })
        for (index, section) in old.enumerated() {
            for (item, object) in section.objects.enumerated() {
                places[ObjectIdentifier(object)] = .init(section: index, item: item)
            }
        }
        return places
    }

    private func id(_ section: ResultSections.Section, _ item: Int) -> NSManagedObjectID? {
        section.ids.isEmpty ? nil : section.ids[item]
    }

    private func hasOtherID(_ origin: ResultsChange.Place, _ place: ResultsChange.Place) -> Bool {
        guard let before = id(old[origin.section], origin.item), before.isTemporaryID else { return false }
        return before != id(new[place.section], place.item)
    }

    private mutating func add(
        _ object: NSManagedObject, _ type: NSFetchedResultsChangeType, from origin: ResultsChange.Place?,
        to place: ResultsChange.Place?
    ) {
        change.objects.append(
            ResultsChange.Object(
                object: object, type: type, old: origin, new: place,
                oldID: origin.flatMap { id(old[$0.section], $0.item) },
                newID: place.flatMap { id(new[$0.section], $0.item) }))
    }
}

/// The indexes of the members of the longest part of a sequence, not necessarily of neighbours, that ascends.
func longestIncreasingSubsequence(_ values: [Int]) -> [Int] {
    // For each length the index of the smallest value that a part of that length can end with.
    var ends: [Int] = []
    var previous = [Int](repeating: -1, count: values.count)
    for (index, value) in values.enumerated() {
        let length = ends.partitioningIndex { values[$0] >= value }
        if length > 0 { previous[index] = ends[length - 1] }
        if length == ends.count { ends.append(index) } else { ends[length] = index }
    }
    var result: [Int] = []
    var index = ends.last ?? -1
    while index >= 0 {
        result.append(index)
        index = previous[index]
    }
    return result.reversed()
}
