import Foundation

/// `CAST(value, "ClassName")`
enum PredicateCast {
    static func value(of value: PredicateValue, as className: PredicateValue) throws -> PredicateValue {
        guard case .string(let className) = className else {
            throw PredicateEvaluationError("CAST needs the name of a class as a text, not \(className.kindName)")
        }
        if value.isNull { return .null }
        guard let result = try cast(value, className) else {
            throw PredicateEvaluationError("CAST can't make \(className) of \(value.kindName)")
        }
        return result
    }

    private static func cast(_ value: PredicateValue, _ className: String) throws -> PredicateValue? {
        switch className {
        case "NSDate": date(value)
        case "NSNumber": number(value)
        case "NSDecimalNumber": decimal(value)
        case "NSString": text(value).map { .string($0) }
        case "NSUUID": uuid(value)
        case "NSURL": url(value)
        case "Class": try namedClass(value)
        default:
            throw PredicateEvaluationError(
                """
                CAST knows no class "\(className)"; it knows NSDate, NSNumber, NSDecimalNumber, NSString, NSUUID, NSURL \
                and Class
                """)
        }
    }

    private static func date(_ value: PredicateValue) -> PredicateValue? {
        if case .date = value { return value }
        return value.doubleValue.map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    }

    private static func number(_ value: PredicateValue) -> PredicateValue? {
        switch value {
        case .date(let date): .double(date.timeIntervalSinceReferenceDate)
        case .string(let text): number(text.trimmingCharacters(in: .whitespaces))
        default: value.isNumber ? value : nil
        }
    }

    private static func number(_ text: String) -> PredicateValue? {
        Int64(text).map { .integer($0) } ?? Double(text).map { .double($0) }
    }

    private static func decimal(_ value: PredicateValue) -> PredicateValue? {
        switch value {
        case .decimal: value
        case .integer(let number): .decimal(Decimal(number))
        // By way of its text: Decimal(0.1) has the digits of the binary fraction.
        case .double(let number): Decimal(string: "\(number)").map { .decimal($0) }
        case .string(let text): Decimal(string: text).map { .decimal($0) }
        case .date(let date): decimal(.double(date.timeIntervalSinceReferenceDate))
        default: nil
        }
    }

    private static func text(_ value: PredicateValue) -> String? {
        switch value {
        case .string(let text): return text
        case .uuid(let uuid): return uuid.uuidString
        case .url(let url): return url.absoluteString
        case .date(let date): return date.description
        case .integer, .double, .decimal:
            var printer = PredicatePrinter()
            printer.print(value)
            return printer.text
        default: return nil
        }
    }

    private static func uuid(_ value: PredicateValue) -> PredicateValue? {
        switch value {
        case .uuid: value
        case .string(let text): UUID(uuidString: text).map { .uuid($0) }
        default: nil
        }
    }

    private static func url(_ value: PredicateValue) -> PredicateValue? {
        switch value {
        case .url: value
        case .string(let text): URL(string: text).map { .url($0) }
        default: nil
        }
    }

    private static func namedClass(_ value: PredicateValue) throws -> PredicateValue? {
        guard case .string(let name) = value else { return nil }
        guard let type = NSClassFromString(name) ?? NSClassFromString("Foundation." + name) else {
            throw PredicateEvaluationError(
                "there is no class \"\(name)\"; Swift's classes are named with their module, App.Player")
        }
        return .other(type)
    }
}
