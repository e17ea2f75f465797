/// An element with settings that can be listed and compared.
package protocol ComparedElement: Identifiable<String> {
    /// What is said of the element, by the names that documents use; what only compiled models can say, too.
    var comparedSettings: [(name: String, text: String)] { get }
}

extension ElementValue {
    /// What the attributes of the element say.
    fileprivate var attributeTexts: [(name: String, text: String)] {
        Self.attributeCodings.compactMap { coding in coding.write(self).map { (coding.name, $0) } }
            + foreign.attributes.map { ($0.name, $0.value) }
    }
}

extension Model {
    /// What is said of the model itself.
    package var comparedSettings: [(name: String, text: String)] { root.comparedSettings }
}

extension Model.Root {
    /// What tells versions and settings apart; by which program and when the document was saved is none of that.
    fileprivate var comparedSettings: [(name: String, text: String)] {
        let tools = ["type", "documentVersion", "lastSavedToolsVersion", "systemVersion"]
        return attributeTexts.filter { !tools.contains($0.name) && !$0.text.isEmpty }
    }
}

extension Model.Entity: ComparedElement {
    package var comparedSettings: [(name: String, text: String)] { attributeTexts + userInfo.texts }
}

extension Model.Attribute: ComparedElement {
    package var comparedSettings: [(name: String, text: String)] {
        var texts = attributeTexts + userInfo.texts + validationRules.texts
        if isReadOnly { texts.append(("readOnly", "YES")) }
        if let defaultValueData { texts.append(("defaultValue", "\(defaultValueData.count) bytes")) }
        if let derivationFilterPredicate { texts.append(("derivationFilter", derivationFilterPredicate)) }
        return texts
    }
}

extension Model.Relationship: ComparedElement {
    package var comparedSettings: [(name: String, text: String)] {
        attributeTexts + userInfo.texts + validationRules.texts + (isReadOnly ? [("readOnly", "YES")] : [])
    }
}

extension Model.FetchedProperty: ComparedElement {
    package var comparedSettings: [(name: String, text: String)] {
        attributeTexts + userInfo.texts + validationRules.texts
            + (fetchRequest?.comparedSettings ?? []).map { ("fetchRequest.\($0.name)", $0.text) }
    }
}

extension Model.FetchRequest: ComparedElement {
    package var comparedSettings: [(name: String, text: String)] {
        var texts = attributeTexts
        if let fetchOffset { texts.append(("fetchOffset", String(fetchOffset))) }
        if !sortKeys.isEmpty {
            let keys = sortKeys.map {
                "\($0.key) \($0.isAscending ? "ascending" : "descending")\($0.selectorName.map { " \($0)" } ?? "")"
            }
            texts.append(("sortKeys", keys.joined(separator: ", ")))
        }
        if !propertiesToFetch.isEmpty { texts.append(("propertiesToFetch", propertiesToFetch.joined(separator: ", "))) }
        if !relationshipKeyPathsForPrefetching.isEmpty {
            texts.append(("prefetching", relationshipKeyPathsForPrefetching.joined(separator: ", ")))
        }
        return texts
    }
}

extension Model.FetchIndex: ComparedElement {
    package var comparedSettings: [(name: String, text: String)] {
        let elements = elements.map { element in
            let words = [
                element.propertyName ?? element.expression ?? "", element.isAscending ? "ascending" : "descending",
                element.collation == .rTree ? "RTree" : "", element.expressionType?.documentName ?? "",
            ]
            return words.filter { !$0.isEmpty }.joined(separator: " ")
        }
        return attributeTexts + [("elements", elements.joined(separator: ", "))]
            + (partialIndexPredicate.map { [("condition", $0)] } ?? [])
    }
}

extension Model.Configuration: ComparedElement {
    package var comparedSettings: [(name: String, text: String)] {
        attributeTexts + [("entities", entityNames.sorted().joined(separator: ", "))]
    }
}

extension Model.UserInfo? {
    fileprivate var texts: [(name: String, text: String)] {
        (self?.entries ?? []).map { ("userInfo.\($0.key)", $0.value.string ?? "\($0.value)") }
    }
}

extension [Model.ValidationRule] {
    fileprivate var texts: [(name: String, text: String)] {
        isEmpty ? [] : [("validation", map(\.predicateFormat).joined(separator: ", "))]
    }
}
