import ModelDocument

/// Gives an element of a model another name, and everything that refers to it with it.
///
/// Names are followed through inverses, parents, destinations, fetch requests, configurations, constraints and indexes,
/// and through the key paths of predicates and expressions. Where a text names something that may be the element or
/// not, the reference is *unsure*: it is listed, and changed only on request.
///
/// ```swift
/// let rename = ModelRename(.property("name", entity: "Player"), to: "fullName")
/// for reference in try rename.references(in: model) { print(reference.title, reference.before, reference.after) }
/// try rename.carryOut(in: &model)
/// ```
package struct ModelRename: Sendable, Hashable {
    /// What gets another name.
    package enum Target: Sendable, Hashable {
        case entity(String)
        /// An attribute, a relationship or a fetched property of that entity.
        case property(String, entity: String)
        case composite(String)
        /// An element of a composite.
        case element(String, composite: String)
    }

    package var target: Target
    package var newName: String

    package init(_ target: Target, to newName: String) {
        self.target = target
        self.newName = newName
    }

    /// One place that names the element.
    package struct Reference: Sendable, Hashable {
        /// The element that the place is in.
        package var path: Model.ElementPath
        /// What of the element: `inverse`, `predicate`.
        package var field: String
        /// The element as a person would name it.
        package var title: String
        /// What stands there now.
        package var before: String
        /// What stands there afterwards.
        package var after: String
        /// Why it may mean something else; `nil` where it is sure.
        package var doubt: String?
    }

    /// Everything that names the element, in the model's order.
    ///
    /// - Throws: `ModelDocumentError` `invalidEdit` for an unknown element, and for a name that can't be given to it.
    package func references(in model: Model) throws -> [Reference] {
        var copy = model
        return try carryOut(in: &copy, includingUnsure: true)
    }

    /// Renames the element and what names it.
    ///
    /// - Parameter includingUnsure: whether texts are changed that may mean something else.
    /// - Returns: what was changed beside the element.
    /// - Throws: `ModelDocumentError` `invalidEdit` for an unknown element, and for a name that can't be given to it.
    @discardableResult
    package func carryOut(in model: inout Model, includingUnsure: Bool = false) throws -> [Reference] {
        let former = model
        try renameStructure(of: &model)
        var references = zip(NameSite.all(in: former), NameSite.all(in: model)).compactMap { old, new in
            old.name == new.name
                ? nil
                : Reference(path: old.path, field: old.field, title: old.title, before: old.name, after: new.name)
        }
        let formats = FormatRename(self, in: former)
        for site in FormatSite.all(in: former) {
            guard let change = formats.change(site) else { continue }
            let isSure = change.doubt == nil
            if isSure || includingUnsure { site.write(&model, change.text) }
            // Of a text with sure and unsure places the sure ones are changed in any case.
            if !isSure, !includingUnsure, let sure = change.sureText { site.write(&model, sure) }
            guard isSure || includingUnsure || change.sureText != nil else { continue }
            references.append(
                Reference(
                    path: site.path, field: site.field, title: site.title, before: site.text,
                    after: isSure || includingUnsure ? change.text : change.sureText ?? site.text,
                    doubt: change.doubt))
        }
        return references
    }

    private func renameStructure(of model: inout Model) throws {
        guard !newName.isEmpty else {
            throw ModelDocumentError(.invalidEdit, "The new name is empty.")
        }
        switch target {
        case .entity(let name): try model.renameEntityAndClass(name, to: newName)
        case .property(let name, let entity): try model.renameProperty(name, of: entity, to: newName)
        case .composite(let name): try model.renameComposite(name, to: newName)
        case .element(let name, let composite): try model.renameElement(name, of: composite, to: newName)
        }
    }
}

extension Model {
    /// Renames an entity, and its class with it where that is named like it, as Xcode does.
    fileprivate mutating func renameEntityAndClass(_ name: String, to newName: String) throws {
        try renameEntity(name, to: newName)
        guard let reference = self[entity: newName]?.representedClass, reference.className == name else { return }
        let prefix = reference.spelling.dropLast(name.count)
        self[entity: newName]?.representedClass = ClassReference(prefix + newName)
    }

    fileprivate mutating func renameComposite(_ name: String, to newName: String) throws {
        guard let index = composites.firstIndex(where: { $0.name == name }) else {
            throw ModelDocumentError(.invalidEdit, sentence: "There is no composite '\(name)'.")
        }
        guard name == newName || !composites.contains(where: { $0.name == newName }) else {
            throw ModelDocumentError(.invalidEdit, sentence: "There is a composite '\(newName)' already.")
        }
        composites[index].name = newName
        for entity in entities.indices {
            for place in entities[entity].attributes.indices
            where entities[entity].attributes[place].compositeName == name {
                entities[entity].attributes[place].compositeName = newName
            }
        }
        for composite in composites.indices {
            for place in composites[composite].elements.indices
            where composites[composite].elements[place].compositeName == name {
                composites[composite].elements[place].compositeName = newName
            }
        }
    }

    fileprivate mutating func renameElement(_ name: String, of composite: String, to newName: String) throws {
        guard let index = composites.firstIndex(where: { $0.name == composite }),
            let place = composites[index].elements.firstIndex(where: { $0.name == name })
        else { throw ModelDocumentError(.invalidEdit, sentence: "There is no element '\(name)' in '\(composite)'.") }
        guard name == newName || !composites[index].elements.contains(where: { $0.name == newName }) else {
            throw ModelDocumentError(
                .invalidEdit, sentence: "The composite '\(composite)' has an element '\(newName)' already.")
        }
        composites[index].elements[place].name = newName
    }
}
