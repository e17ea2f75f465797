import Foundation
import ModelDocument
import StoreBrowsing

extension OpenedStore {
    /// Opens the store that a STORE argument names, and reports on standard error what the user should know.
    ///
    /// - Throws: ``CommandFailure``, each kind of unusable file with its own code.
    convenience init(_ place: StorePlace, models: [String] = [], tellsOddities: Bool = true) throws {
        try self.init(place, models: models, tellsOddities: tellsOddities, telling: report)
    }

    /// Looks at an SQLite file, in the same way.
    convenience init(url: URL, models: [String] = [], tellsOddities: Bool = true) throws {
        try self.init(url: url, models: models, tellsOddities: tellsOddities, telling: report)
    }

    /// The store's objects as they are stored.
    func records(renderer: ValueRenderer = ValueRenderer()) throws -> any RecordSource {
        place.isSQLite
            ? try RecordExporter(self, renderer: renderer) : try ObjectRecords(self, renderer: renderer)
    }
}

extension ModelAtPath {
    /// Reads a model, and reports on standard error what the user should know.
    static func read(_ path: String, version: String?) throws -> Model {
        try read(path, version: version, telling: report)
    }
}
