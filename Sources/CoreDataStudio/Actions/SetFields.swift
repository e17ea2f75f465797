import ModelDocument

/// Fields of an element get other values.
struct SetFields: EditAction {
    static let kind = "set"
    var element: ElementID
    var changes: [String: JSON]

    func title(in document: EditedDocument) -> String {
        let titles = changes.keys.sorted().map { fieldTitle($0, in: document) }
        return titles.count == 1 ? "Change \(titles[0])" : "Change \(document.title(of: element))"
    }

    func apply(to editor: inout Editor) throws {
        let location = try editor.original.location(of: element)
        // The type decides what other fields mean, the class has to be there before its module: they come first. A new
        // name may give the element another place: it comes last.
        let first = ["type", "className", "customClass", "isToMany", "destination"]
        let others = changes.keys.filter { !first.contains($0) && $0 != "name" }.sorted()
        let names = first.filter { changes[$0] != nil } + others + ["name"]
        for name in names {
            guard let value = changes[name] else { continue }
            try set(name, to: value, at: location, in: &editor)
        }
    }

    private func set(
        _ field: String, to value: JSON, at location: EditedDocument.Location, in editor: inout Editor
    ) throws {
        if field == "name" {
            let name = try value.requiredText(for: field)
            return try Rename(element: element, name: name, updatesReferences: false).apply(to: &editor)
        }
        switch (location.place.kind, field) {
        case (.relationship, "destination"): try setDestination(value, at: location, in: &editor)
        case (.relationship, "inverse"):
            let inverse = value == .null ? nil : ElementID(rawValue: try value.requiredText(for: field))
            try SetInverse(relationship: element, inverse: inverse).apply(to: &editor)
        case (.entity, "position"): try setPosition(value, at: location, in: &editor)
        default:
            let context = FieldContext(
                names: editor.names(location.version),
                entity: location.place.entityIndex.map { editor.original.model(location).entities[$0] })
            try editor.edit(location.version) { model in
                try Self.write(field, value, at: location.place, in: &model, context)
            }
        }
    }

    private func setDestination(
        _ value: JSON, at location: EditedDocument.Location, in editor: inout Editor
    ) throws {
        let names = editor.names(location.version)
        let destination = try names.entityName(value, field: "destination")
        try editor.edit(location.version) { model in
            guard model[relationship: location.place].destinationName != destination else { return }
            let (entity, name) = (
                model.entities[location.place.owner.index].name, model[relationship: location.place].name
            )
            if model[relationship: location.place].inverseName != nil {
                try model.setInverse(nil, ofRelationship: name, of: entity)
            }
            model[relationship: location.place].destinationName = destination
        }
    }

    private func setPosition(
        _ value: JSON, at location: EditedDocument.Location, in editor: inout Editor
    ) throws {
        guard value != .null else {
            return editor.edit(location.version) { model in
                model[diagramElement: model.entities[location.place.index].name] = nil
            }
        }
        func number(_ name: String) throws -> Double? {
            switch value[name] {
            case .integer(let number): return Double(number)
            case .number(let number): return number
            case .null, nil: return nil
            default: throw value.wrong("position", "an object with the numbers x and y")
            }
        }
        guard let x = try number("x"), let y = try number("y") else {
            throw value.wrong("position", "an object with the numbers x and y")
        }
        let point = DiagramPoint(x: x, y: y, width: try number("width"), height: try number("height"))
        try Place(positions: [element.rawValue: point]).apply(to: &editor)
    }

    // MARK: - Tables

    private static func write(
        _ field: String, _ value: JSON, at place: ElementPlace, in model: inout Model, _ context: FieldContext
    ) throws {
        switch place.kind {
        case .version: try write(field, value, to: &model, Field<Model>.all, context)
        case .entity: try write(field, value, to: &model.entities[place.index], Field<Model.Entity>.all, context)
        case .attribute:
            try write(field, value, to: &model[attribute: place], Field<Model.Attribute>.all, context)
        case .relationship:
            try write(field, value, to: &model[relationship: place], Field<Model.Relationship>.all, context)
        case .fetchedProperty:
            try write(field, value, to: &model[fetchedProperty: place], Field<Model.FetchedProperty>.all, context)
        case .fetchRequest:
            try write(field, value, to: &model.fetchRequests[place.index], Field<Model.FetchRequest>.all, context)
        case .configuration:
            try write(field, value, to: &model.configurations[place.index], Field<Model.Configuration>.all, context)
        case .composite:
            try write(field, value, to: &model.composites[place.index], Field<Model.Composite>.all, context)
        case .index: try write(field, value, to: &model[index: place], Field<Model.FetchIndex>.all, context)
        case .indexElement:
            try write(
                field, value, to: &model[index: place.owner].elements[place.index],
                Field<Model.FetchIndex.Element>.all, context)
        case .constraint:
            try write(
                field, value, to: &model.entities[place.owner.index].uniquenessConstraints[place.index],
                Field<Model.NameTuple>.all, context)
        case .compoundIndex:
            try write(
                field, value, to: &model.entities[place.owner.index].compoundIndexes[place.index],
                Field<Model.NameTuple>.all, context)
        case .userInfo:
            guard var info = model[userInfo: place.owner] else { return }
            try write(field, value, to: &info.entries[place.index], Field<Model.UserInfo.Entry>.all, context)
            model[userInfo: place.owner] = info
        }
    }

    private static func write<Element>(
        _ name: String, _ value: JSON, to element: inout Element, _ fields: [Field<Element>], _ context: FieldContext
    ) throws {
        guard let field = fields.first(where: { $0.name == name }), let write = field.write else {
            let settable = fields.filter { $0.write != nil }.map(\.name).joined(separator: ", ")
            throw StudioError(.invalidRequest, "The field ‘\(name)’ can't be set; these can: \(settable).")
        }
        try write(&element, value, context)
    }

    private func fieldTitle(_ field: String, in document: EditedDocument) -> String {
        guard let kind = try? document.location(of: element).place.kind else { return field }
        let titles: [(String, String)] =
            switch kind {
            case .version: Field<Model>.all.map { ($0.name, $0.title) }
            case .entity: Field<Model.Entity>.all.map { ($0.name, $0.title) }
            case .attribute: Field<Model.Attribute>.all.map { ($0.name, $0.title) }
            case .relationship: Field<Model.Relationship>.all.map { ($0.name, $0.title) }
            case .fetchedProperty: Field<Model.FetchedProperty>.all.map { ($0.name, $0.title) }
            case .fetchRequest: Field<Model.FetchRequest>.all.map { ($0.name, $0.title) }
            case .configuration: Field<Model.Configuration>.all.map { ($0.name, $0.title) }
            case .composite: Field<Model.Composite>.all.map { ($0.name, $0.title) }
            case .index: Field<Model.FetchIndex>.all.map { ($0.name, $0.title) }
            case .indexElement: Field<Model.FetchIndex.Element>.all.map { ($0.name, $0.title) }
            case .constraint, .compoundIndex: Field<Model.NameTuple>.all.map { ($0.name, $0.title) }
            case .userInfo: Field<Model.UserInfo.Entry>.all.map { ($0.name, $0.title) }
            }
        return titles.first { $0.0 == field }?.1 ?? field.prefix(1).uppercased() + field.dropFirst()
    }
}
