import FoundationGaps
import ModelFormat

/// The format strings of a model's files to and from predicates, expressions and sort descriptors.
enum ModelFormats {
    /// The predicate that a format string says.
    ///
    /// - Parameter place: What the predicate belongs to, for the error.
    /// - Throws: `ModelDocumentError` `invalidContent` with place, format and column.
    static func predicate(_ format: String, of place: String) throws -> NSPredicate {
        do {
            return try NSPredicate.parse(format)
        } catch {
            throw ModelDocumentError(
                .invalidContent, sentence: "The predicate of \(place) can't be read: \(whole: "\(error)")")
        }
    }

    /// The expression that a format string says.
    static func expression(_ format: String, of place: String) throws -> NSExpression {
        do {
            return try NSExpression.parse(format)
        } catch {
            throw ModelDocumentError(
                .invalidContent, sentence: "The expression of \(place) can't be read: \(whole: "\(error)")")
        }
    }

    /// The format string of a predicate; nil if it runs code, which no format can say.
    static func format(of predicate: NSPredicate) -> String? {
        let format = predicate.formatText
        return (try? NSPredicate.parse(format)) == nil ? nil : format
    }

    // MARK: Sort descriptors

    static func sortDescriptor(_ key: Model.SortKey) -> NSSortDescriptor {
        NSSortDescriptor(key: key.key, ascending: key.isAscending, selector: key.selectorName.map { Selector($0) })
    }

    /// A sort descriptor as a model's files have it; nil if it runs code, which they can't say.
    static func sortKey(_ descriptor: NSSortDescriptor) -> Model.SortKey? {
        guard let key = descriptor.key, let selector = descriptor.selector else { return nil }
        let name = selector == "compare:" ? nil : NSStringFromSelector(selector)
        return Model.SortKey(key: key, isAscending: descriptor.ascending, selectorName: name)
    }

    // MARK: Variables

    /// The names of the variables that a predicate needs values for, in order and each once.
    ///
    /// The iterator of a subquery is none, as the subquery binds it.
    static func variables(of predicate: NSPredicate) -> [String] {
        var names: [String] = []
        collect(predicate, bound: [], &names)
        return names
    }

    private static func collect(_ predicate: NSPredicate, bound: Set<String>, _ names: inout [String]) {
        if let compound = predicate as? NSCompoundPredicate {
            for part in compound.subpredicates { collect(part, bound: bound, &names) }
        } else if let comparison = predicate as? NSComparisonPredicate {
            collect(comparison.leftExpression, bound: bound, &names)
            collect(comparison.rightExpression, bound: bound, &names)
        }
    }

    private static func collect(_ expression: NSExpression, bound: Set<String>, _ names: inout [String]) {
        func all(_ parts: [NSExpression]) { parts.forEach { collect($0, bound: bound, &names) } }
        switch expression.node {
        case .variable(let name): if !bound.contains(name), !names.contains(name) { names.append(name) }
        case .keyPath(let operand, _): all([operand])
        case .function(_, let arguments), .block(_, let arguments), .aggregate(let arguments): all(arguments)
        case .message(let receiver, _, let arguments): all([receiver] + arguments)
        case .set(_, let left, let right): all([left, right])
        case .subquery(let collection, let variable, let predicate):
            all([collection])
            collect(predicate, bound: bound.union([variable]), &names)
        case .conditional(let predicate, let first, let second):
            collect(predicate, bound: bound, &names)
            all([first, second])
        case .assignment(_, let value): all([value])
        case .fetch(let request, let context, _): all([request, context])
        case .constant, .evaluatedObject, .anyKey, .symbol, .custom: break
        }
    }
}
