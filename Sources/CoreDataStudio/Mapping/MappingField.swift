import ModelDocument

/// The fields of elements that `set` takes.
enum MappingField: String, CaseIterable {
    case sourceModel, destinationModel
    case name, source, destination, type, policy, filter, generates
    case expression, sourceMapping, sourceKeyPath

    /// The field's name in menus.
    static func title(of name: String?) -> String {
        switch name.flatMap(MappingField.init) {
        case .sourceModel: "Source Model"
        case .destinationModel: "Destination Model"
        case .name: "Name"
        case .source: "Source"
        case .destination: "Destination"
        case .type: "Type"
        case .policy: "Migration Policy"
        case .filter: "Filter"
        case .generates: "Generated Expression"
        case .expression: "Expression"
        case .sourceMapping: "Mapping of Destinations"
        case .sourceKeyPath: "Key Path"
        case nil: "Mapping"
        }
    }

    /// A text without what surrounds it; nil for one that is empty.
    static func given(_ text: String?) -> String? {
        guard let text = text?.trimmingCharacters(in: .whitespacesAndNewlines), !text.isEmpty else { return nil }
        return text
    }

    /// Sets fields of an element.
    ///
    /// - Throws: `invalidRequest` for fields that the element does not have, `invalidEdit` for values that can't be.
    static func set(_ changes: [String: JSON], at place: EditedMapping.Place, in mapping: inout MappingModel) throws {
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
            guard let field = MappingField(rawValue: name) else { throw unknown(name) }
            switch place {
            case .root: try field.setRoot(value, &mapping)
            case .entity(let index):
                let all = mapping
                try field.setEntity(value, &mapping.entityMappings[index], all)
            case .attribute, .relationship:
                guard var property = mapping[place] else { throw unknown(name) }
                try field.setProperty(value, &property)
                mapping[place] = property
            }
        }
    }

    private static func unknown(_ name: String) -> StudioError {
        StudioError(.invalidRequest, "The element has no field ‘\(name.prefix(80))’.")
    }

    private func text(_ value: JSON) throws -> String? {
        switch value {
        case .null: return nil
        case .text(let text): return Self.given(text)
        default: throw StudioError(.invalidRequest, "‘\(rawValue)’ takes a text or null.")
        }
    }

    private func flag(_ value: JSON) throws -> Bool {
        guard case .bool(let flag) = value else {
            throw StudioError(.invalidRequest, "‘\(rawValue)’ takes true or false.")
        }
        return flag
    }

    private func setRoot(_ value: JSON, _ mapping: inout MappingModel) throws {
        switch self {
        case .sourceModel: mapping.sourceModelPath = try MappingModels.checkedPath(try text(value))
        case .destinationModel: mapping.destinationModelPath = try MappingModels.checkedPath(try text(value))
        default: throw Self.unknown(rawValue)
        }
    }

    private func setEntity(
        _ value: JSON, _ entity: inout MappingModel.EntityMapping, _ mapping: MappingModel
    ) throws {
        switch self {
        case .name: entity.name = try text(value)
        case .source: entity.sourceName = try text(value)
        case .destination: entity.destinationName = try text(value)
        case .type: entity.typeName = try type(try text(value))
        case .policy: entity.migrationPolicyClassName = try text(value)
        case .filter: entity.sourceFilterPredicate = try text(value)
        case .generates: entity.generatesExpressions = try flag(value)
        default: throw Self.unknown(rawValue)
        }
        guard entity.sourceName != nil || entity.destinationName != nil else {
            throw StudioError(.invalidEdit, "An entity mapping needs a source or a destination.")
        }
        let others = mapping.entityMappings.filter { $0.objectID != entity.objectID }
        guard self != .name || !others.contains(where: { $0.effectiveName == entity.effectiveName }) else {
            throw StudioError(.invalidEdit, "There is an entity mapping “\(entity.effectiveName)” already.")
        }
    }

    static let types = ["Undefined", "Custom", "Add", "Remove", "Copy", "Transform"]

    private func type(_ text: String?) throws -> String {
        let text = text ?? "Undefined"
        guard Self.types.contains(text) else {
            throw StudioError(.invalidEdit, "There is no type of mappings “\(text.prefix(80))”.")
        }
        return text
    }

    private func setProperty(_ value: JSON, _ property: inout MappingModel.PropertyMapping) throws {
        switch self {
        case .name:
            guard let name = try text(value) else {
                throw StudioError(.invalidEdit, "A property mapping needs the name of a property.")
            }
            property.name = name
        case .expression: try property.setExpression(try text(value))
        case .generates: property.generatesExpression = try flag(value)
        case .sourceMapping: property.sourceMappingName = try text(value)
        case .sourceKeyPath: property.sourceKeyPath = try text(value)
        default: throw Self.unknown(rawValue)
        }
    }
}
