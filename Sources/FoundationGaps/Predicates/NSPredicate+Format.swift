public import Foundation

extension NSPredicate {
    /// Makes the predicate that a text in the format language describes.
    ///
    /// ```swift
    /// NSPredicate(format: "age >= %d AND ANY teams.name BEGINSWITH[cd] %@", 18, "cel")
    /// ```
    ///
    /// The result is an `NSComparisonPredicate`, an `NSCompoundPredicate` or a constant. A malformed text is a programming error and stops the program
    /// with a sentence that points at the column; `parse(_:argumentArray:)` throws it instead, for texts that users type.
    ///
    /// - Parameters:
    ///   - predicateFormat: The text. `%@` takes an object, `%K` a key path, `%d`, `%f` and the like a number.
    ///   - args: The arguments in the text's order.
    public convenience init(format predicateFormat: String, _ args: any CVarArg...) {
        self.init(made: Self.parsed(predicateFormat, args))
    }

    /// Makes the predicate that a text in the format language describes, with its arguments in an array.
    public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
        self.init(made: Self.parsed(predicateFormat, arguments ?? []))
    }

    /// Makes the predicate that a text in the format language describes, with the arguments of a C function.
    public convenience init(format predicateFormat: String, arguments argList: CVaListPointer) {
        let arguments = VariadicArguments(argList, for: predicateFormat).values
        self.init(made: Self.parsed(predicateFormat, arguments))
    }

    /// Reads a text in the format language, throwing what is wrong with it.
    ///
    /// - Throws: `PredicateFormatError`, which names the column and draws the place.
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

    // Foundation's open `predicateFormat`, right for constants and overridden by the classes of this module, is the public way to the text. To shadow
    // it with an extension would spare users Foundation's deprecation, but makes the compiler crash in release builds: reading the method table of a
    // subclass, it finds two properties of one name and type on NSPredicate and can't tell which one is meant.

    /// The predicate in the format language, whatever its class: also that of a compound predicate made by Foundation.
    package var formatText: String { PredicatePrinter.text(of: self) }

    /// Permits the evaluation of a predicate that was decoded from an archive.
    ///
    /// Predicates made in the program are permitted from the start, and this implementation decodes none that is not.
    public func allowEvaluation() {}
}

extension NSExpression {
    /// Makes the expression that a text in the format language describes; see `NSPredicate(format:_:)`.
    public convenience init(format expressionFormat: String, _ args: any CVarArg...) {
        self.init(node: Self.parsed(expressionFormat, args).node)
    }

    /// Makes the expression that a text in the format language describes, with its arguments in an array.
    public convenience init(format expressionFormat: String, argumentArray arguments: [Any]) {
        self.init(node: Self.parsed(expressionFormat, arguments).node)
    }

    /// Makes the expression that a text in the format language describes, with the arguments of a C function.
    public convenience init(format expressionFormat: String, arguments argList: CVaListPointer) {
        let arguments = VariadicArguments(argList, for: expressionFormat).values
        self.init(node: Self.parsed(expressionFormat, arguments).node)
    }

    /// Reads a text in the format language, throwing what is wrong with it.
    ///
    /// - Throws: `PredicateFormatError`, which names the column and draws the place.
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
