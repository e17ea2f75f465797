import CoreData
import Hummingbird
import Logging

/// Makes a problem document of every error, and of every response that says one.
struct ProblemMiddleware<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let problem as Problem {
            return problem.response
        } catch let error as any HTTPResponseError {
            // The router's: no such path. The body's: too large.
            let detail =
                error.status == .notFound
                ? "There is nothing at \(request.uri.path.prefix(100))." : "The request was refused."
            var response = Problem(status: error.status, detail: detail).response
            // What was not read of a body is not worth reading.
            if error.status == .contentTooLarge { response.headers[.connection] = "close" }
            return response
        } catch let error as NSError where error.isStoreFailure {
            context.logger.error("The store failed.", metadata: ["error": "\(error.localizedDescription)"])
            return Problem.storeFailure.response
        } catch is CancellationError {
            return Problem.storeFailure.response
        } catch {
            // Its words may tell what is no client's business.
            context.logger.error("A request failed.", metadata: ["error": "\(error)", "path": "\(request.uri.path)"])
            return Problem(status: .internalServerError, detail: "The service failed; its log says why.").response
        }
    }
}

extension Problem {
    fileprivate static let storeFailure = Problem(
        type: "busy", status: .serviceUnavailable, detail: "The store can't be reached at the moment.",
        headers: [.retryAfter: "1"])
}

extension NSError {
    /// Whether the store could not do what it was asked for; the next attempt may succeed.
    fileprivate var isStoreFailure: Bool {
        domain == NSCocoaErrorDomain
            && [
                NSPersistentStoreTimeoutError, NSPersistentStoreOperationError, NSPersistentStoreSaveError,
                NSPersistentStoreOpenError,
            ].contains(code)
    }
}
