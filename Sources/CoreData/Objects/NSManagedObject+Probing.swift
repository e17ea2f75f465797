import FoundationGaps

/// How accessors answer on a probe; see ``KeyPathProbe``. Ordinary objects come here only where a value is nil.
extension NSManagedObject {
    @inline(__always)
    var isProbe: Bool { state.contains(.probing) }

    /// On a probe, a sample of the type; nil otherwise.
    @inline(__always)
    func sample<Value>(_ key: ManagedKey) -> Value? { isProbe ? noteSample(key.name.description) : nil }

    /// On a probe, another one that stands for the destination; nil otherwise.
    func sampleDestination<Object: NSManagedObject>(_ key: ManagedKey) -> Object? {
        guard isProbe else { return nil }
        let destination = KeyPathProbe.shared.makeProbe(of: Object.self)
        recordAnswer(key.name.description, .value(destination))
        return destination as? Object
    }

    /// What a probe answers to key-value coding, by what the models in use say of its class.
    ///
    /// - Returns: Nil for a key that they don't know, and for values of a type that they don't know.
    func sample(forKey key: String) -> Any? {
        guard let slot = EntityLookup.shared.slot(named: key, of: type(of: self)) else {
            recordAnswer(key, .nothing(Never.self))
            return nil
        }
        let sample: Any? =
            switch slot.kind {
            case .toOne: probeOfDestination(slot)
            case .toMany: NSSet(array: [probeOfDestination(slot)])
            case .orderedToMany: NSOrderedSet(array: [probeOfDestination(slot)])
            default: samples.value(of: slot.kind)
            }
        recordAnswer(key, sample.map { .value($0) } ?? .nothing(Never.self))
        return sample
    }

    /// The members that a probe answers with.
    ///
    /// - Parameter none: The answer where no model in use knows of which class they are.
    func sampleMembers<Members: NSObject>(_ key: ManagedKey, none: Members) -> Members? {
        let name = key.name.description
        if EntityLookup.shared.slot(named: name, of: type(of: self)) != nil { return sample(forKey: name) as? Members }
        recordAnswer(name, .value(none))
        return none
    }

    /// What a fetched property of a probe finds.
    func sampleFetched<Object: NSManagedObject>(_ key: ManagedKey) -> [Object]? {
        let found = [KeyPathProbe.shared.makeProbe(of: Object.self)]
        recordAnswer(key.name.description, .value(found))
        return found as? [Object]
    }

    private func recordAnswer(_ key: String, _ answer: ProbeTrace.Answer) {
        ProbeTrace.current?.record(self, key, answer)
    }

    @inline(never)
    private func noteSample<Value>(_ key: String) -> Value? {
        let sample = samples.value(of: Value.self)
        recordAnswer(key, sample.map { .value($0) } ?? .nothing(Value?.self))
        return sample
    }

    private var samples: ProbeSamples { ProbeTrace.current?.samples ?? .first }
}

private func probeOfDestination(_ slot: PropertySlot) -> NSManagedObject {
    let destination = slot.relationship?.destinationEntity?.layout?.managedClass
    return KeyPathProbe.shared.makeProbe(of: destination ?? NSManagedObject.self)
}

extension EntityLookup {
    /// What the models in use say of a property of a class, or of a class derived from it.
    fileprivate func slot(named name: String, of type: NSManagedObject.Type) -> PropertySlot? {
        reading { models in
            let all = models.flatMap(\.layouts)
            let exact = all.first { $0.managedClass == type }
            return exact?.slot(named: name)
                ?? all.filter { isClass($0.managedClass, below: type) }.compactMap { $0.slot(named: name) }.first
        }
    }

    private func isClass(_ type: AnyClass, below other: AnyClass) -> Bool {
        sequence(first: type) { _getSuperclass($0) }.contains { $0 == other }
    }
}
