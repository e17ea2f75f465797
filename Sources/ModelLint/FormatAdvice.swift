import FoundationGaps
import ModelArchive
import ModelDocument

/// What is wrong with one predicate or expression, while a user writes it.
package struct FormatAdvice: Sendable, Hashable {
    /// What a text is for.
    package enum Use: String, Sendable, Hashable, Codable {
        case fetchRequest, fetchedProperty, derivation, index, spotlight

        var isPredicate: Bool { self == .fetchRequest || self == .fetchedProperty }
    }

    /// Why the text can't be read.
    package struct Failure: Sendable, Hashable {
        package var message: String
        /// The place, counted in characters from 1.
        package var column: Int?
    }

    package var failure: Failure?
    /// What can be read, but will not work as it stands.
    package var warnings: [String] = []

    /// Looks at a text.
    ///
    /// - Parameters:
    ///   - text: The predicate or expression; an empty one is none, and right.
    ///   - use: What it is for.
    ///   - entity: The entity with the keys that it names.
    ///   - source: The entity that has the fetched property.
    ///   - model: The model that the entities are in.
    package init(_ text: String, for use: Use, entity: String, source: String? = nil, in model: Model) {
        guard text.contains(where: { !$0.isWhitespace }) else { return }
        let keys = ModelKeys(model)
        var walk = KeyPathWalk(entity: entity, keys: keys)
        if let source { walk.variables = ["FETCH_SOURCE": source] }
        do {
            if use.isPredicate {
                walk.visit(try NSPredicate.parse(text))
            } else {
                let expression = try use == .derivation ? DerivationFormat.expression(text) : NSExpression.parse(text)
                if use == .derivation {
                    let refusal = DerivationRules(keys: keys, entity: entity).refusal(of: expression)
                    if let refusal { warnings.append("Nothing can be derived from this: \(refusal).") }
                    return
                }
                walk.visit(expression)
            }
        } catch let error as PredicateFormatError {
            failure = Failure(message: error.message, column: error.column)
        } catch {
            failure = Failure(message: "\(error)", column: nil)
        }
        guard keys.entity(entity) != nil else { return }
        warnings += walk.unknownKeys.map { "\($0.entity) has no property \($0.key)." }
        warnings += walk.transientPaths.map { "\($0) is transient: a store has no column for it." }
    }
}
