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
        if [.xml, .binary].contains(place.type) {
            throw CommandFailure(
                .other,
                """
                \(place.name) is \(place.kindTitle), which is read as a whole and not changed in place. \
                `coredata copy` makes an SQLite file of it, and back.
                """)
        }
        do {
            let store = try OpenedStore(place, models: models)
            _ = try store.requiredModel()
            return LiveStore.Place(
                store: place, metadata: store.metadata, model: try store.readingDescriptions(),
                hasHistory: try store.hasHistory())
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw OpenedStore.failure(error)
        }
    }
}
