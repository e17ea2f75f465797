import Foundation

extension NSPredicate {
    /// Makes an `NSPredicate` of a predicate that Swift's `#Predicate` macro made.
    ///
    /// ```swift
    /// request.predicate = NSPredicate(#Predicate<Player> { $0.salary > 5 && $0.team?.name == "Celtics" })
    /// ```
    ///
    /// Nil if the format language can't say what the predicate says:
    ///
    /// - It uses a property whose name is unknown: one that is computed, but not by a data model.
    /// - It compares with a value that is no number, text, date, data, UUID, URL, object, or collection of these.
    /// - It takes a part of a collection or of a text.
    public convenience init?<Input: NSObject>(_ predicate: Predicate<Input>) {
        var conversion = PredicateConversion()
        conversion.bind(predicate.variable, to: .expressionForEvaluatedObject())
        guard let converted = try? conversion.predicate(predicate.expression) else { return nil }
        self.init(made: converted)
    }
}

extension NSExpression {
    /// Makes an `NSExpression` of an expression that Swift's `#Expression` macro made.
    ///
    /// ```swift
    /// let total = NSExpressionDescription()
    /// total.name = "weekly"
    /// total.expression = NSExpression(#Expression<Player, Double> { $0.salary / 52 })
    /// ```
    ///
    /// Nil if the format language can't say it: see `NSPredicate.init(_:)`.
    public convenience init?<Input: NSObject, Output>(_ expression: Expression<Input, Output>) {
        var conversion = PredicateConversion()
        conversion.bind(expression.variable, to: .expressionForEvaluatedObject())
        guard let converted = try? conversion.expression(expression.expression) else { return nil }
        self.init(node: converted.node)
    }
}
