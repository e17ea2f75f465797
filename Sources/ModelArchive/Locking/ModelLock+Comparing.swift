/// A way in which a model is no longer what was locked.
package struct LockFinding: Sendable, Hashable {
    /// The locked version.
    package var version: String
    /// The entity; nil where the whole version is concerned.
    package var entity: String?
    /// The property, if the change is one property's.
    package var property: String?
    /// What is the matter, as a sentence.
    package var message: String
}

extension ModelLock {
    /// What changed in the locked versions, by version, entity and property.
    ///
    /// - Parameter current: The versions as they are now; those that are not locked don't matter.
    package func findings(comparedWith current: [String: Version]) -> [LockFinding] {
        versions.sorted { precedes($0.key, $1.key) }.flatMap { name, locked -> [LockFinding] in
            guard let version = current[name] else {
                return [
                    LockFinding(
                        version: name, message: "The locked version is gone. Stores that it made no longer open.")
                ]
            }
            return findings(in: name, locked, version)
        }
    }

    private func findings(in name: String, _ locked: Version, _ current: Version) -> [LockFinding] {
        Set(locked.entities.keys).union(current.entities.keys).sorted(by: precedes).flatMap { entity -> [LockFinding] in
            switch (locked.entities[entity], current.entities[entity]) {
            case (let before?, let now?) where before.hash != now.hash:
                return changes(before, now, locked, current).map { property, message in
                    LockFinding(version: name, entity: entity, property: property, message: message)
                }
            case (_?, nil):
                return [LockFinding(version: name, entity: entity, message: "The entity was removed or renamed.")]
            case (nil, _?): return [LockFinding(version: name, entity: entity, message: "The entity was added.")]
            default: return []
            }
        }
    }

    private typealias Change = (property: String?, message: String)

    /// What makes the difference between two hashes of an entity, as far as it can be told.
    private func changes(_ before: Entity, _ now: Entity, _ locked: Version, _ current: Version) -> [Change] {
        let own = propertyChanges(before.facts, now.facts) + factChanges(before.facts, now.facts)
        if !own.isEmpty { return own }
        if let parent = before.parent, locked.entities[parent]?.hash != current.entities[parent]?.hash {
            return [(nil, "The entity inherits from \(parent), which changed.")]
        }
        return [(nil, "The entity's version hash changed; what changed it can't be told.")]
    }

    private func propertyChanges(_ before: [Fact], _ now: [Fact]) -> [Change] {
        let (before, now) = (Self.properties(before), Self.properties(now))
        return Set(before.keys).union(now.keys).sorted(by: precedes).compactMap { name in
            switch (before[name], now[name]) {
            case (let old?, let new?):
                old == new ? nil : (name, "It was \(old.summary), and is now \(new.summary).")
            case (let old?, nil): (name, "It was \(old.summary), and is gone, renamed or transient.")
            case (nil, let new?): (name, "It is \(new.summary), and was not there or transient.")
            case (nil, nil): nil
            }
        }
    }

    private static func properties(_ facts: [Fact]) -> [String: Fact] {
        Dictionary(facts.compactMap { fact in fact.property.map { ($0, fact) } }) { first, _ in first }
    }

    private func factChanges(_ before: [Fact], _ now: [Fact]) -> [Change] {
        let (before, now) = (before.filter { $0.property == nil }, now.filter { $0.property == nil })
        return before.filter { !now.contains($0) }.map { (nil, "It no longer is \($0.summary).") }
            + now.filter { !before.contains($0) }.map { (nil, "It is now \($0.summary).") }
    }
}

extension ModelLock.Entity {
    fileprivate var parent: String? { facts.first { $0.kind == .parent }?.detail }
}

extension ModelLock.Fact {
    /// The fact as the end of a sentence.
    fileprivate var summary: String {
        switch kind {
        case .parent: "a subentity of \(detail)"
        case .abstract: "abstract"
        case .modifier: "with the version hash modifier \(detail)"
        case .unique: "unique by \(detail)"
        case .attribute: "an attribute (\(detail))"
        case .relationship: "a relationship (\(detail))"
        }
    }
}
