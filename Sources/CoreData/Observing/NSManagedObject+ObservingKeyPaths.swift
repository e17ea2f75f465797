import FoundationGaps

/// Gives managed objects methods with Swift key paths of their very class. Only managed objects conform.
public protocol _KeyValueCodingAndObserving: NSObject {}

extension NSManagedObject: _KeyValueCodingAndObserving {}

extension _KeyValueCodingAndObserving where Self: NSManagedObject {
    /// Calls a closure when the value at a Swift key path changes.
    ///
    /// ```swift
    /// observation = player.observe(\.team?.name, options: [.new]) { player, change in
    ///     print(player, change.newValue)
    /// }
    /// ```
    ///
    /// The key path may go across to-one relationships. Its keys are found by probing: a property that computes
    /// something can be observed if the class says what it computes it from, by
    /// `keyPathsForValuesAffectingValue(forKey:)` or `NSKeyValueObservingCustomization`, and traps otherwise.
    ///
    /// - Parameters:
    ///   - keyPath: What to observe.
    ///   - options: What to tell of each change.
    ///   - changeHandler: Called on the queue of the object's context.
    /// - Returns: The observation, which ends when it goes away.
    @preconcurrency
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping @Sendable (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        let handler: (ObservedChange<Value>) -> Void = { change in
            guard let object = change.object as? Self else { return }
            changeHandler(object, change.public)
        }
        let read: (NSManagedObject) -> Value = { unsafeDowncast($0, to: Self.self)[keyPath: keyPath] }
        let observation = observation(of: keyPath, options, read, handler)
        return NSKeyValueObservation { observation.forEach { $0.end() } }
    }

    /// Says that the property at a Swift key path is about to change.
    ///
    /// ```swift
    /// player.willChangeValue(for: \.name)
    /// player.setPrimitiveValue("Larry Bird", forKey: "name")
    /// player.didChangeValue(for: \.name)
    /// ```
    ///
    /// It calls ``NSManagedObject/willChangeValue(forKey:)`` with the property's name. Traps for a key path whose name
    /// can't be found, such as one through a computed property.
    public func willChangeValue<Value>(for keyPath: KeyPath<Self, Value>) { willChangeValue(forKey: key(of: keyPath)) }

    /// Says that the property at a Swift key path has changed; see ``NSManagedObject/didChangeValue(forKey:)``.
    public func didChangeValue<Value>(for keyPath: KeyPath<Self, Value>) { didChangeValue(forKey: key(of: keyPath)) }

    /// Says that members of an unordered relationship are about to change.
    ///
    /// See `willChangeValue(forKey:withSetMutation:using:)` of ``NSManagedObject``.
    public func willChangeValue<Value>(
        for keyPath: KeyPath<Self, Value>, withSetMutation mutation: NSKeyValueSetMutationKind, using set: Set<Value>
    ) {
        willChangeValue(forKey: key(of: keyPath), withSetMutation: mutation, using: set)
    }

    /// Says that members of an unordered relationship have changed. The relationship has the change from now on.
    ///
    /// See `didChangeValue(forKey:withSetMutation:using:)` of ``NSManagedObject``.
    public func didChangeValue<Value>(
        for keyPath: KeyPath<Self, Value>, withSetMutation mutation: NSKeyValueSetMutationKind, using set: Set<Value>
    ) {
        didChangeValue(forKey: key(of: keyPath), withSetMutation: mutation, using: set)
    }

    /// Says that members of an ordered relationship are about to change; see
    /// ``NSManagedObject/willChange(_:valuesAt:forKey:)``.
    public func willChange<Value>(
        _ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, for keyPath: KeyPath<Self, Value>
    ) {
        willChange(changeKind, valuesAt: indexes, forKey: key(of: keyPath))
    }

    /// Says that members of an ordered relationship have changed; see
    /// ``NSManagedObject/didChange(_:valuesAt:forKey:)``.
    public func didChange<Value>(
        _ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, for keyPath: KeyPath<Self, Value>
    ) {
        didChange(changeKind, valuesAt: indexes, forKey: key(of: keyPath))
    }

    private func observation<Value>(
        of keyPath: KeyPath<Self, Value>, _ options: NSKeyValueObservingOptions,
        _ read: @escaping (NSManagedObject) -> Value, _ handler: @escaping (ObservedChange<Value>) -> Void
    ) -> [KeyPathObservation] {
        let custom = type(of: self) as? any NSKeyValueObservingCustomization.Type
        let affecting = custom?.keyPathsAffectingValue(for: keyPath) ?? []
        if affecting.isEmpty || KeyPathNames.name(of: keyPath) != nil {
            let takesAutomatic = custom?.automaticallyNotifiesObservers(for: keyPath) ?? true
            return [observe(key(of: keyPath), options, takesAutomatic: takesAutomatic, read: read, handler)]
        }
        return affecting.map { KeyPathNames.requiredName(of: $0) }.sorted().map {
            observe($0, options, read: read, handler)
        }
    }

    private func key<Value>(of keyPath: KeyPath<Self, Value>) -> String { KeyPathNames.requiredName(of: keyPath) }
}

extension ObservedChange {
    /// The change as the observer's closure gets it.
    fileprivate var `public`: NSKeyValueObservedChange<Value> {
        NSKeyValueObservedChange(
            kind: mutation.kind, newValue: member(new, .insertion), oldValue: member(old, .removal),
            indexes: mutation.indexes, isPrior: isPrior)
    }

    /// The members alone, where only some come or go.
    private func member(_ value: Value?, _ kind: NSKeyValueChange) -> Value? {
        guard value != nil, [.insertion, .removal].contains(mutation.kind) else { return value }
        return mutation.kind == kind ? mutation.members as? Value : nil
    }
}
