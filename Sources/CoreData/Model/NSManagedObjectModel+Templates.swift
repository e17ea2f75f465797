import FoundationGaps

extension NSManagedObjectModel {
    /// See ``fetchRequestFromTemplate(withName:substitutionVariables:)``.
    func request(fromTemplate name: String, _ variables: [String: Any]) -> NSFetchRequest<any NSFetchRequestResult>? {
        guard let template = fetchRequestTemplate(forName: name) else { return nil }
        let request = NSFetchRequest<any NSFetchRequestResult>(copying: template)
        guard let predicate = template.predicate else { return request }
        if let missing = ModelFormats.variables(of: predicate).first(where: { variables[$0] == nil }) {
            programmerError(
                "The fetch request template \"\(name)\" needs a value for the variable $\(missing); give it in substitutionVariables."
            )
        }
        request.predicate = predicate.withSubstitutionVariables(variables)
        return request
    }
}
