import ModelDocument
import ModelLint

/// An expression or a filter that a user is writing.
struct MappingTextRequest: Sendable, Decodable {
    enum Use: String, Sendable, Decodable { case expression, filter }

    var text: String
    var cursor: Int?
    var use: Use
    /// The entity mapping or the property mapping.
    var element: String
    /// The property that an entity mapping has no mapping for as yet.
    var property: String?
}

extension MappingSession {
    /// Whether a text can be read, what is wrong with it, and what could stand at its cursor.
    func check(_ request: MappingTextRequest) throws -> JSON {
        let place = try edited.place(of: request.element)
        guard let index = place.entity else {
            throw StudioError(.invalidRequest, "A mapping model has no expression of its own.")
        }
        let entity = edited.mapping.entityMappings[index]
        let (name, model) = (entity.sourceName ?? "", models.source?.model ?? Model())
        switch request.use {
        case .filter:
            let advice = FormatAdvice(request.text, for: .fetchRequest, entity: name, in: model)
            return JSON(
                advice,
                FormatCompletion(request.text, cursor: request.cursor, for: .fetchRequest, entity: name, in: model))
        case .expression:
            let completion = MappingCompletion(
                request.text, cursor: request.cursor, entity: name, in: model,
                mappings: edited.mapping.entityMappings.map(\.effectiveName))
            let found = try advice(on: request, entity)
            return JSON(found.failure, found.warnings, completion)
        }
    }

    /// What is wrong with an expression if the element had it.
    private func advice(
        on request: MappingTextRequest, _ entity: MappingModel.EntityMapping
    ) throws -> (failure: FormatAdvice.Failure?, warnings: [String]) {
        guard let text = MappingField.given(request.text) else { return (nil, []) }
        let reading = FormatAdvice(text, for: .spotlight, entity: "", in: Model())
        if let failure = reading.failure { return (failure, []) }
        var (trial, element) = (edited, request.element)
        if let property = request.property {
            let before = trial.identifiers
            try MappingAction.addPropertyMapping(owner: element, name: property, expression: text).apply(
                to: &trial, models)
            element = trial.identifiers.subtracting(before).first ?? element
        } else {
            try MappingAction.set(element: element, changes: ["expression": .text(text)]).apply(to: &trial, models)
        }
        let lint = MappingLint(trial.mapping, source: models.source?.model, destination: models.destination?.model)
        let own = lint.problems.filter { $0.element == element && $0.field == .expression }
        return (nil, own.map(\.message))
    }
}

extension JSON {
    fileprivate init(_ failure: FormatAdvice.Failure?, _ warnings: [String], _ completion: MappingCompletion) {
        self = [
            "isValid": .bool(failure == nil),
            "error": failure.map { ["message": .text($0.message), "column": .optional($0.column)] } ?? .null,
            "warnings": .array(warnings.map(JSON.text)),
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
