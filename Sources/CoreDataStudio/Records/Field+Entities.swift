import ModelDocument

extension Field<Model.Entity> {
    /// The fields of entities.
    static let all: [Field] = [
        .name("name", "Name", \.name),
        .className("className", "Class", \.representedClass),
        .module("module", "Module", \.representedClass),
        .choice(
            "codeGeneration", "Codegen", \.codeGeneration,
            Dictionary(uniqueKeysWithValues: Model.CodeGeneration.allCases.map { ($0, $0.rawValue) })),
        .flag("isAbstract", "Abstract", \.isAbstract),
        Field("parent", "Parent Entity") { entity, context in
            .optional(context.names.entityID(entity.parentName))
        } write: { entity, value, context in
            let name = try context.names.entityName(value, field: "parent")
            let circle = context.names.lineage(name).contains { context.names.model.entities[$0].name == entity.name }
            guard !circle else {
                throw StudioError(
                    .invalidEdit, "“\(name ?? "")” inherits from “\(entity.name)” itself, so it can't be its parent.")
            }
            entity.parentName = name
        },
        .derived("parentName") { entity, _ in .optional(entity.parentName) },
        .text("renamingIdentifier", "Renaming ID", \.renamingIdentifier),
        .text("versionHashModifier", "Hash Modifier", \.versionHashModifier),
        .text("spotlightExpression", "Spotlight Display Name", \.spotlightDisplayNameExpression),
        .flag("isSyncable", "Synchronized", \.isSyncable),
        .derived("position") { entity, context in
            context.names.model[diagramElement: entity.name]?.record ?? .null
        },
    ]
}

extension Model.DiagramElement {
    fileprivate var record: JSON {
        ["x": .number(positionX), "y": .number(positionY), "width": .number(width), "height": .number(height)]
    }
}

extension Field {
    /// The class's name without module.
    static func className(
        _ name: String, _ title: String, _ path: WritableKeyPath<Element, ClassReference?> & Sendable
    ) -> Field {
        Field(name, title) { element, _ in
            .optional(element[keyPath: path]?.className)
        } write: { element, value, _ in
            let prefix = element[keyPath: path]?.modulePrefix ?? ""
            element[keyPath: path] = try value.optionalText(for: name).map { ClassReference(prefix + $0) }
        }
    }

    /// The module that a class is in: `""` for none, `"."` for the one that the model is built into.
    static func module(
        _ name: String, _ title: String, _ path: WritableKeyPath<Element, ClassReference?> & Sendable
    ) -> Field {
        Field(name, title) { element, _ in
            guard let reference = element[keyPath: path] else { return .null }
            return .text(reference.isInCurrentModule ? "." : reference.moduleName ?? "")
        } write: { element, value, _ in
            guard let reference = element[keyPath: path] else {
                throw StudioError(.invalidEdit, "There is no class yet; name it first, then its module.")
            }
            let module = try value.optionalText(for: name) ?? ""
            guard module == "." || !module.contains(".") else {
                throw StudioError(.invalidEdit, "‘\(module)’ can't be the name of a module: it has a dot.")
            }
            let prefix = module == "." ? "." : module.isEmpty ? "" : module + "."
            element[keyPath: path] = ClassReference(prefix + reference.className)
        }
    }
}

extension ClassReference {
    /// What comes before the class: `.`, `League.` or nothing.
    var modulePrefix: String {
        isInCurrentModule ? "." : moduleName.map { $0 + "." } ?? ""
    }
}

extension Field<Model> {
    /// The fields of a version that its model has.
    static let all: [Field] = [
        Field("identifier", "Model Identifier") { model, _ in
            .optional(model.versionIdentifiers.first.flatMap { $0.isEmpty ? nil : $0 })
        } write: { model, value, _ in
            model.versionIdentifiers = [try value.optionalText(for: "identifier") ?? ""]
        },
        .text("minimumToolsVersion", "Minimum Tools Version", \.info.minimumToolsVersion),
        .text("language", "Language", \.info.sourceLanguage),
        .flag("usedWithCloudKit", "Used with CloudKit", \.info.isUsedWithCloudKit),
    ]
}

extension Model {
    /// What the document says of itself; of a model without a document, what a new one says.
    fileprivate var info: DocumentInfo {
        get { documentInfo ?? .newDocument() }
        set { documentInfo = newValue }
    }
}

extension Field<Model.Composite> {
    /// The fields of composites.
    static let all: [Field] = [.name("name", "Name", \.name)]
}

extension Field<Model.Configuration> {
    /// The fields of configurations.
    static let all: [Field] = [
        .name("name", "Name", \.name),
        .flag("usedWithCloudKit", "Used with CloudKit", \.isUsedWithCloudKit),
        Field("entities", "Entities") { configuration, context in
            .ids(configuration.entityNames.compactMap { context.names.entityID($0) })
        } write: { configuration, value, context in
            guard let ids = value.array else { throw value.wrong("entities", "a list of identifiers") }
            configuration.entityNames = []
            for id in ids {
                guard let name = try context.names.entityName(id, field: "entities") else {
                    throw value.wrong("entities", "a list of identifiers")
                }
                if !configuration.entityNames.contains(name) { configuration.entityNames.insertAsXcode(name) }
            }
        },
        .derived("unknownEntities") { configuration, context in
            let names = configuration.entityNames.filter { context.names.entityID($0) == nil }
            return .array(names.map(JSON.text))
        },
    ]
}

extension Field<Model.UserInfo.Entry> {
    /// The fields of what a user info holds.
    static let all: [Field] = [
        .name("key", "Key", \.key),
        Field("value", "Value") { entry, _ in
            .text(entry.value.string ?? "")
        } write: { entry, value, _ in
            guard let text = value.text else { throw value.wrong("value", "a text") }
            entry.value = .string(text)
        },
    ]
}

extension Field<Model.NameTuple> {
    /// The fields of constraints and compound indexes.
    static let all: [Field] = [
        Field("names", "Properties") { tuple, _ in
            .array(tuple.names.map(JSON.text))
        } write: { tuple, value, _ in
            let names = try value.texts(for: "names")
            guard !names.isEmpty, !names.contains("") else { throw value.wrong("names", "at least one name") }
            tuple.names = names
        }
    ]
}
