import ModelFormat

/// A bound or a pattern of an attribute's value: documents have a property for it, compiled models a predicate and the
/// error code of those that break it.
struct ValidationBound {
    /// What the predicate compares.
    enum Subject {
        case value
        case length
    }

    let subject: Subject
    /// `NSComparisonPredicate.Operator`'s raw value: 1 is `<=`, 3 is `>=`, 6 is `MATCHES`.
    let operatorType: Int
    /// The type of what the predicate compares with.
    let type: Model.AttributeType
    let errorCode: Int
    let property: WritableKeyPath<Model.Attribute, String?>

    /// The bounds that attributes of a type have, in the order in which they are written.
    static func all(for type: Model.AttributeType) -> [ValidationBound] {
        switch type {
        case .integer16, .integer32, .integer64, .decimal, .double, .float:
            [
                .init(.value, 3, type, errorCode: 1620, \.minValueString),
                .init(.value, 1, type, errorCode: 1610, \.maxValueString),
            ]
        case .string:
            [
                .init(.length, 3, .integer64, errorCode: 1670, \.minValueString),
                .init(.length, 1, .integer64, errorCode: 1660, \.maxValueString),
                .init(.value, 6, .string, errorCode: 1680, \.regularExpressionString),
            ]
        case .date:
            [
                .init(.value, 3, .date, errorCode: 1640, \.minDateTimeInterval),
                .init(.value, 1, .date, errorCode: 1630, \.maxDateTimeInterval),
            ]
        default:
            []
        }
    }

    private init(
        _ subject: Subject, _ operatorType: Int, _ type: Model.AttributeType, errorCode: Int,
        _ property: WritableKeyPath<Model.Attribute, String?>
    ) {
        self.subject = subject
        self.operatorType = operatorType
        self.type = type
        self.errorCode = errorCode
        self.property = property
    }
}
