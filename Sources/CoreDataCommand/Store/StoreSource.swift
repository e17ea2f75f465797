import ArgumentParser
import Foundation
import StoreBrowsing

/// A store and how it is looked at: what all subcommands that read one have in common.
struct StoreSource: ParsableArguments {
    static let storeHelp: ArgumentHelp = "The store's file, or the postgresql:// URL of its database."

    @Argument(help: storeHelp, completion: .file())
    var store: String

    @Option(
        name: .customLong("model"),
        help: ArgumentHelp(
            "The model of a store that carries none, or another than it carries: an .xcdatamodeld, .xcdatamodel, .momd or "
                + ".mom, of which the version that made the store is taken. Several are merged.",
            valueName: "path"),
        completion: .file())
    var models: [String] = []

    @Flag(help: "Print the SHA-256 of store and log before and after, on standard error.")
    var verify = false

    /// Opens the store, runs `body`, and proves with `--verify` that nothing has changed.
    ///
    /// - Parameter tellsOddities: Whether what is odd, but no fault, is reported.
    /// - Throws: ``CommandFailure``.
    func look<Result>(tellsOddities: Bool = true, _ body: (OpenedStore) throws -> Result) throws -> Result {
        try Self.look(at: store, models: models, verifies: verify, tellsOddities: tellsOddities, body)
    }

    /// Opens a store, runs `body`, and proves where that is asked for that nothing has changed.
    static func look<Result>(
        at path: String, models: [String], verifies: Bool, tellsOddities: Bool = true,
        _ body: (OpenedStore) throws -> Result
    ) throws -> Result {
        let place = try StorePlace(path)
        let evidence = verifies ? try place.file(for: "--verify takes the digests of files") : nil
        return try EvidenceSeal.keep(evidence) {
            do {
                return try body(OpenedStore(place, models: models, tellsOddities: tellsOddities))
            } catch let failure as CommandFailure {
                throw failure
            } catch {
                throw OpenedStore.failure(error)
            }
        }
    }
}

/// How values are shown.
struct ValueOptions: ParsableArguments {
    @Option(help: "Dates in UTC, or in local time with its offset from UTC.")
    var dates = DateStyle.utc

    @Flag(help: "Show binary property lists and keyed archives as JSON instead of base64.")
    var decode = false

    @Option(
        help: ArgumentHelp(
            "Write binary data to files in a folder, each named for its object and attribute.", valueName: "folder"),
        completion: .directory)
    var extract: String?

    /// - Throws: ``CommandFailure`` for a folder that can't be written to.
    func renderer(for store: OpenedStore) throws -> ValueRenderer {
        let folder = try extract.map { try BlobFolder(path: $0, store: store.place) }
        return ValueRenderer(dates: dates, decodes: decode, blobs: folder)
    }
}

extension DateStyle: ExpressibleByArgument {}
