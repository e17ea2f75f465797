public import Foundation

extension NSExpression {
    /// An expression of a fixed value; nil stands for `nil` in comparisons.
    ///
    /// ```swift
    /// NSExpression(forConstantValue: 18)
    /// NSExpression(forConstantValue: [team.objectID, heat.objectID])      // for IN
    /// ```
    ///
    /// Predicates compare numbers, texts, dates, data, UUIDs, URLs, managed objects, their IDs, and collections of
    /// these values. The value is kept as it is: a mutable collection must not change later.
    public convenience init(forConstantValue obj: Any?) {
        let value = obj.flatMap(flattened)
        self.init(node: .constant(value, PredicateValue(value)))
    }

    /// The value that `withSubstitutionVariables(_:)` or the evaluation's context gives for a name.
    ///
    /// ```swift
    /// let isOlder = NSComparisonPredicate(
    ///     leftExpression: NSExpression(forKeyPath: "age"), rightExpression: NSExpression(forVariable: "age"),
    ///     modifier: .direct, type: .greaterThan)                              // age > $age
    /// request.predicate = isOlder.withSubstitutionVariables(["age": 30])      // age > 30
    /// ```
    ///
    /// Evaluating a variable without a value traps. A fetch throws `NSPersistentStoreUnsupportedRequestTypeError`
    /// (134091).
    ///
    /// - Parameter string: The name, without `$`.
    public convenience init(forVariable string: String) {
        self.init(node: .variable(string))
    }

    /// The value at a key path of the evaluated object; `self` alone is the object itself.
    ///
    /// ```swift
    /// NSExpression(forKeyPath: "team.name")
    /// NSExpression(forKeyPath: "players.@max.salary")
    /// ```
    ///
    /// Dots separate keys, and collection operators are understood. In a fetch, a key over a relationship joins its
    /// table. Traps if a key in the path is empty, as in `team..name`. An unknown key traps only at evaluation.
    public convenience init(forKeyPath keyPath: String) {
        let path = PredicateKeyPath(keyPath)
        precondition(
            !path.keys.contains(""), "the key path \"\(keyPath)\" has an empty key; write keys separated by single dots"
        )
        if path.keys.isEmpty {
            self.init(node: .evaluatedObject)
        } else {
            self.init(node: .keyPath(operand: .expressionForEvaluatedObject(), path: path))
        }
    }

    /// The value at a Swift key path of the evaluated object.
    ///
    /// ```swift
    /// NSExpression(forKeyPath: \Player.team?.name)        // team.name
    /// ```
    ///
    /// The path may go through properties of a data model, and through stored properties of structs and final classes.
    /// For any other property Swift has no name on Linux: this traps, and the message says so.
    public convenience init<Root, Value>(forKeyPath keyPath: KeyPath<Root, Value>) {
        self.init(forKeyPath: KeyPathNames.requiredName(of: keyPath))
    }

    /// The value of a built-in function.
    ///
    /// ```swift
    /// let highest = NSExpression(forFunction: "max:", arguments: [NSExpression(forKeyPath: "salary")])
    /// let tax = NSExpression(forFunction: "multiply:by:", arguments: [NSExpression(forKeyPath: "salary"), 0.2])
    /// ```
    ///
    /// The statistics `sum:`, `count:`, `min:`, `max:`, `average:`, `median:`, `mode:` and `stddev:` take one
    /// collection, or several values. In an `NSExpressionDescription`, the first five are computed by the database,
    /// over all rows or over each group. A fetch with another statistic throws
    /// `NSPersistentStoreUnsupportedRequestTypeError` (134091).
    ///
    /// Traps for an unknown name, and the message lists the known ones. A wrong number of arguments traps at
    /// evaluation.
    ///
    /// - Parameters:
    ///   - name: The full name, such as `sum:`, `add:to:` or `now`. Upper and lower case count.
    ///   - parameters: The arguments; a value that is no `NSExpression` becomes a constant.
    public convenience init(forFunction name: String, arguments parameters: [Any]) {
        guard let function = PredicateFunction(rawValue: name) else {
            preconditionFailure(
                """
                "\(name)" is no function of predicates; \
                the known ones are \(PredicateFunction.allCases.map(\.rawValue).sorted().joined(separator: ", "))
                """)
        }
        self.init(node: .function(function, parameters.map(Self.expression)))
    }

    /// The result of a named function of one's own, `FUNCTION(target, "name:", …)`.
    ///
    /// ```swift
    /// NSPredicate.registerFunction(named: "startsLike:") { text, arguments in
    ///     (text as? String)?.first == (arguments[0] as? String)?.first
    /// }
    /// let startsLike = NSExpression(
    ///     forFunction: NSExpression(forKeyPath: "name"), selectorName: "startsLike:", arguments: ["Heat"])
    /// ```
    ///
    /// Swift without Objective-C can't send a message by its name. So you register what the name does, with
    /// `NSPredicate.registerFunction(named:_:)`. Some names of Foundation's are known from the start. An unknown name
    /// traps at evaluation. Stores cannot call the function: a fetch throws
    /// `NSPersistentStoreUnsupportedRequestTypeError` (134091).
    ///
    /// - Parameters:
    ///   - target: The receiver. The function gets its value first.
    ///   - name: The name, with one colon for each argument.
    ///   - parameters: The arguments; a value that is no `NSExpression` becomes a constant. Nil means none.
    public convenience init(
        forFunction target: NSExpression, selectorName name: String, arguments parameters: [Any]?
    ) {
        self.init(
            node: .message(receiver: target, selector: name, arguments: (parameters ?? []).map(Self.expression)))
    }

