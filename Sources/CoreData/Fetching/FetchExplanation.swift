import FoundationGaps

/// What a store makes of a fetch, for people who want to know.
package struct FetchExplanation {
    /// The statement.
    package let text: String
    /// The values of its parameters, in their order.
    package let bindings: [SQLValue]
    /// The database's plan, a line per step.
    package let plan: [String]
}

extension NSManagedObjectContext {
    /// The statement that a request becomes, and the plan for it, for each store that it concerns.
    ///
    /// - Throws: A predicate or sort descriptor that the store can't answer; what the store reports.
    package func explain(_ request: AnyFetchRequest) throws -> [FetchExplanation] {
        let fetch = try ContextFetch(request, in: self)
        return try fetch.stores.compactMap { $0 as? SQLiteStore }.map { store in
            let (text, bindings, plan) = try store.explain(fetch.storeFetch)
            return FetchExplanation(text: text, bindings: bindings, plan: plan)
        }
    }
}
