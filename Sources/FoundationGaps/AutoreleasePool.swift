#if !canImport(ObjectiveC)
    /// Runs a block, and returns what it returns.
    ///
    /// Without Objective-C there are no pools: objects go with their last reference. Code that is also for Apple's
    /// systems need not say where it runs.
    ///
    /// - Parameter body: The work. What it throws is thrown here.
    public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
#endif
