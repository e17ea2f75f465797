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

    /// The rows of some objects, in their order. They are read part by part, each of which the context forgets.
    func rows(_ references: [ObjectReference]) throws -> [JSON] {
        let ids = try references.map(session.objectID(of:))
        var parts = RowParts(of: columns, most: max(1, ids.count))
        var rows: [JSON] = []
        while let part = parts.next(of: ids) {
            let new = try self.rows(part)
            rows += new
            parts.note(new.reduce(0) { $0 + $1.byteCount })
            session.context.reset()
        }
        return rows
    }

    private func rows(_ ids: [NSManagedObjectID]) throws -> [JSON] {
        let found = try session.objects(ids, of: entity, with: columns)
        let destinations = try session.destinations(of: found.values, columns, titles)
        defer { withExtendedLifetime(destinations) {} }
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

extension JSON {
    /// How many bytes the data in a row's cells has.
    fileprivate var byteCount: Int {
        (self["cells"]?.array ?? []).reduce(0) { sum, cell in
            if case .integer(let count)? = cell["bytes"] { sum + count } else { sum }
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
