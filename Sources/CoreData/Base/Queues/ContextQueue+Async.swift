extension ContextQueue {
    /// Runs a block on the queue, and returns what it returns.
    func run<T>(_ block: @escaping @Sendable () throws -> T) async rethrows -> T {
        try await run(block, rescue: { throw $0 })
    }

    private func run<T>(
        _ block: @escaping @Sendable () throws -> T, rescue: (any Error) throws -> T
    ) async rethrows -> T {
        let outcome = await withCheckedContinuation { continuation in
            async { continuation.resume(returning: UncheckedTransfer(Result { try block() })) }
        }
        switch outcome.value {
        case .success(let value): return value
        case .failure(let error): return try rescue(error)
        }
    }
}
