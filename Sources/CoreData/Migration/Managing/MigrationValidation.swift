import FoundationGaps

/// Validates all objects of a store that was filled without validation.
struct MigrationValidation {
    /// With so many errors, no more are looked for.
    private static let mostErrors = 100
    private static let batchSize = 1000

    private let stack: MigrationStack

    init(_ stack: MigrationStack) { self.stack = stack }

    /// - Parameter checkpoint: Called now and then; what it throws ends the validation.
    /// - Throws: The only error, or several as `NSValidationMultipleErrorsError` (1560).
    func run(_ checkpoint: () throws -> Void) throws {
        var errors: [any Error] = []
        for layout in stack.layouts.layouts
        where !layout.isAbstract && !layout.checkedSlots.isEmpty && stack.holds(layout) {
            try checkpoint()
            var rest = try suspects(layout)[...]
            while let batch = rest.popBatch(Self.batchSize) {
                for object in try stack.context.loadRows(of: batch) {
                    do { try object.validateForInsert() } catch { errors.append(error) }
                }
                if errors.count >= Self.mostErrors { try NSError.throwValidation(errors) }
                try checkpoint()
            }
        }
        try NSError.throwValidation(errors)
    }

    /// The objects of an entity that may not be valid: those without a required value if nothing else is asked for.
    private func suspects(_ layout: EntityLayout) throws -> [ObjectReference] {
        let request = NSFetchRequest<NSManagedObject>(entityName: layout.name)
        request.includesSubentities = false
        let isMissing = layout.checkedSlots.map { slot -> NSPredicate? in
            guard slot.isStoredInRow, !slot.hasPredicates, !slot.kind.isToMany else { return nil }
            return NSComparisonPredicate(
                leftExpression: NSExpression(forKeyPath: slot.name),
                rightExpression: NSExpression(forConstantValue: nil),
                modifier: .direct, type: .equalTo)
        }
        if isMissing.allSatisfy({ $0 != nil }) {
            request.predicate = NSCompoundPredicate(orPredicateWithSubpredicates: isMissing.compactMap(\.self))
        }
        return try ContextFetch(request, in: stack.context).references()
    }
}

extension ArraySlice {
    /// Takes at most so many elements from the start; nil: there are none.
    fileprivate mutating func popBatch(_ size: Int) -> [Element]? {
        if isEmpty { return nil }
        let batch = Array(prefix(size))
        self = dropFirst(size)
        return batch
    }
}
