extension Model.Attribute {
    /// The bounds and the pattern as validation rules with Core Data's error codes, then the other rules.
    ///
    /// Strings are bounded by their length, numbers and dates by value. Bounds on other types, which Xcode keeps when
    /// an attribute's type is changed, mean nothing.
    public var allValidationRules: [Model.ValidationRule] {
        boundRules + validationRules
    }

    private var boundRules: [Model.ValidationRule] {
        switch type {
        case .integer16, .integer32, .integer64, .decimal, .double, .float:
            rules(subject: "SELF", minValueString, 1620, maxValueString, 1610) { $0 }
        case .string:
            rules(subject: "length", minValueString, 1670, maxValueString, 1660) { $0 } + patternRules
        case .date:
            rules(subject: "SELF", minDateTimeInterval, 1640, maxDateTimeInterval, 1630) { "CAST(\($0), \"NSDate\")" }
        default: []
        }
    }

    private func rules(
        subject: String, _ least: String?, _ leastCode: Int, _ greatest: String?, _ greatestCode: Int,
        constant: (String) -> String
    ) -> [Model.ValidationRule] {
        [(least, ">=", leastCode), (greatest, "<=", greatestCode)].compactMap { bound, comparison, code in
            guard let bound, Double(bound)?.isFinite == true else { return nil }
            return .init(predicateFormat: "\(subject) \(comparison) \(constant(bound))", warning: .code(code))
        }
    }

    private var patternRules: [Model.ValidationRule] {
        guard let pattern = regularExpressionString, !pattern.isEmpty else { return [] }
        let escaped = pattern.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return [.init(predicateFormat: "SELF MATCHES \"\(escaped)\"", warning: .code(1680))]
    }
}
