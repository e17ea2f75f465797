import ModelFormat

// The sentences above generated accessors.

extension Model.Attribute {
    var summary: String {
        var sentence = (isOptional ? "An optional" : "A required") + (isTransient ? ", transient " : " ") + typeName
        if isDerived, let derivationExpression { sentence += ", derived from `\(derivationExpression.inComment)`" }
        if let compositeName { sentence += " `\(compositeName.inComment)`" }
        if let valueTransformerName, !valueTransformerName.isEmpty {
            sentence += ", stored through `\(valueTransformerName.inComment)`"
        }
        if let defaultValueString, !defaultValueString.isEmpty {
            sentence += ", `\(defaultValueString.inComment)` by default"
        }
        return sentence + "."
    }

    private var typeName: String {
        switch type {
        case .undefined: "value of any type"
        case .integer16: "Integer 16"
        case .integer32: "Integer 32"
        case .integer64: "Integer 64"
        case .decimal: "Decimal"
        case .double: "Double"
        case .float: "Float"
        case .string: "String"
        case .boolean: "Boolean"
        case .date: "Date"
        case .binary: "Binary Data"
        case .uuid: "UUID"
        case .uri: "URI"
        case .transformable: "Transformable"
        case .objectID: "Object ID"
        case .composite: "Composite"
        }
    }
}

extension Model.Relationship {
    var summary: String {
        let destination = "`\((destinationName ?? "").inComment)`"
        let inverse = inverseName.map { "inverse `\($0.inComment)`" } ?? "no inverse"
        let members =
            isToMany
            ? "\(count) \(destination) objects\(isOrdered ? ", in order" : "")"
            : "\(isOptional ? "An optional" : "A required")\(isTransient ? ", transient" : "") \(destination)"
        return "\(members) (\(inverse), delete rule \(rule))."
    }

    private var count: String {
        switch (minCount, maxCount) {
        case (...0, ...0): "Any number of"
        case (_, ...0): "At least \(minCount)"
        default: "\(max(minCount, 0)) to \(maxCount)"
        }
    }

    private var rule: String {
        switch deleteRule {
        case .noAction: "no action"
        case .nullify: "nullify"
        case .cascade: "cascade"
        case .deny: "deny"
        }
    }
}

extension Model.FetchedProperty {
    var summary: String {
        let objects = "The `\((fetchRequest?.entityName ?? "").inComment)` objects"
        guard let format = fetchRequest?.predicateFormat else { return objects + ", fetched when first read." }
        return objects + " that match `\(format.inComment)`, fetched when first read."
    }
}

extension Model.FetchRequest {
    var summary: String {
        guard let predicateFormat, !predicateFormat.isEmpty else {
            return "A new request of the template `\(name.inComment)`."
        }
        return "A new request of the template `\(name.inComment)`: `\(predicateFormat.inComment)`."
    }
}

extension Model.UserInfo? {
    /// The text under the key `documentation`, by which a model's author explains an entity or a property.
    var documentation: [String] {
        guard let text = self?["documentation"]?.string else { return [] }
        return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    }
}

extension String {
    /// The text on one line and without backticks, for a comment.
    fileprivate var inComment: String {
        split(whereSeparator: \.isNewline).joined(separator: " ").replacing("`", with: "'")
    }
}
