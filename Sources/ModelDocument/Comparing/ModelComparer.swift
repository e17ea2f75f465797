/// Compares two models element by element.
struct ModelComparer {
    typealias Change = ModelComparison.Change
    typealias Setting = ModelComparison.Setting

    /// The old model with the names of the new one.
    private var old: Model
    private let new: Model
    private var formerEntityNames: [String: String] = [:]
    private var formerPropertyNames: [ModelRenames.Property] = []

    init(_ old: Model, _ new: Model) {
        (self.old, self.new) = (old, new)
        apply(ModelRenames.entities(from: self.old, to: new)) { comparer, rename in
            try comparer.old.renameEntity(rename.name, to: rename.newName)
            comparer.formerEntityNames[rename.newName] = rename.name
        }
        apply(ModelRenames.properties(from: self.old, to: new)) { comparer, rename in
            try comparer.old.renameProperty(rename.name, of: rename.entity, to: rename.newName)
            comparer.formerPropertyNames.append(rename)
        }
    }

    /// Gives new names, those first that another one waits for. A name that what is gone still has is not given.
    private mutating func apply<Rename>(
        _ renames: [Rename], _ rename: (inout ModelComparer, Rename) throws -> Void
    ) {
        var waiting = renames
        repeat {
            let count = waiting.count
            waiting = waiting.filter { next in
                do { try rename(&self, next) } catch { return true }
                return false
            }
            if waiting.count == count { return }
        } while !waiting.isEmpty
    }

    mutating func changes() -> [Change] {
        modelChanges() + entityChanges()
            + changes(.fetchRequest, of: nil, old.fetchRequests, new.fetchRequests)
            + changes(.configuration, of: nil, old.configurations, new.configurations)
            + compositeChanges()
    }

    // MARK: - The model

    private func modelChanges() -> [Change] {
        let settings = settings(of: old.comparedSettings, new.comparedSettings)
        guard !settings.isEmpty else { return [] }
        return [Change(kind: .changed, element: .model, name: "", settings: settings)]
    }

    private func compositeChanges() -> [Change] {
        let names = names(old.composites.map(\.name), new.composites.map(\.name))
        return names.flatMap { name -> [Change] in
            let (before, now) = (old.composites.first { $0.name == name }, new.composites.first { $0.name == name })
            guard let before, let now else {
                return [Change(kind: before == nil ? .added : .removed, element: .composite, name: name)]
            }
            return changes(.attribute, of: name, before.elements, now.elements)
        }
    }

    // MARK: - Entities

    private func entityChanges() -> [Change] {
        names(old.entities.map(\.name), new.entities.map(\.name)).flatMap { name -> [Change] in
            switch (old[entity: name], new[entity: name]) {
            case (let before?, let now?): entityChanges(before, now)
            case (nil, let now?): [change(of: now, .added)]
            case (let before?, nil): [change(of: before, .removed)]
            case (nil, nil): []
            }
        }
    }

    private func change(of entity: Model.Entity, _ kind: ModelComparison.Kind) -> Change {
        let texts = entity.comparedSettings
        let settings = kind == .added ? settings(of: [], texts) : settings(of: texts, [])
        return Change(kind: kind, element: .entity, name: entity.name, settings: settings)
    }

    private func entityChanges(_ before: Model.Entity, _ now: Model.Entity) -> [Change] {
        var result: [Change] = []
        let former = formerEntityNames[now.name]
        let settings = settings(of: before.comparedSettings, now.comparedSettings, renamed: former != nil)
        if former != nil || !settings.isEmpty {
            result.append(
                Change(
                    kind: former == nil ? .changed : .renamed, element: .entity, name: now.name, formerName: former,
                    settings: settings))
        }
        result += changes(.attribute, of: now.name, before.attributes, now.attributes)
        result += changes(.relationship, of: now.name, before.relationships, now.relationships)
        result += changes(.fetchedProperty, of: now.name, before.fetchedProperties, now.fetchedProperties)
        result += changes(.fetchIndex, of: now.name, before.fetchIndexes, now.fetchIndexes)
        result += tupleChanges(.compoundIndex, of: now.name, before.compoundIndexes, now.compoundIndexes)
        result += tupleChanges(
            .uniquenessConstraint, of: now.name, before.uniquenessConstraints, now.uniquenessConstraints)
        return result
    }

    private func tupleChanges(
        _ element: ModelComparison.Element, of owner: String, _ old: [Model.NameTuple], _ new: [Model.NameTuple]
    ) -> [Change] {
        let (before, now) = (old.map(\.names), new.map(\.names))
        func changes(_ kind: ModelComparison.Kind, _ tuples: [[String]]) -> [Change] {
            tuples.map { names in
                Change(kind: kind, element: element, owner: owner, name: "(\(names.joined(separator: ", ")))")
            }
        }
        return changes(.removed, before.filter { !now.contains($0) })
            + changes(.added, now.filter { !before.contains($0) })
    }

    // MARK: - Named elements

    /// The changes of a list of elements.
    private func changes<Value: ComparedElement>(
        _ element: ModelComparison.Element, of owner: String?, _ old: [Value], _ new: [Value]
    ) -> [Change] {
        names(old.map(\.id), new.map(\.id)).compactMap { name in
            let (before, now) = (old.first { $0.id == name }, new.first { $0.id == name })
            let former = formerPropertyNames.first { $0.entity == owner && $0.newName == name }?.name
            let settings = settings(
                of: before?.comparedSettings ?? [], now?.comparedSettings ?? [], renamed: former != nil)
            guard before == nil || now == nil || former != nil || !settings.isEmpty else { return nil }
            let kind: ModelComparison.Kind =
                before == nil ? .added : now == nil ? .removed : former == nil ? .changed : .renamed
            return Change(
                kind: kind, element: element, owner: owner, name: name, formerName: former, settings: settings)
        }
    }

    /// The names of both lists: those of the new one in its order, and the others where they were.
    private func names(_ old: [String], _ new: [String]) -> [String] {
        var result: [String] = []
        var seen: Set<String> = []
        for name in new where seen.insert(name).inserted { result.append(name) }
        for (index, name) in old.enumerated() where seen.insert(name).inserted {
            let place = old[..<index].last { result.contains($0) }.flatMap { result.firstIndex(of: $0) }
            result.insert(name, at: place.map { $0 + 1 } ?? 0)
        }
        return result
    }

    /// What is otherwise; the identifier that says what a renamed element was called is none of that.
    private func settings(
        of old: [(name: String, text: String)], _ new: [(name: String, text: String)], renamed: Bool = false
    ) -> [Setting] {
        let names = names(old.map(\.name), new.map(\.name))
        return names.compactMap { name in
            let (before, now) = (old.first { $0.name == name }?.text, new.first { $0.name == name }?.text)
            guard before != now, name != "name", !(renamed && name == "elementID") else { return nil }
            return Setting(name: name, old: before, new: now)
        }
    }
}
