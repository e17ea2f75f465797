import ArgumentParser
import CoreData
import Foundation
import StoreBrowsing

/// A store that is opened as its app opens it, and not as evidence.
struct StoreTarget: ParsableArguments {
    @Argument(help: StoreSource.storeHelp, completion: .file())
    var store: String

    @Option(
        name: .customLong("model"),
        help: ArgumentHelp(
            "The model of a store that carries none, of which the version that made the store is taken; several are merged.",
            valueName: "path"),
        completion: .file())
    var models: [String] = []

    /// What is known of the store before it is opened.
    ///
    /// - Throws: ``CommandFailure`` for a store that can't be read, or that has no model.
    func look() throws -> LiveStore.Place {
        let place = try StorePlace(store)
        do {
            return try LiveStore.Place(OpenedStore(place, models: models))
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw OpenedStore.failure(error)
        }
    }
}
