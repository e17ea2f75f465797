import Foundation

extension NSSortDescriptor {
    /// A descriptor that sorts as a Swift sort descriptor does.
    ///
    /// ```swift
    /// request.sortDescriptors = [NSSortDescriptor(SortDescriptor(\Player.age, order: .reverse))]
    /// ```
    ///
    /// Values compare as by `compare:`, and texts by their Unicode scalars: Foundation on Linux has no other comparator
    /// for texts. In a fetch the key path must have a name, as for `init(keyPath:ascending:)`.
    public convenience init<Compared: NSObject>(_ sortDescriptor: SortDescriptor<Compared>) {
        let ascending = sortDescriptor.order == .forward
        if let keyPath = sortDescriptor.keyPath {
            self.init(made: keyPath.keyedSortDescriptor(ascending: ascending))
        } else {
            // Made elsewhere without a key path: compares whole objects, and turns them round itself.
            let block: Comparator = { left, right in
                guard let left = left as? Compared, let right = right as? Compared else {
                    fatalError(
                        "\(sortDescriptor) sorts \(Compared.self), not \(type(of: left)) and \(type(of: right)).")
                }
                return sortDescriptor.compare(left, right)
            }
            self.init(made: KeyedSortDescriptor(.object, ascending: true, rule: .block(block)))
        }
    }
}

extension SortDescriptor where Compared: NSObject {
    /// A Swift sort descriptor that sorts as an `NSSortDescriptor` does.
    ///
    /// ```swift
    /// let byAge = NSSortDescriptor(keyPath: \Player.age, ascending: true)
    /// let swiftOne = SortDescriptor(byAge, comparing: Player.self)
    /// ```
    ///
    /// It works for a descriptor with a Swift key path to `Comparable` values, optional or not. Nil for a key as a
    /// string, for a block, and for a comparison other than `compare:`. Swift's `SortDescriptor` on Linux can't hold
    /// them.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor to convert.
    ///   - comparedType: The class of the objects that are sorted.
    public init?(_ descriptor: NSSortDescriptor, comparing comparedType: Compared.Type) {
        guard descriptor.comparison == .standard, let keyPath = descriptor.keyPath as? PartialKeyPath<Compared>,
            let made: Self = Self.make(keyPath, descriptor.ascending ? .forward : .reverse)
        else { return nil }
        self = made
    }

    private static func make(_ keyPath: PartialKeyPath<Compared>, _ order: SortOrder) -> Self? {
        switch type(of: keyPath).valueType {
        case let type as any Comparable.Type: make(keyPath, order, type)
        case let type as any OptionalComparable.Type: type.sortDescriptor(keyPath, order)
        default: nil
        }
    }

    private static func make<Value: Comparable>(
        _ keyPath: PartialKeyPath<Compared>, _ order: SortOrder, _ type: Value.Type
    ) -> Self? {
        (keyPath as? KeyPath<Compared, Value>).map { SortDescriptor(sendable($0), order: order) }
    }
}

/// Optionals of comparable values, to get at what is inside their type.
private protocol OptionalComparable {
    static func sortDescriptor<Compared>(_ keyPath: PartialKeyPath<Compared>, _ order: SortOrder) -> SortDescriptor<
        Compared
    >?
}

extension Optional: OptionalComparable where Wrapped: Comparable {
    fileprivate static func sortDescriptor<Compared>(
        _ keyPath: PartialKeyPath<Compared>, _ order: SortOrder
    ) -> SortDescriptor<Compared>? {
        (keyPath as? KeyPath<Compared, Wrapped?>).map { SortDescriptor(sendable($0), order: order) }
    }
}

/// A key path as `Sendable`, which `SortDescriptor` asks for and a cast can't give.
///
/// `Sendable` has no representation, so that both types are one and the same pointer. A key path is immutable; only one
/// with captured subscript arguments could carry something that isn't, and data models have no subscripts.
private func sendable<Root, Value>(_ keyPath: KeyPath<Root, Value>) -> any KeyPath<Root, Value> & Sendable {
    unsafeBitCast(keyPath, to: (any KeyPath<Root, Value> & Sendable).self)
}

extension PartialKeyPath where Root: NSObject {
    fileprivate func keyedSortDescriptor(ascending: Bool) -> KeyedSortDescriptor {
        let read: (Any) -> Any? = { object in
            guard let root = object as? Root else {
                fatalError(
                    "\(type(of: object)) can't be sorted by the key path \(self): its objects are \(Root.self).")
            }
            return boxed(root[keyPath: self])
        }
        return KeyedSortDescriptor(.keyPath(self, read: read), ascending: ascending, rule: .selector(.compare))
    }
}
