import FoundationGaps

extension ModelWriter {
    /// The archive of a predicate's format.
    ///
    /// - Parameter place: What a sentence about a wrong format begins with.
    mutating func predicate(_ format: String, place: String) throws -> ArchiveReference {
        try archived(place) { writer in try writer.add(NSPredicate.parse(format)) }
    }

    /// The archive of an expression's format.
    mutating func expression(_ format: String, place: String) throws -> ArchiveReference {
        try archived(place) { writer in try writer.add(NSExpression.parse(format)) }
    }

    /// The archive of a derivation. Its aggregates of key paths are functions.
    mutating func derivation(_ format: String, place: String) throws -> ArchiveReference {
        try archived(place) { writer in try writer.add(DerivationFormat.expression(format)) }
    }

    private mutating func archived(
        _ place: String, _ add: (inout ArchivedPredicateWriter) throws -> ArchiveReference
    ) throws -> ArchiveReference {
        do {
            return try withPredicateWriter(add)
        } catch let error as PredicateFormatError {
            throw unwritableValue(
                "\(place) has a wrong format “\(error.format)”: \(whole: error.message) (column \(error.column)).")
        }
    }

    /// Adds to the archive what predicates consist of.
    mutating func withPredicateWriter<Result>(
        _ add: (inout ArchivedPredicateWriter) throws -> Result
    ) rethrows -> Result {
        var writer = ArchivedPredicateWriter(builder: builder, selfReference: evaluatedObject)
        let result = try add(&writer)
        builder = writer.builder
        evaluatedObject = writer.selfReference
        return result
    }
}
