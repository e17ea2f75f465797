public import Foundation

extension NSExpression {
    /// An expression of a fixed value; nil stands for `nil` in comparisons.
    public convenience init(forConstantValue obj: Any?) {
        let value = obj.flatMap(flattened)
        self.init(node: .constant(value, PredicateValue(value)))
    }

    /// The value that `withSubstitutionVariables(_:)` or the evaluation's context gives for a name.
    ///
    /// - Parameter string: The name, without `$`.
    public convenience init(forVariable string: String) {
        self.init(node: .variable(string))
    }

    /// The value at a key path of the evaluated object; `self` alone is the object itself.
    ///
    /// Dots separate keys; collection operators (`players.@max.salary`) are understood.
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
    /// The path has to go through stored properties of structs and final classes, or through the properties of a data model; for others Swift knows
    /// no names on Linux, and the program stops with a sentence that says so.
    public convenience init<Root, Value>(forKeyPath keyPath: KeyPath<Root, Value>) {
        self.init(forKeyPath: KeyPathNames.requiredName(of: keyPath))
    }

    /// The value of a built-in function.
    ///
    /// An unknown name is a programming error and stops the program, where Apple's framework raises an exception.
    ///
    /// - Parameters:
    ///   - name: The full name, such as `sum:`, `add:to:` or `now`.
    ///   - parameters: The arguments; what is no `NSExpression` becomes a constant.
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
    /// Swift without Objective-C can't send a message by its name, so what the name does is registered with
    /// `NSPredicate.registerFunction(named:_:)`; some names of Foundation's are known from the start.
    public convenience init(
        forFunction target: NSExpression, selectorName name: String, arguments parameters: [Any]?
    ) {
        self.init(
            node: .message(receiver: target, selector: name, arguments: (parameters ?? []).map(Self.expression)))
    }

    /// The value of a block, which gets the evaluated object, the arguments and the context.
    public convenience init(
        block: @escaping (Any?, [NSExpression], NSMutableDictionary?) -> Any, arguments: [NSExpression]?
    ) {
        self.init(node: .block(block, arguments ?? []))
    }

    /// An array of the values of expressions, `{1, 2, name}`.
    public convenience init(forAggregate subexpressions: [NSExpression]) {
        self.init(node: .aggregate(subexpressions))
    }

    /// The elements of either collection.
    public convenience init(forUnionSet left: NSExpression, with right: NSExpression) {
        self.init(node: .set(.union, left, right))
    }

    /// The elements of both collections.
    public convenience init(forIntersectSet left: NSExpression, with right: NSExpression) {
        self.init(node: .set(.intersect, left, right))
    }

    /// The elements of the left collection that the right one lacks.
    public convenience init(forMinusSet left: NSExpression, with right: NSExpression) {
        self.init(node: .set(.minus, left, right))
    }

    /// The elements of a collection for which a predicate holds.
    ///
    /// - Parameters:
    ///   - expression: The collection.
    ///   - variable: The name by which the predicate knows the element, without `$`.
    ///   - predicate: What the element has to fulfil; `SELF` in it is the outer object.
    public convenience init(
        forSubquery expression: NSExpression, usingIteratorVariable variable: String, predicate: NSPredicate
    ) {
        self.init(node: .subquery(collection: expression, variable: variable, predicate: predicate))
    }

    /// One of two values, by a predicate: `TERNARY(predicate, whenTrue, whenFalse)`.
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
