import Foundation

extension Sequence {
    /// The elements in the order of sort descriptors, equal ones in the order they came in.
    ///
    /// Each key is read once per element, not once per comparison, which `NSArray.sortedArray(using:)` does.
    package func sorted(by descriptors: [NSSortDescriptor]) -> [Element] {
        let rows = map { element in
            SortRow(element: element, values: descriptors.map { ($0 as? KeyedSortDescriptor)?.value(of: element) })
        }
        return rows.sorted { left, right in
            for (index, descriptor) in descriptors.enumerated() {
                switch left.order(right, by: descriptor, at: index) {
                case .orderedAscending: return true
                case .orderedDescending: return false
                case .orderedSame: continue
                }
            }
            return false
        }.map(\.element)
    }
}

/// An element with what each descriptor compares of it.
private struct SortRow<Element> {
    let element: Element
    let values: [Any?]

    func order(_ other: Self, by descriptor: NSSortDescriptor, at index: Int) -> ComparisonResult {
        guard let keyed = descriptor as? KeyedSortDescriptor else {
            return descriptor.compare(element, to: other.element)
        }
        return keyed.compareValues(values[index], other.values[index])
    }
}
