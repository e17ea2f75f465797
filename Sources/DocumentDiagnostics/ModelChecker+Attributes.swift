import Foundation

extension ModelChecker {
    /// - Parameter isElement: Whether the attribute is one of a composite.
    mutating func checkAttribute(_ attribute: Model.Attribute, isElement: Bool = false, _ place: Place) {
        if attribute.type == .undefined, !attribute.isTransient, attribute.compositeName == nil {
            report(.undefinedType, "\(place.title) has no type: only transient attributes may be without", place)
        }
        if attribute.isDerived || attribute.derivationExpression != nil {
            checkDerivation(attribute, place)
        } else {
            checkValues(of: attribute, isElement: isElement, place)
        }
        checkTransformer(of: attribute, place)
        checkIgnoredSettings(of: attribute, place)
        if let composite = attribute.compositeName, composites[composite] == nil {
            report(.unknownComposite, "\(place.title) is of the composite \(composite), which the model lacks", place)
        }
        let canBeExternal = [.binary, .transformable, .undefined].contains(attribute.type)
        if attribute.allowsExternalBinaryDataStorage, !canBeExternal {
            report(
                .externalStorage,
                "\(place.title) allows external storage, which only binary data can use; its type is \(attribute.type.documentName)",
                place)
        }
    }

    private mutating func checkDerivation(_ attribute: Model.Attribute, _ place: Place) {
        guard attribute.isDerived, attribute.derivationExpression?.isEmpty == false else {
            let lacks =
                attribute.isDerived ? "is derived, but from no expression" : "has a derivation but is not derived"
            return report(.derivation, "\(place.title) \(lacks)", place)
        }
    }

    private mutating func checkTransformer(of attribute: Model.Attribute, _ place: Place) {
        guard attribute.type == .transformable, !attribute.isTransient else { return }
        let insecure = ["NSUnarchiveFromData", "NSKeyedUnarchiveFromData"]
        switch attribute.valueTransformerName {
        case nil, "":
            report(
                .insecureTransformer,
                "\(place.title) names no value transformer, and so decodes whatever class an archive names; use NSSecureUnarchiveFromData",
                place)
        case let name? where insecure.contains(name):
            report(
                .insecureTransformer,
                "\(place.title) uses \(name), which decodes whatever class an archive names; use NSSecureUnarchiveFromData",
                place)
        default: break
        }
    }

    // MARK: - Settings that mean nothing

    private mutating func checkIgnoredSettings(of attribute: Model.Attribute, _ place: Place) {
        let settings = attribute.ignoredSettings
        guard !settings.isEmpty else { return }
        let kind =
            attribute.isDerived ? "a derived attribute" : "an attribute of the type \(attribute.type.documentName)"
        report(
            .ignoredSetting,
            "\(place.title) has \(settings.joined(separator: " and ")), which \(settings.count == 1 ? "means" : "mean") nothing for \(kind)",
            place)
    }
}

// MARK: - Values

extension ModelChecker {
    private mutating func checkValues(of attribute: Model.Attribute, isElement: Bool, _ place: Place) {
        let (least, greatest) = (
            bound(attribute.least, of: attribute, place), bound(attribute.greatest, of: attribute, place)
        )
        if let least, let greatest, least > greatest {
            report(
                .minimumAboveMaximum,
                "\(place.title) has the minimum \(attribute.least ?? "") above its maximum \(attribute.greatest ?? "")",
                place)
        }
        let pattern = pattern(of: attribute, place)
        guard let text = attribute.defaultText else {
            if attribute.lacksDefault, !isElement {
                report(
                    .missingDefault,
                    "\(place.title) is required, and a scalar without a default: it reads as 0 or false before it is set, but can't be saved",
                    place)
            }
            return
        }
        guard attribute.type.accepts(text) else {
            return report(
                .invalidDefault,
                "\(place.title) has the default “\(text)”, which is no value of the type \(attribute.type.documentName)",
                place)
        }
        guard let measure = attribute.measure(of: text) else { return }
        let isWithin = measure >= least ?? -.infinity && measure <= greatest ?? .infinity
        if !isWithin || pattern?.matchesWhole(text) == false {
            report(
                .defaultOutsideBounds,
                "\(place.title) has the default “\(text)”, which its own validation refuses: no new object can be saved as it is",
                place)
        }
    }

