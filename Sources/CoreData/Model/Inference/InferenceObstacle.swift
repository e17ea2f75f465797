import FoundationGaps

/// A change between two models that can't be made by itself, or not for all rows.
package struct InferenceObstacle: Hashable, Sendable {
    /// The entity, by its new name.
    package let entity: String
    /// The property, by its new name; nil where it is the entity itself.
    package let property: String?
    /// What is wrong, as words behind the property's name: "new, required, no default".
    package let reason: String
    /// The rows that stand against it; nil: any.
    package let rows: Rows?

    /// Rows of a store, by numbers of entities in their models.
    package enum Rows: Hashable, Sendable {
        /// Those of an entity of the new model, without its subentities, that lack a value.
        case lacking(entity: Int32, slot: Int)
        /// Those of an entity of the old model, without its subentities.
        case any(entity: Int32)
        /// Those of an entity of the old model, subentities included, whose relationship leads to a row of the target,
        /// without its subentities.
        case leading(entity: Int32, slot: Int, target: Int32)
        /// Those of an entity of the old model, subentities included, whose relationship leads where another row's
        /// leads, too.
        case sharing(entity: Int32, slot: Int)
        /// Pairs that only one of two relationships of the old model has, which are to be each other's inverse.
        case disagreeing(entity: Int32, slot: Int, inverseEntity: Int32, inverseSlot: Int)
        /// Those of an entity of the old model, without its subentities, with a number that another type can't hold.
        case unfit(entity: Int32, slot: Int, type: SlotKind)
    }

    package init(_ entity: String, _ property: String?, _ reason: String, rows: Rows? = nil) {
        (self.entity, self.property, self.reason, self.rows) = (entity, property, reason, rows)
    }

    /// Entity, property and reason: "Book.pages: new, required, no default".
    package var sentence: String {
        "\([entity, property].compactMap { $0 }.joined(separator: ".")): \(reason)"
    }

    /// The error of a migration that rows stand against.
    package func refusal(rows count: Int64) -> NSError {
        let told = InferenceObstacle(
            entity, property, reason + " (\(count) \(count == 1 ? "object stands" : "objects stand") against it)",
            rows: rows)
        return Self.error([told])
    }

    /// The sentences of some obstacles, each once.
    package static func sentences(_ obstacles: [InferenceObstacle]) -> [String] {
        var known: Set<String> = []
        return obstacles.map(\.sentence).filter { known.insert($0).inserted }
    }

    /// `NSInferredMappingModelError` (134190), with "reason", "entity" and "property" of the first obstacle in
    /// `userInfo`, as Apple's framework has it.
    ///
    /// - Precondition: There is an obstacle.
    package static func error(_ obstacles: [InferenceObstacle]) -> NSError {
        var info: [String: Any] = ["reason": obstacles[0].reason, "entity": obstacles[0].entity]
        info["property"] = obstacles[0].property
        return .cocoa(
            NSInferredMappingModelError, "No mapping from one version of the model to the other can be inferred.",
            reason: sentences(obstacles).joined(separator: "; ") + ".", userInfo: info)
    }
}
