import Foundation

/// What the evaluator knows: the object, the variables, and how to read objects.
package struct EvaluationScope {
    /// What `SELF` and key paths refer to.
    package let object: Any?
    /// The variables that are bound, by their names without `$`.
    package private(set) var variables: [String: Any]
    /// The dictionary that assignments store into.
    let context: NSMutableDictionary?
    /// Reads key paths without key-value coding, where it can.
    let reader: (any PredicateReader)?

    package init(
        object: Any?, variables: [String: Any] = [:], context: NSMutableDictionary? = nil,
        reader: (any PredicateReader)? = nil
    ) {
        self.object = object
        self.variables = variables
        self.context = context
        self.reader = reader
    }

    func binding(_ name: String, to value: Any) -> Self {
        var scope = self
        scope.variables[name] = value
        return scope
    }

    func value(ofVariable name: String) -> Any? {
        variables[name] ?? context?.object(forKey: name)
    }
}

/// Reads an object's properties for the evaluator, past key-value coding and its boxes.
package protocol PredicateReader: AnyObject {
    /// The value at a key path, or nil when key-value coding has to find it.
    func value(of object: AnyObject, at path: PredicateKeyPath) throws -> PredicateValue?
}

/// A context that runs the fetch requests inside expressions.
package protocol FetchExpressionContext: AnyObject {
    /// The results of a fetch request, or their number.
    func resultOfFetchExpression(_ request: Any, countOnly: Bool) throws -> Any
}
