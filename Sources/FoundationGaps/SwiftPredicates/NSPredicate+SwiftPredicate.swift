import Foundation

extension NSPredicate {
    /// The predicate that Swift's `#Predicate` macro made, for fetch requests and whatever else takes an `NSPredicate`.
    ///
    /// ```swift
    /// request.predicate = NSPredicate(#Predicate<Player> { $0.salary > 5 && $0.team?.name == "Celtics" })
    /// ```
    ///
    /// Nil if the predicate says what the format language can't: it goes through a property with an unknown name (one
    /// that is computed, but not by a data model), compares with a value that isn't a number, text, date, data, UUID,
    /// URL, object or collection of those, or takes a part of a collection or text.
    public convenience init?<Input: NSObject>(_ predicate: Predicate<Input>) {
        var conversion = PredicateConversion()
        conversion.bind(predicate.variable, to: .expressionForEvaluatedObject())
        guard let converted = try? conversion.predicate(predicate.expression) else { return nil }
        self.init(made: converted)
    }
}

extension NSExpression {
    /// The expression that Swift's `#Expression` macro made; nil where the format language can't say it, see
    /// `NSPredicate.init(_:)`.
    public convenience init?<Input: NSObject, Output>(_ expression: Expression<Input, Output>) {
        var conversion = PredicateConversion()
        conversion.bind(expression.variable, to: .expressionForEvaluatedObject())
        guard let converted = try? conversion.expression(expression.expression) else { return nil }
        self.init(node: converted.node)
    }
}
