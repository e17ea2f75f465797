extension NSManagedObject {
    /// A new request of one of the model's templates, for the functions that are generated for them.
    ///
    /// The model is the one that ``entity()`` of the class is in. Traps where it has no such template, as when it is
    /// another version than the class was generated from.
    ///
    /// - Parameters:
    ///   - template: The template's name.
    ///   - variables: A value for each variable of its predicate, by its name without `$`.
    public class func managedFetchRequest<Result>(
        _ template: String, _ variables: [String: Any]
    ) -> NSFetchRequest<Result> {
        let model = entity().managedObjectModel
        guard let request = model.fetchRequestFromTemplate(withName: template, substitutionVariables: variables) else {
            programmerError(
                "The model has no fetch request template \"\(template)\": open the version that \(self) was generated from."
            )
        }
        return NSFetchRequest<Result>(copying: request)
    }
}
