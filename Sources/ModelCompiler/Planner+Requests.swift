import DocumentDiagnostics
import ModelFormat
import SwiftSources

// The functions for a model's fetch request templates.

extension Planner {
    /// The functions for the templates of an entity, in the model's order.
    mutating func requests(for entity: Model.Entity) -> [RequestPlan] {
        var functions: Set<String> = []
        return (requestsByEntity[entity.name] ?? []).map { template in
            let name = "fetchRequestFor" + Self.identifier(template.name)
            // Names that differ in blanks alone are told apart by a number.
            var (function, number) = (name, 2)
            while !functions.insert(function).inserted {
                function = name + String(number)
                number += 1
            }
            return RequestPlan(
                function: function, template: template.name, parameters: parameters(of: template, for: entity),
                resultType: resultType(of: template, for: entity), summary: template.summary)
        }
    }

    /// `Rich and old` as the end of a function's name: `RichAndOld`.
    private static func identifier(_ name: String) -> String {
        let words = name.unicodeScalars.split { !$0.properties.isXIDContinue }
        return words.map { SwiftNames.capitalised(String($0)) }.joined()
    }

    private mutating func resultType(of template: Model.FetchRequest, for entity: Model.Entity) -> String {
        switch template.resultType ?? 0 {
        case 1: "NSManagedObjectID"
        case 2: "NSDictionary"
        case 4: "NSNumber"
        default: className(of: entity)
        }
    }

    private mutating func parameters(
        of template: Model.FetchRequest, for entity: Model.Entity
    ) -> [RequestPlan.Parameter] {
        let variables = TemplateVariables(template.predicateFormat ?? "")
        let names = variables.names.map(Self.parameterName)
        let areUnique = Set(names).count == names.count
        return zip(variables.names, names).map { variable, name in
            RequestPlan.Parameter(
                name: areUnique && SwiftNames.isIdentifier(name) ? name : variable, variable: variable,
                type: type(of: variables.uses[variable] ?? [], in: entity))
        }
    }

    /// `MIN_AGE` as Swift spells it: `minAge`.
    private static func parameterName(_ variable: String) -> String {
        let words = variable.split(separator: "_").map(String.init)
        guard let first = words.first else { return variable }
        let isShouted = variable == variable.uppercased()
        let head = isShouted ? first.lowercased() : first.prefix(1).lowercased() + first.dropFirst()
        return head + words.dropFirst().map { SwiftNames.capitalised(isShouted ? $0.lowercased() : $0) }.joined()
    }

    /// The type of values that are compared with key paths; `Any` where that is not the same everywhere, or not known.
    private mutating func type(of uses: [TemplateVariables.Use], in entity: Model.Entity) -> String {
        var types: Set<String> = []
        for use in uses {
            let type = use.keyPath.flatMap { self.type(ofKeyPath: $0, in: entity) } ?? "Any"
            types.insert(use.isCollection && type != "Any" ? "[\(type)]" : type)
        }
        return types.count == 1 ? types.first ?? "Any" : "Any"
    }

    private mutating func type(ofKeyPath path: String, in entity: Model.Entity) -> String? {
        var here = entity
        let keys = path.split(separator: ".").map(String.init)
        for (index, key) in keys.enumerated() {
            if key == "self" || key == "SELF" { continue }
            guard let position = inheritance.positions[here.name],
                let owner = inheritance.owner(of: key, in: position)
            else { return nil }
            let relationship: Model.Relationship
            switch owner.element {
            case .attribute(let place):
                let attribute = model.entities[owner.entity].attributes[place]
                return index == keys.count - 1 ? attribute.type.comparedType : nil
            case .relationship(let place): relationship = model.entities[owner.entity].relationships[place]
            case .fetchedProperty: return nil
            }
            guard let next = self.entity(named: relationship.destinationName ?? "") else { return nil }
            here = next
        }
        return className(of: here)
    }
}

extension Model.AttributeType {
    /// The type of the values that an attribute is compared with.
    fileprivate var comparedType: String? {
        switch self {
        case .integer16, .integer32, .integer64: "Int"
        case .double, .float: "Double"
        case .decimal: "NSDecimalNumber"
        case .string: "String"
        case .boolean: "Bool"
        case .date: "Date"
        case .binary: "Data"
        case .uuid: "UUID"
        case .uri: "URL"
        case .undefined, .transformable, .objectID, .composite: nil
        }
    }
}
