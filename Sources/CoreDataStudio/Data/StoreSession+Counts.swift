import CoreData

/// How many objects an entity has.
struct EntityCount: Sendable, Hashable {
    /// Those that are of no subentity.
    var own: Int
    /// Those of subentities, too.
    var all: Int
}

extension StoreSession {
    /// How many objects each entity has. They are counted again only when the store was changed.
    func entityCounts() async throws -> [String: EntityCount] {
        if let counts { return counts }
        let age = age
        let found = try await background.read { session in
            var own: [String: Int] = [:]
            for entity in session.model.entities where !entity.isAbstract {
                guard let name = entity.name else { continue }
                own[name] = try session.count(of: name)
            }
            return Dictionary(
                uniqueKeysWithValues: session.model.entities.compactMap { entity in
                    entity.name.map { ($0, EntityCount(own: own[$0] ?? 0, all: Self.sum(entity, own))) }
                })
        }
        if age == self.age { counts = found }
        return found
    }

    private static func sum(_ entity: NSEntityDescription, _ own: [String: Int]) -> Int {
        entity.subentities.reduce(own[entity.name ?? ""] ?? 0) { $0 + sum($1, own) }
    }

    func countsJSON() async throws -> JSON {
        let counts = try await entityCounts().mapValues { ["own": .integer($0.own), "all": .integer($0.all)] as JSON }
        return ["counts": .object(counts), "problem": .optional(following.problem)]
    }
}
