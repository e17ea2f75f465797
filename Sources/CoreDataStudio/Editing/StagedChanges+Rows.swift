import CoreData
import StoreBrowsing

/// The objects of a query that the store does not know yet.
struct StagedRows: Sendable {
    /// All objects, where the query is for those of a changed relationship, or for a new object.
    var whole: [ObjectReference]?
    /// New objects, which stand before those of the store.
    var added: [ObjectReference] = []
}

extension StagedChanges {
    /// What the changes add to a query.
    func rows(of query: RowQuery) throws -> StagedRows {
        if let object = query.object {
            guard let object = staged(object) else { return StagedRows() }
            // A filter finds no object that is to be deleted, and its row shows that it is.
            return StagedRows(whole: object.isDeleted ? [object.objectID.reference] : try chosen([object], query))
        }
        if let member = query.member {
            return StagedRows(whole: try changedMembers(member).map { try chosen($0, query) })
        }
        let entity = try session.entity(named: query.entity)
        let isWhole = query.includesSubentities ?? true
        let new = context.insertedObjects.filter { isWhole ? $0.entity.isKindOf(entity: entity) : $0.entity == entity }
        // The newest comes first.
        return StagedRows(added: new.map(\.objectID.reference).sorted { $0.key < $1.key })
    }

    /// The members of a relationship that was changed; nil for one that is as the store has it.
    private func changedMembers(_ member: RowQuery.Membership) -> [NSManagedObject]? {
        guard let owner = staged(member.object), !owner.isDeleted,
            let relationship = owner.entity.relationshipsByName[member.relationship], relationship.isToMany,
            owner.isInserted || owner.changedValues()[relationship.name] != nil
        else { return nil }
        let members = owner.members(relationship)
        // The keys of new objects are less than zero: these come first.
        return relationship.isOrdered
            ? members : members.sorted { $0.objectID.reference.key < $1.objectID.reference.key }
    }

    /// Those of some objects that a query filters, in the order that it asks for, with the values that they have here.
    private func chosen(_ objects: [NSManagedObject], _ query: RowQuery) throws -> [ObjectReference] {
        let all = objects.map(\.objectID.reference)
        let sort = query.sort ?? []
        if query.predicateText == nil, sort.isEmpty, query.includesSubentities ?? true { return all }
        let found = try fetched(objects, query)
        guard let first = sort.first else {
            let wanted = Set(found)
            return all.filter(wanted.contains)
        }
        if first.key != RowFinder.key { return found }
        return found.sorted { first.ascending ? $0.key < $1.key : $0.key > $1.key }
    }

    /// Finds objects by a query among some. The context evaluates it for those with changes, and the store for others.
    private func fetched(_ objects: [NSManagedObject], _ query: RowQuery) throws -> [ObjectReference] {
        try RowFinder.checkSort(of: query, try session.entity(named: query.entity))
        let fetch = NSFetchRequest<NSManagedObject>(entityName: query.entity)
        fetch.includesSubentities = query.includesSubentities ?? true
        let conditions = [
            NSPredicate(format: "SELF IN %@", argumentArray: [objects]),
            try query.predicateText.map { try session.predicate(naming: $0) },
        ].compactMap { $0 }
        fetch.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: conditions)
        // Nothing is left to sort behind the key.
        fetch.sortDescriptors = (query.sort ?? []).prefix { $0.key != RowFinder.key }.map {
            NSSortDescriptor(key: $0.key, ascending: $0.ascending)
        }
        return try context.fetch(fetch).map(\.objectID.reference)
    }

    /// The rows of those objects that have changes.
    func rows(
        _ references: [ObjectReference], _ request: RowsRequest
    ) throws -> [ObjectReference: JSON] {
        let entity = try session.entity(named: request.query.entity)
        let reader = try RowReader(
            session, entity, columns: request.columns, ObjectTitles(chosen: request.titles ?? [:]))
        var rows: [ObjectReference: JSON] = [:]
        let new = references.contains(where: \.isTemporary) ? context.insertedObjects : []
        let newByReference = Dictionary(
            new.map { ($0.objectID.reference, $0) }, uniquingKeysWith: { first, _ in first })
        for reference in references {
            let object =
                reference.isTemporary
                ? newByReference[reference] : context.registeredObject(for: try session.objectID(of: reference))
            if let object, let state = object.stagedState { rows[reference] = reader.row(of: object, state) }
        }
        return rows
    }

    /// All that the inspector shows of an object; nil for one without changes.
    func shown(_ identifier: String, _ titles: ObjectTitles) -> JSON? {
        guard let object = staged(identifier), let state = object.stagedState else { return nil }
        let values = ShownProperty.all(of: object.entity).map { property in
            property.json(of: object, titles) { object.memberCount(property.path) }
        }
        return [
            "id": .text(object.objectID.shortIdentifier), "entity": .optional(object.entity.name),
            "title": .optional(titles.title(of: object)), "values": .array(values), "state": .text(state),
            "changed": .array(object.isInserted ? [] : object.changedPaths.map(JSON.text)),
            "problems": .array(object.isDeleted ? [] : object.problems.map(\.json)),
        ]
    }
}

extension RowReader {
    /// The row of an object with changes.
    fileprivate func row(of object: NSManagedObject, _ state: String) -> JSON {
        let cells = columns.map { column in cell(column, object) { object.memberCount(column.path) } }
        return [
            "id": .text(object.objectID.shortIdentifier), "cells": .array(cells), "state": .text(state),
            "changed": .array(object.isUpdated ? object.changedPaths.map(JSON.text) : []),
        ]
    }
}

extension NSManagedObject {
    /// How many members a to-many relationship has, changes included.
    fileprivate func memberCount(_ relationship: String) -> Int {
        let value = value(forKey: relationship)
        return (value as? NSSet)?.count ?? (value as? NSOrderedSet)?.count ?? 0
    }
}
