import FoundationGaps
import ModelArchive
import ModelDocument

extension CompiledMapping {
    /// Why a tool without the app's classes can't evaluate an expression: it would end there. Nil where it can.
    ///
    /// Mappings with a policy are left out: they need the app anyhow.
    ///
    /// - Parameters:
    ///   - source: The model that is mapped from.
    ///   - destination: The model that is mapped to.
    package func obstacle(from source: Model, to destination: Model) -> String? {
        let plain = entityMappings.filter { $0.migrationPolicyClassName == nil }
        return plain.lazy.compactMap { $0.obstacle(from: source, to: destination) }.first
    }
}

extension CompiledMapping.EntityMapping {
    fileprivate func obstacle(from source: Model, to destination: Model) -> String? {
        let safety = ExpressionSafety(
            source: sourceEntityName.map { .init(entity: $0, model: source) },
            destination: destinationEntityName.map { .init(entity: $0, model: destination) })
        let texts = (attributeMappings + relationshipMappings).compactMap(\.valueExpression)
        return texts.lazy.compactMap { text -> String? in
            guard let expression = try? NSExpression.parse(text) else { return nil }
            return safety.doubt(in: expression).map {
                "The models say nothing of \($0), which the expression \(text) in \(name) reads. Only the app can try it."
            }
        }.first
    }
}
