import ModelDocument
import ModelLint

/// A predicate or an expression that a user is writing.
struct PredicateRequest: Sendable, Decodable {
    var text: String
    var cursor: Int?
    var use: FormatAdvice.Use
    /// The entity with the keys that the text names.
    var entity: ElementID
    /// The entity that has the fetched property.
    var source: ElementID?
}

extension StudioSession {
    /// Whether a text can be read, and what could stand at its cursor.
    func checkPredicate(_ request: PredicateRequest) throws -> JSON {
        let location = try document.location(of: request.entity, .entity)
        let model = document.model(location)
        let entity = model.entities[location.place.index].name
        let source = try request.source.map {
            let location = try document.location(of: $0, .entity)
            return document.model(location).entities[location.place.index].name
        }
        let advice = FormatAdvice(request.text, for: request.use, entity: entity, source: source, in: model)
        let completion = FormatCompletion(
            request.text, cursor: request.cursor, for: request.use, entity: entity, source: source, in: model)
        return JSON(advice, completion)
    }
}

extension JSON {
    /// What is wrong with a text, and what could stand at its cursor.
    init(_ advice: FormatAdvice, _ completion: FormatCompletion) {
        self = [
            "isValid": .bool(advice.failure == nil), "error": advice.failure?.json ?? .null,
            "warnings": .array(advice.warnings.map(JSON.text)),
            "completions": .array(
                completion.candidates.map {
                    ["text": .text($0.text), "kind": .text($0.kind.rawValue), "detail": .text($0.detail)]
                }),
            "replaces": [
                "from": .integer(completion.replaced.lowerBound), "to": .integer(completion.replaced.upperBound),
            ],
        ]
    }
}

extension FormatAdvice.Failure {
    fileprivate var json: JSON { ["message": .text(message), "column": .optional(column)] }
}
