import FoundationGaps
import PropertyLists

/// Adds predicates and expressions to an archive, with the classes and keys of Apple's archives.
struct ArchivedPredicateWriter {
    /// The class that built-in functions are methods of.
    static let functionsClass = "_NSPredicateUtilities"

    private static let expressionClass = "NSExpression"

    var builder: KeyedArchiveBuilder
    /// `SELF`, once it is in the archive.
    private(set) var selfReference: ArchiveReference?

    /// - Parameters:
    ///   - builder: The archive.
    ///   - selfReference: `SELF`, if the archive has it already.
    init(builder: KeyedArchiveBuilder, selfReference: ArchiveReference?) {
        self.builder = builder
        self.selfReference = selfReference
    }

    /// An expression's archive.
    ///
    /// - Parameters:
    ///   - superclasses: The classes between `NSExpression` and the class, the class first.
    ///   - type: The kind of expression, `NSExpression.ExpressionType`'s raw value.
    mutating func expression(
        _ names: String..., type: Int, _ fields: [String: PropertyListValue] = [:]
    ) -> ArchiveReference {
        var fields = fields
        fields["NSExpressionType"] = .integer(Int64(type))
        return builder.object(ArchivedClass(names + [Self.expressionClass]), fields)
    }
}

// MARK: - Parts

extension ArchivedPredicateWriter {
    /// `SELF`, once for the whole archive.
    mutating func evaluatedObject() -> ArchiveReference {
        if let selfReference { return selfReference }
        let reference = expression("NSSelfExpression", type: 1)
        selfReference = reference
        return reference
    }

    /// A constant with a value that is in the archive already.
    mutating func constant(_ value: ArchiveReference) -> ArchiveReference {
        expression("NSConstantValueExpression", type: 0, ["NSConstantValue": value.value])
    }

    /// A key path; one that starts at anything but `SELF` counts as a function, and always asks for a path.
    mutating func keyPath(_ text: String, of operand: ArchiveReference) -> ArchiveReference {
        let startsAtSelf = operand == selfReference
        let path = builder.string(text) as ArchiveReference
        let specifier = expression("NSKeyPathSpecifierExpression", type: 10, ["NSKeyPath": path.value])
        let selector = startsAtSelf && !text.contains(".") ? "valueForKey:" : "valueForKeyPath:"
        let name = builder.string(selector) as ArchiveReference
        return expression(
            "NSKeyPathExpression", "NSFunctionExpression", type: startsAtSelf ? 3 : 4,
            [
                "NSOperand": operand.value, "NSSelectorName": name.value,
                "NSArguments": builder.array([specifier], .mutableArray).value,
            ])
    }

    /// A comparison.
    ///
    /// - Parameter operatorType: `NSComparisonPredicate.Operator`'s raw value.
    mutating func comparison(
        _ left: ArchiveReference, _ right: ArchiveReference, operatorType: Int, modifier: Int = 0, options: Int = 0,
        selector: String? = nil
    ) -> ArchiveReference {
        let operation = operation(operatorType, modifier: modifier, options: options, selector: selector)
        return builder.object(
            ArchivedClass("NSComparisonPredicate", "NSPredicate"),
            ["NSLeftExpression": left.value, "NSRightExpression": right.value, "NSPredicateOperator": operation.value])
    }

    private mutating func operation(
        _ type: Int, modifier: Int, options: Int, selector: String?
    ) -> ArchiveReference {
        var names = ["NSPredicateOperator"]
        var fields: [String: PropertyListValue] = [
            "NSOperatorType": .integer(Int64(type)), "NSModifier": .integer(Int64(modifier)),
        ]
        let optionBits = PropertyListValue.integer(Int64(options))
        switch type {
        case 4, 5:
            names.insert("NSEqualityPredicateOperator", at: 0)
            fields.merge(["NSNegate": .boolean(type == 5), "NSOptions": optionBits]) { $1 }
        case 0...3:
            names.insert("NSComparisonPredicateOperator", at: 0)
            fields.merge(["NSVariant": .integer(Int64(type)), "NSOptions": optionBits]) { $1 }
        case 6:
            names = ["NSMatchingPredicateOperator", "NSStringPredicateOperator"] + names
            fields["NSFlags"] = optionBits
        case 7:
            names = ["NSLikePredicateOperator", "NSMatchingPredicateOperator", "NSStringPredicateOperator"] + names
            fields["NSFlags"] = optionBits
        case 8, 9:
            names = ["NSSubstringPredicateOperator", "NSStringPredicateOperator"] + names
            fields.merge(["NSPosition": .integer(Int64(type - 8)), "NSFlags": optionBits]) { $1 }
        case 100:
            names.insert("NSBetweenPredicateOperator", at: 0)
            fields["NSFlags"] = optionBits
        case 11:
            names.insert("NSCustomPredicateOperator", at: 0)
            fields["NSSelectorName"] = builder.string(selector).value
        default:
            names.insert("NSInPredicateOperator", at: 0)
            fields["NSFlags"] = optionBits
        }
        return builder.object(ArchivedClass(names), fields)
    }
}

// MARK: - Predicates

extension ArchivedPredicateWriter {
    /// - Throws: `CocoaError.fileWriteUnknown` (512) for blocks and for constants that no archive of a model holds.
    mutating func add(_ predicate: NSPredicate) throws -> ArchiveReference {
        if let truth = predicate.constantTruth {
            return builder.object(ArchivedClass(truth ? "NSTruePredicate" : "NSFalsePredicate", "NSPredicate"), [:])
        }
        if let compound = predicate.plainCompound {
            var references: [ArchiveReference] = []
            for subpredicate in compound.subpredicates { references.append(try add(subpredicate)) }
            return builder.object(
                ArchivedClass("NSCompoundPredicate", "NSPredicate"),
                [
                    "NSCompoundPredicateType": .integer(Int64(compound.compoundPredicateType.rawValue)),
                    "NSSubpredicates": builder.array(references).value,
                ])
        }
        guard let predicate = predicate as? NSComparisonPredicate else {
            throw unwritableValue("A predicate that is a block or a class of its own can't be archived: \(predicate).")
        }
        let left = try add(predicate.leftExpression)
        let right = try add(predicate.rightExpression)
        return comparison(
            left, right, operatorType: Int(predicate.predicateOperatorType.rawValue),
            modifier: Int(predicate.comparisonPredicateModifier.rawValue), options: Int(predicate.options.rawValue),
            selector: predicate.customSelector.map { "\($0)" })
    }
}
