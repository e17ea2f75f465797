import CoreData
import Foundation
import StoreBrowsing

/// Which values of some objects the store keeps apart from their rows: in files beside a file, in a table of their own
/// in a database.
struct ExternalPlaces {
    private enum Place {
        case file(String)
        case table
    }

    /// What names a file or a value of a table is no longer than this.
    private static let longest = 300
    private var places: [NSManagedObjectID: [String: Place]] = [:]

    /// - Throws: What the store throws that can't be read.
    init(_ properties: [ShownProperty], _ ids: [NSManagedObjectID], _ session: QuerySession) throws {
        let paths = properties.filter { $0.attribute?.allowsExternalBinaryDataStorage == true }.map(\.path)
        guard !paths.isEmpty, let store = session.objects else { return }
        let trees = Dictionary(grouping: Set(ids)) { store.layouts[$0.reference.entity].rootNumber }
        for (root, ids) in trees {
            let byKey = Dictionary(ids.map { ($0.reference.key, $0) }, uniquingKeysWith: { first, _ in first })
            for row in try store.rows(rootedAt: store.layouts[root], keys: Array(byKey.keys)) {
                guard let id = byKey[row.key] else { continue }
                for path in paths { places[id, default: [:]][path] = Self.place(path, row) }
            }
        }
    }

    private static func place(_ path: String, _ row: RowSnapshot) -> Place? {
        guard let slot = row.layout.slot(named: path), slot.isExternal, slot.isStoredInRow, !row.isNull(slot.cell)
        else { return nil }
        let start = row.withBytes(slot.cell) { Data($0.prefix(longest)) }
        if let name = ExternalFiles.fileName(in: start) { return .file(name) }
        return DistantData.count(in: start) == nil ? nil : .table
    }

    /// A value as the page gets it, with where it is kept: `"isExternal"`, and `"file"` for a file. Of a value that has
    /// lost its file there is `{"missingFile"}` alone.
    func marked(_ value: JSON, _ path: String, of id: NSManagedObjectID) -> JSON {
        guard let place = places[id]?[path] else { return value }
        switch (value, place) {
        case (.object(var members), _):
            members["isExternal"] = true
            if case .file(let name) = place { members["file"] = .text(name) }
            return .object(members)
        case (.null, .file(let name)): return ["missingFile": .text(name)]
        default: return value
        }
    }
}
