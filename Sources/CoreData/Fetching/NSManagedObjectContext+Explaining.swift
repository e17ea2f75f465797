import FoundationGaps

extension NSManagedObjectContext {
    /// The statement that a request becomes, and the plan for it, for each store that it concerns.
    ///
    /// - Throws: A predicate or sort descriptor that the store can't answer; what the store reports.
    package func explain(_ request: AnyFetchRequest) throws -> [FetchExplanation] {
        let fetch = try ContextFetch(request, in: self)
        return try fetch.stores.compactMap { $0 as? any ExplainingStore }.map { try $0.explain(fetch.storeFetch) }
    }
}