    /// The number that a bound's text says.
    private mutating func bound(_ text: String?, of attribute: Model.Attribute, _ place: Place) -> Double? {
        guard let text else { return nil }
        if let number = Double(text), number.isFinite { return number }
        report(.invalidBound, "\(place.title) has the bound “\(text)”, which is no number", place)
        return nil
    }

    private mutating func pattern(of attribute: Model.Attribute, _ place: Place) -> NSRegularExpression? {
        guard attribute.type == .string, let pattern = attribute.regularExpressionString, !pattern.isEmpty else {
            return nil
        }
        if let expression = try? NSRegularExpression(pattern: pattern) { return expression }
        report(.invalidPattern, "\(place.title) has the pattern “\(pattern)”, which is no regular expression", place)
        return nil
    }
}

extension NSRegularExpression {
    fileprivate func matchesWhole(_ text: String) -> Bool {
        let all = NSRange(text.startIndex..., in: text)
        return matches(in: text, range: all).contains { $0.range == all }
    }
}

extension Model.Attribute {
    fileprivate var isBounded: Bool { type.isNumber || type == .string || type == .date }
    fileprivate var least: String? {
        isBounded ? (type == .date ? minDateTimeInterval : minValueString) : nil
    }
    fileprivate var greatest: String? {
        isBounded ? (type == .date ? maxDateTimeInterval : maxValueString) : nil
    }

    /// The default as the document has it for the type.
    fileprivate var defaultText: String? {
        type == .date ? defaultDateTimeInterval : defaultValueString
    }

    /// Whether the attribute is a required scalar, and nothing gives new objects a value.
    fileprivate var lacksDefault: Bool {
        !isOptional && !isTransient && usesScalarValueType == true && (type.isNumber || type == .boolean)
    }

    /// What bounds are compared with: a string's length, or the value.
    fileprivate func measure(of text: String) -> Double? {
        type == .string ? Double(text.utf16.count) : type.isNumber || type == .date ? Double(text) : nil
    }

    /// What the document says of the attribute that its type has no use for; Xcode keeps it when a type is changed.
    fileprivate var ignoredSettings: [String] {
        let hasNumberBounds = minValueString != nil || maxValueString != nil
        let hasDateBounds = minDateTimeInterval != nil || maxDateTimeInterval != nil
        let hasDefault = defaultValueString != nil || defaultDateTimeInterval != nil
        let isValue = !isDerived
        let checks: [(Bool, String)] = [
            (hasNumberBounds && !(type.isNumber || type == .string), "minimum or maximum"),
            (hasDateBounds && type != .date, "earliest or latest date"),
            (regularExpressionString?.isEmpty == false && type != .string, "a pattern"),
            (isValue && defaultDateTimeInterval != nil && type != .date, "a date as default"),
            (isValue && defaultValueString != nil && type == .date, "a default as text"),
            (isDerived && hasDefault, "a default"),
            (valueTransformerName?.isEmpty == false && type != .transformable, "a value transformer"),
            (customClass?.spelling.isEmpty == false && ![.transformable, .undefined].contains(type), "a custom class"),
            (compositeName != nil && type != .composite, "a composite"),
        ]
        return checks.filter(\.0).map(\.1)
    }
}

extension Model.AttributeType {
    /// Whether values are numbers that can be compared with bounds.
    var isNumber: Bool {
        switch self {
        case .integer16, .integer32, .integer64, .decimal, .double, .float: true
        default: false
        }
    }

    /// Whether a text says a value of the type.
    ///
    /// Documents keep a default such as `0.0` or `NO` when the type is changed to an integer later.
    fileprivate func accepts(_ text: String) -> Bool {
        switch self {
        case .integer16: Self.integer(text).map { Int16(exactly: $0) != nil } ?? false
        case .integer32: Self.integer(text).map { Int32(exactly: $0) != nil } ?? false
        case .integer64: Self.integer(text) != nil
        case .double, .float, .date: Double(text)?.isFinite == true
        case .decimal: Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) != nil && Double(text) != nil
        case .boolean: Self.truth(text) != nil
        case .uuid: UUID(uuidString: text) != nil
        case .string, .uri: true
        case .undefined, .binary, .transformable, .objectID, .composite: false
        }
    }

    private static func integer(_ text: String) -> Int64? {
        Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) } ?? truth(text).map { $0 ? 1 : 0 }
    }

    private static func truth(_ text: String) -> Bool? {
        switch text.uppercased() {
        case "YES", "TRUE", "1": true
        case "NO", "FALSE", "0": false
        default: nil
        }
    }
}
