import FoundationGaps

extension SQLTranslation {
    /// Orders the select.
    ///
    /// - Parameter isPaged: Whether the request asks for a part of its results. Parts only fit together if rows that
    ///   are equal to all descriptors have an order too: then the key decides, in the direction of the last descriptor,
    ///   so that an index can still be walked. A search has an order of its own for rows of one rank, and gives the
    ///   best ones fastest if it alone decides.
    func sort(_ descriptors: [NSSortDescriptor], _ environment: SQLEnvironment, isPaged: Bool) throws {
        var order = try descriptors.map { try self.order($0, environment) }
        let isNeeded = !order.isEmpty || builder.select.offset != nil
        if isPaged, isNeeded, !order.contains(where: { $0.expression == root.key || $0.isByRank }) {
            order.append(SQLOrder(root.key, ascending: order.last?.ascending ?? true))
        }
        builder.select.order = order
    }

    private func order(_ descriptor: NSSortDescriptor, _ environment: SQLEnvironment) throws -> SQLOrder {
        guard !descriptor.usesComparatorBlock else {
            throw SQLTranslationError.unsupported("a sort descriptor has a comparator block, which only runs in memory")
        }
        guard let key = descriptor.key else {
            throw SQLTranslationError.unsupported(
                "a sort descriptor has no key that the model knows; fetched objects are sorted by their properties")
        }
        let what = "the sort key \"\(key)\""
        guard let comparison = descriptor.comparison else {
            throw SQLTranslationError.unsupported(
                "\(what) is compared by \(descriptor.selector?.description ?? ""), which only memory knows")
        }
        let term = try value(try operand(NSExpression(forKeyPath: key), environment), what)
        guard comparison == .standard || term.type.isText || term.type == .unknown else {
            throw SQLTranslationError.unsupported(
                "\(what) is \(term.type.description), and \(comparison.rawValue) compares strings")
        }
        return SQLOrder(term.expression, ascending: descriptor.ascending, comparison: comparison)
    }
}

extension SQLOrder {
    /// Whether the order is that of a search's rank.
    fileprivate var isByRank: Bool { if case .search(.rank, _) = expression { true } else { false } }
}
