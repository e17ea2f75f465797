import FoundationGaps

extension NSManagedObjectContext: FetchExpressionContext {
    package func resultOfFetchExpression(_ request: Any, countOnly: Bool) throws -> Any {
        guard let request = request as? AnyFetchRequest else {
            throw NSError.cocoa(
                NSPersistentStoreOperationError, "FETCH needs an NSFetchRequest, not a \(type(of: request)).")
        }
        if countOnly { return NSNumber(value: try count(for: request)) }
        return try fetch(NSFetchRequest<Any>(copying: request))
    }
}
