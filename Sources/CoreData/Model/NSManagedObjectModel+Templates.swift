import FoundationGaps

extension NSManagedObjectModel {
    /// A copy of a template with its variables replaced by values.
    ///
    /// ```swift
    /// // "GreenTeams": uniformColor == $COLOR
    /// let request = model.fetchRequestFromTemplate(withName: "GreenTeams", substitutionVariables: ["COLOR": "Green"])
    /// ```
    ///
    /// - Parameters:
    ///   - name: The template's name.
    ///   - variables: A value for each variable, by its name without `$`; `NSNull` stands for nil. Traps, naming the
    ///     variable, if one is missing.
    /// - Returns: nil if there is no such template.
    public func fetchRequestFromTemplate(
        withName name: String, substitutionVariables variables: [String: Any]
    ) -> NSFetchRequest<any NSFetchRequestResult>? {
        guard let template = fetchRequestTemplate(forName: name) else { return nil }
        let request = NSFetchRequest<any NSFetchRequestResult>(copying: template)
        guard let predicate = template.predicate else { return request }
        if let missing = ModelFormats.variables(of: predicate).first(where: { variables[$0] == nil }) {
            fatalError(
                "The fetch request template \"\(name)\" needs a value for the variable $\(missing); give it in substitutionVariables."
            )
        }
        request.predicate = predicate.withSubstitutionVariables(variables)
        return request
    }
}
