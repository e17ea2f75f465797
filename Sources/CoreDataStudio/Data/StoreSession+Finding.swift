import CoreData
import Foundation
import ModelLint
import StoreBrowsing

/// A predicate that a user writes to filter an entity's objects.
struct FilterRequest: Sendable, Decodable {
    var entity: String
    var text: String
    var cursor: Int?
}

extension StoreSession {
    /// Whether a filter can be read, and what could stand at its cursor.
    nonisolated func checkFilter(_ request: FilterRequest) -> JSON {
        let advice = FormatAdvice(request.text, for: .fetchRequest, entity: request.entity, in: model)
        let completion = FormatCompletion(
            request.text, cursor: request.cursor, for: .fetchRequest, entity: request.entity, in: model)
        return JSON(advice, completion)
    }

    /// What the store is asked for a query: the statement, its values and the plan.
    func explain(_ query: RowQuery) async throws -> JSON {
        let query = try await current(query)
        let statements = try await screen.read { session -> [JSON] in
            let request = try RowFinder(query, session).request()
            request.fetchLimit = 100
            return try session.context.explain(request).map { explanation in
                [
                    "text": .text(explanation.text),
                    "parameters": .array(
                        explanation.bindings.enumerated().map {
                            .text("\(explanation.parameterMark)\($0 + 1) = \($1.literal)")
                        }),
                    "plan": .array(explanation.plan.map(JSON.text)),
                    "advice": .array(explanation.sentences.map(JSON.text)),
                    "indexes": .array(explanation.indexes.map(\.json)),
                ]
            }
        }
        return ["statements": .array(statements)]
    }
}

extension ProposedFetchIndex {
    fileprivate var json: JSON {
        [
            "entity": .text(entity),
            "elements": .array(
                elements.map { ["property": .text($0.property), "isAscending": .bool($0.isAscending)] }),
        ]
    }
}

extension SQLValue {
    /// A parameter as SQL would write it, cut where it is long.
    fileprivate var literal: String {
        switch self {
        case .null: "NULL"
        case .int(let value): String(value)
        case .double(let value): "\(value)"
        case .text(let value): "'" + value.prefix(200).replacing("'", with: "''") + "'"
        case .blob(let value): "x'" + value.prefix(40).hexadecimal + (value.count > 40 ? "…'" : "'")
        }
    }
}
