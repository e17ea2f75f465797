public import Foundation

extension NSPredicate {
    /// Makes the predicate that a text in the format language describes.
    ///
    /// ```swift
    /// request.predicate = NSPredicate(format: "age >= %d AND team.name BEGINSWITH[cd] %@", 18, "cel")
    /// request.predicate = NSPredicate(format: "%K == %@", "team", team)
    /// ```
    ///
    /// Never put a value into the text yourself: a quote in it breaks the text, and a user could write conditions. Pass
    /// it by `%@`. Do not put quotes around `%@` either, as `'%@'` is a text of two characters.
    ///
    /// The result is an `NSComparisonPredicate`, an `NSCompoundPredicate` or a constant. Reading the text costs time.
    /// For many fetches, read a text with a variable once, and use ``withSubstitutionVariables(_:)``.
    ///
    /// Traps for a malformed text, with a sentence that points at the column. ``parse(_:argumentArray:)`` throws
    /// instead, for texts that users type.
    ///
    /// - Parameters:
    ///   - predicateFormat: The text. `%@` takes an object, `%K` a key path, `%d`, `%f` and the like a number.
    ///   - args: The arguments in the text's order.
    public convenience init(format predicateFormat: String, _ args: any CVarArg...) {
        self.init(made: Self.parsed(predicateFormat, args))
    }

    /// Makes the predicate that a text in the format language describes, with its arguments in an array.
    ///
    /// ```swift
    /// let keys = ["firstName", "lastName"]
    /// let text = keys.map { _ in "%K CONTAINS[cd] %@" }.joined(separator: " OR ")
    /// request.predicate = NSPredicate(format: text, argumentArray: keys.flatMap { [$0, "mi"] })
    /// ```
    ///
    /// Use it if the number of arguments is known only at run time. Traps for a malformed text and for missing
    /// arguments.
    ///
    /// - Parameters:
    ///   - predicateFormat: The text.
    ///   - arguments: The arguments in the text's order; nil means none.
    public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
        self.init(made: Self.parsed(predicateFormat, arguments ?? []))
    }

    /// Makes the predicate that a text in the format language describes, with the arguments of a C function.
    ///
    /// For functions that wrap ``init(format:_:)`` and have a `CVaListPointer`, from `withVaList`. Each conversion in
    /// the text must fit its argument, as in C: a wrong one reads wrong memory. Traps for a malformed text.
    public convenience init(format predicateFormat: String, arguments argList: CVaListPointer) {
        let arguments = VariadicArguments(argList, for: predicateFormat).values
        self.init(made: Self.parsed(predicateFormat, arguments))
    }

    /// Reads a text in the format language, and throws if something is wrong with it.
    ///
    /// ```swift
    /// do {
    ///     request.predicate = try NSPredicate.parse("age > 3 AND")
    /// } catch let error as PredicateFormatError {
    ///     print(error.picture)        // draws the place
    /// }
    /// ```
    ///
    /// The text may name any key, and keys are not checked here. A fetch with an unknown key throws; `evaluate(with:)`
    /// traps. Check the keys of a stranger's predicate by ``allowEvaluation(validator:)``.
    ///
    /// - Parameters:
    ///   - predicateFormat: The text, for instance what a user typed.
    ///   - arguments: The values of `%@` and the like, in the text's order.
    /// - Throws: ``PredicateFormatError``, which names the column and draws the place.
    public static func parse(_ predicateFormat: String, argumentArray arguments: [Any] = []) throws -> NSPredicate {
        var parser = try PredicateParser(predicateFormat, arguments: arguments)
        return try parser.wholePredicate()
    }

    private static func parsed(_ format: String, _ arguments: [Any]) -> NSPredicate {
        do {
            return try parse(format, argumentArray: arguments)
        } catch {
            fatalError("\(error)")
        }
    }

    // Foundation's open `predicateFormat`, right for constants and overridden by the classes of this module, is the
    // public way to the text. To shadow it with an extension would spare users Foundation's deprecation, but makes the
    // compiler crash in release builds: reading the method table of a subclass, it finds two properties of one name and
    // type on NSPredicate and can't tell which one is meant.

    /// The predicate in the format language, whatever its class: also that of a compound predicate made by Foundation.
    package var formatText: String { PredicatePrinter.text(of: self) }

    /// Permits the evaluation of a predicate that was decoded from an archive. It does nothing here.
    ///
    /// A predicate that the program made may be evaluated from the start, and this implementation decodes none. The
    /// method is here so that code compiles.
    public func allowEvaluation() {}
}

extension NSExpression {
    /// Makes the expression that a text in the format language describes.
    ///
    /// ```swift
    /// let total = NSExpression(format: "price * quantity")
    /// let names = NSExpression(format: "players.@distinctUnionOfObjects.%K", "name")
    /// ```
    ///
    /// The arguments are those of `NSPredicate(format:_:)`. Traps for a malformed text, with a sentence that points at
    /// the column; ``parse(_:argumentArray:)`` throws instead.
    ///
    /// - Parameters:
    ///   - expressionFormat: The text. `%@` takes an object, `%K` a key path, `%d`, `%f` and the like a number.
    ///   - args: The arguments in the text's order.
    public convenience init(format expressionFormat: String, _ args: any CVarArg...) {
        self.init(node: Self.parsed(expressionFormat, args).node)
    }

    /// Makes the expression that a text in the format language describes, with its arguments in an array.
    ///
    /// Use it if the number of arguments is known only at run time. Traps for a malformed text and for missing
    /// arguments.
    public convenience init(format expressionFormat: String, argumentArray arguments: [Any]) {
        self.init(node: Self.parsed(expressionFormat, arguments).node)
    }

    /// Makes the expression that a text in the format language describes, with the arguments of a C function.
    ///
    /// Each conversion in the text must fit its argument, as in C: a wrong one reads wrong memory. Traps for a
    /// malformed text.
    public convenience init(format expressionFormat: String, arguments argList: CVaListPointer) {
        let arguments = VariadicArguments(argList, for: expressionFormat).values
        self.init(node: Self.parsed(expressionFormat, arguments).node)
    }

    /// Reads a text in the format language, and throws if something is wrong with it. Use it for formulas that users
    /// type.
    ///
    /// Keys and the number of a function's arguments are not checked here. They trap at evaluation.
    ///
    /// - Parameters:
    ///   - expressionFormat: The text, such as `price * quantity`.
    ///   - arguments: The values of `%@` and the like, in the text's order.
    /// - Throws: ``PredicateFormatError``, which names the column and draws the place.
    public static func parse(_ expressionFormat: String, argumentArray arguments: [Any] = []) throws -> NSExpression {
        var parser = try PredicateParser(expressionFormat, arguments: arguments)
        return try parser.wholeExpression()
    }

    private static func parsed(_ format: String, _ arguments: [Any]) -> NSExpression {
        do {
            return try parse(format, argumentArray: arguments)
        } catch {
            fatalError("\(error)")
        }
    }
}
