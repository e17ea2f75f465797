import ModelFormat
import SwiftSources

// Code that users copy into their own programs.

extension SwiftEmitter {
    /// How a fetch request of the model is used.
    ///
    /// - Parameter className: The class with generated code that has a function for the request; `nil` where there is
    ///   none.
    static func snippet(_ request: Model.FetchRequest, _ plan: RequestPlan, of className: String?) -> String {
        var text = SwiftText()
        for parameter in plan.parameters {
            text.line("let \(SwiftNames.escaped(parameter.name)): \(parameter.type) = <#\(parameter.variable)#>")
        }
        if let className {
            let arguments = plan.parameters.map { "\($0.name): \(SwiftNames.escaped($0.name))" }
            text.line(
                "let request = \(SwiftNames.escaped(className)).\(plan.function)(\(arguments.joined(separator: ", ")))")
        } else {
            request.lines(plan).forEach { text.line($0) }
        }
        text.line("let results = try context.fetch(request)")
        return text.text
    }
}

extension Model.FetchRequest {
    /// A request made by hand.
    fileprivate func lines(_ plan: RequestPlan) -> [String] {
        let type = "NSFetchRequest<\(plan.resultType)>"
        var lines = ["let request = \(type)(entityName: \(SwiftNames.literal(entityName ?? "")))"]
        if let predicateFormat {
            var predicate = "NSPredicate(format: \(SwiftNames.literal(predicateFormat)))"
            if !plan.parameters.isEmpty {
                let values = plan.parameters.map {
                    "\(SwiftNames.literal($0.variable)): \(SwiftNames.escaped($0.name))"
                }
                predicate += ".withSubstitutionVariables([\(values.joined(separator: ", "))])"
            }
            lines.append("request.predicate = \(predicate)")
        }
        if let resultType, resultType != 0 {
            lines.append("request.resultType = NSFetchRequestResultType(rawValue: \(resultType))")
        }
        lines += settings.compactMap { name, value in value.map { "request.\(name) = \($0)" } }
        return lines
    }

    private var settings: [(String, String?)] {
        [
            ("fetchLimit", fetchLimit.map(String.init)), ("fetchBatchSize", fetchBatchSize.map(String.init)),
            ("includesSubentities", includesSubentities.map(String.init)),
            ("includesPropertyValues", includesPropertyValues.map(String.init)),
            ("includesPendingChanges", includesPendingChanges.map(String.init)),
            ("returnsObjectsAsFaults", returnsObjectsAsFaults.map(String.init)),
            ("returnsDistinctResults", returnsDistinctResults.map(String.init)),
        ]
    }
}
