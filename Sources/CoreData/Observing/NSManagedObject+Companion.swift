extension NSManagedObject {
    /// An object beside this one that is told before each change, and goes when this one does.
    ///
    /// There is one of it: the first call makes it.
    package func changeCompanion<Companion: AnyObject>(
        _ make: () -> Companion, willChange: @escaping (Companion) -> Void
    ) -> Companion {
        if isObserved, let known = WatcherTable.shared.watchers(of: self).companion as? Companion { return known }
        let companion = make()
        watch(KeyWatcher(key: nil, will: { _ in willChange(companion) }, did: { _ in }))
        WatcherTable.shared.watchers(of: self).companion = companion
        return companion
    }
}
