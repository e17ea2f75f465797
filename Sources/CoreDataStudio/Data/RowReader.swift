import CoreData
import Foundation
import StoreBrowsing

/// Reads objects as rows of a table.
struct RowReader {
    private let session: QuerySession
    private let entity: NSEntityDescription
    let columns: [ShownProperty]
    private let titles: ObjectTitles
    private let values = ShownValue(longest: 200)

    /// - Throws: `ToolFailure` for a column that the entity does not have.
    init(_ session: QuerySession, _ entity: NSEntityDescription, columns: [String], _ titles: ObjectTitles) throws {
        (self.session, self.entity, self.titles) = (session, entity, titles)
        let known = Dictionary(
            ShownProperty.all(of: entity).map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        self.columns = try columns.map {
            guard let column = known[$0] else {
                throw ToolFailure(.invalidQuery, "\(entity.name ?? "") has no column \($0).")
            }
            return column
        }
    }

    /// The rows of some objects, in their order.
    func rows(_ references: [ObjectReference]) throws -> [JSON] {
        let ids = try references.map(session.objectID(of:))
        let found = try objects(ids)
        let counts = try MemberCounts(columns.filter { $0.kind == .toMany }, of: entity, ids, session)
        let places = try ExternalPlaces(columns, ids, session)
        return ids.map { id in
            guard let object = found[id] else { return ["id": .text(id.shortIdentifier), "isMissing": true] }
            return [
                "id": .text(id.shortIdentifier),
                "cells": .array(
                    columns.map { column in
                        let value = cell(column, object) { counts.count(column.path, id) }
                        return places.marked(value, column.path, of: id)
                    }),
            ]
        }
    }

    private func objects(_ ids: [NSManagedObjectID]) throws -> [NSManagedObjectID: NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        request.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [ids])
        request.returnsObjectsAsFaults = false
        request.relationshipKeyPathsForPrefetching = columns.filter { $0.kind == .toOne }.map(\.path)
        let found = try session.context.fetch(request)
        return Dictionary(found.map { ($0.objectID, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// - Parameter count: Gives the number of members of a to-many relationship.
    func cell(_ column: ShownProperty, _ object: NSManagedObject, _ count: () -> Int) -> JSON {
        switch column.kind {
        case .attribute:
            values.json(
                object.value(forKeyPath: column.path), column.attribute?.attributeType ?? .undefinedAttributeType)
        case .toOne: titles.link(to: object.value(forKey: column.path) as? NSManagedObject)
        case .toMany: ["count": .integer(count())]
        }
    }
}

extension ObjectTitles {
    /// An object as a link: its identifier and its title.
    func link(to object: NSManagedObject?) -> JSON {
        guard let object else { return .null }
        return ["id": .text(object.objectID.shortIdentifier), "title": .optional(title(of: object))]
    }
}