    /// The value of a block, which runs at each evaluation.
    ///
    /// Stores cannot run it: a fetch throws `NSPersistentStoreUnsupportedRequestTypeError` (134091). Use it to filter
    /// in memory.
    ///
    /// - Parameters:
    ///   - block: Gets the evaluated object, the arguments as they are, and the context with the values of the
    ///     variables.
    ///   - arguments: Expressions that the block may evaluate itself; nil means none.
    public convenience init(
        block: @escaping (Any?, [NSExpression], NSMutableDictionary?) -> Any, arguments: [NSExpression]?
    ) {
        self.init(node: .block(block, arguments ?? []))
    }

    /// An array of the values of expressions, `{1, 2, name}`.
    ///
    /// Use it on the right of `IN` and `BETWEEN`, where a bound is not constant:
    ///
    /// ```swift
    /// let bounds = NSExpression(forAggregate: [
    ///     NSExpression(forConstantValue: 18), NSExpression(forKeyPath: "team.oldestAge"),
    /// ])
    /// ```
    ///
    /// A nil value becomes `NSNull` in the array. For constants alone, `NSExpression(forConstantValue:)` with an array
    /// does the same.
    public convenience init(forAggregate subexpressions: [NSExpression]) {
        self.init(node: .aggregate(subexpressions))
    }

    /// The elements of either collection, each once, as a set: `left UNION right`.
    ///
    /// Nil counts as an empty collection; any other value than a collection traps at evaluation. Works in memory only:
    /// a fetch throws `NSPersistentStoreUnsupportedRequestTypeError` (134091).
    public convenience init(forUnionSet left: NSExpression, with right: NSExpression) {
        self.init(node: .set(.union, left, right))
    }

    /// The elements of both collections, each once, as a set: `left INTERSECT right`.
    ///
    /// Nil counts as an empty collection; any other value than a collection traps at evaluation. Works in memory only:
    /// a fetch throws `NSPersistentStoreUnsupportedRequestTypeError` (134091).
    public convenience init(forIntersectSet left: NSExpression, with right: NSExpression) {
        self.init(node: .set(.intersect, left, right))
    }

    /// The elements of the left collection that the right one lacks, each once, as a set: `left MINUS right`.
    ///
    /// Nil counts as an empty collection; any other value than a collection traps at evaluation. Works in memory only:
    /// a fetch throws `NSPersistentStoreUnsupportedRequestTypeError` (134091).
    public convenience init(forMinusSet left: NSExpression, with right: NSExpression) {
        self.init(node: .set(.minus, left, right))
    }

    /// The elements of a collection for which a predicate holds: `SUBQUERY(players, $p, $p.age > 30)`.
    ///
    /// ```swift
    /// let veterans = NSExpression(
    ///     forSubquery: NSExpression(forKeyPath: "players"), usingIteratorVariable: "p",
    ///     predicate: NSPredicate(format: "$p.age > 30 AND $p.salary > 5"))
    /// ```
    ///
    /// Ask for its `@count` in a format: `SUBQUERY(players, $p, $p.age > 30 AND $p.salary > 5).@count > 0`. This finds
    /// teams with one player that fulfils both conditions. `ANY players.age > 30 AND ANY players.salary > 5` is also
    /// true for two different players. In a fetch the collection must be a to-many relationship; it becomes a
    /// subselect.
    ///
    /// - Parameters:
    ///   - expression: The collection. Nil gives nil, any other value traps at evaluation.
    ///   - variable: The name by which the predicate knows the element, without `$`.
    ///   - predicate: What the element has to fulfil; `SELF` in it is the outer object.
    public convenience init(
        forSubquery expression: NSExpression, usingIteratorVariable variable: String, predicate: NSPredicate
    ) {
        self.init(node: .subquery(collection: expression, variable: variable, predicate: predicate))
    }

    /// One of two values, by a predicate: `TERNARY(predicate, trueExpression, falseExpression)`.
    ///
    /// ```swift
    /// let label = NSExpression(format: "TERNARY(age < 18, 'junior', 'senior')")
    /// ```
    ///
    /// Only the value that is needed is evaluated. A store understands it too.
    public convenience init(
        forConditional predicate: NSPredicate, trueExpression: NSExpression, falseExpression: NSExpression
    ) {
        self.init(node: .conditional(predicate, trueExpression, falseExpression))
    }

    /// A fetch request inside an expression; Core Data's `NSFetchRequestExpression` is made with it.
    package convenience init(fetch request: NSExpression, context: NSExpression, countOnly: Bool) {
        self.init(node: .fetch(request: request, context: context, countOnly: countOnly))
    }

    static func expression(_ parameter: Any) -> NSExpression {
        parameter as? NSExpression ?? NSExpression(forConstantValue: parameter)
    }

    /// A function's call by its case, for the parser.
    convenience init(_ function: PredicateFunction, _ arguments: [NSExpression]) {
        self.init(node: .function(function, arguments))
    }
}
