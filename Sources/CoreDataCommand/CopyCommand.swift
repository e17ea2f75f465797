import ArgumentParser
import CoreData
import Foundation
import ModelArchive
import ModelDocument
import StoreBrowsing

/// `coredata copy SOURCE DESTINATION`: a whole store, into a store of another kind, too.
struct CopyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Copy a store into a new one, which may be of another kind.",
        discussion: """
            A store is a file, or a schema of a PostgreSQL database. All objects come over with their keys, their values \
            and their relationships, and the store's metadata; the persistent history does not. The copy has a UUID of \
            its own. The source stays as it is.

            In the end everything is read back from the destination, and compared with what was read of the source by \
            SHA-256. A copy that was broken off goes on when the same command runs again, if nothing in the source has \
            changed meanwhile; --afresh begins anew. Until it is finished, no app can open the destination. Files in XML or binary form are \
            written at once.

            EXAMPLES
              coredata copy League.sqlite postgresql://league@db.example.com/league
              coredata copy 'postgresql://league@db.example.com/league?schema=y2026' League.sqlite
            """)

    @Argument(help: "The store: its file, or the postgresql:// URL of its database.", completion: .file())
    var source: String

    @Argument(help: "Where nothing is, or what a broken-off copy of the same source has left.", completion: .file())
    var destination: String

    @Option(
        name: .customLong("model"),
        help: ArgumentHelp(
            "The model of a store that carries none, of which the version that made the store is taken; several are merged.",
            valueName: "path"),
        completion: .file())
    var models: [String] = []

    @Option(help: "The form of the destination's file; without it the file's name says so.")
    var type: FileType?

    @Flag(help: "Tell of each step on standard error, also where that is no terminal.")
    var progress = false

    @Flag(help: "Begin anew where a copy was broken off: what it has left is removed first.")
    var afresh = false

    /// The forms of a file.
    enum FileType: String, ExpressibleByArgument, CaseIterable {
        case sqlite, xml, binary

        var storeType: NSPersistentStore.StoreType {
            switch self {
            case .sqlite: .sqlite
            case .xml: .xml
            case .binary: .binary
            }
        }
    }

    func validate() throws {
        if type != nil, StorePlace.isDatabase(destination) {
            throw ValidationError("--type is for files; a URL says what the destination is.")
        }
    }

    func run() throws {
        let (from, to) = (try StorePlace(source), try StorePlace(destination))
        let (place, archive) = try look(at: from)
        let store = try LiveStore(place, for: .reading)
        if afresh { try removeUnfinished(to) }
        let watch = CopyWatch(tells: progress)
        let result: StoreCopyReport
        do {
            defer { watch.finish() }
            result = try store.copy(to: to, type: storeType(of: to), archive: archive) { watch.note($0) }
        } catch {
            throw OpenedStore.failure(error)
        }
        try store.close()
        let digest = result.digest.hexadecimal
        let count = "\(result.objectCount) \(result.objectCount == 1 ? "object" : "objects")"
        print("Copied \(count) to \(to.shownName(of: destination)).\nSHA-256 \(digest)")
    }

    /// Removes what a copy has left that was broken off; any other store stays.
    private func removeUnfinished(_ place: StorePlace) throws {
        let type = storeType(of: place)
        guard let metadata = try? NSPersistentStoreCoordinator.metadataForPersistentStore(type: type, at: place.url),
            metadata[UnfinishedCopy.key] != nil
        else { return }
        do {
            try NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
                .destroyPersistentStore(at: place.url, type: type)
        } catch {
            throw OpenedStore.failure(error)
        }
    }

    private func storeType(of place: StorePlace) -> NSPersistentStore.StoreType {
        guard case .file(let url) = place else { return place.type }
        return type?.storeType ?? (url.pathExtension.lowercased() == "xml" ? .xml : .sqlite)
    }

    /// The source, and the model that made it, which the copy has in it as it is.
    private func look(at store: StorePlace) throws -> (place: LiveStore.Place, archive: Data) {
        if case .file(let url) = store, store.type != .sqlite { return try look(atFile: url, store) }
        let opened = try OpenedStore(store, models: models)
        let model = try opened.requiredModel()
        let place = LiveStore.Place(
            store: store, metadata: opened.metadata, model: try opened.readingDescriptions(), hasHistory: false)
        return (place, try opened.modelArchive() ?? ModelArchive.write(model, as: .modelCache))
    }

    /// A store in an XML or a binary file.
    private func look(atFile url: URL, _ store: StorePlace) throws -> (place: LiveStore.Place, archive: Data) {
        guard let model = try StoreToMigrate(.file(url), models: models).model else {
            throw CommandFailure(.noModel, "\(store.name) carries no model. Its app has one, which `--model` takes.")
        }
        do {
            let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: store.type, at: url)
            let place = LiveStore.Place(
                store: store, metadata: metadata,
                model: try NSManagedObjectModel(document: model.withoutForeignCode), hasHistory: false)
            return (place, try ModelArchive.write(model, as: .modelCache))
        } catch {
            throw OpenedStore.failure(error)
        }
    }
}

/// Shows how far a copy is.
private final class CopyWatch {
    private let tells: Bool
    private var activity: StoreCopyProgress.Activity?
    private var bar: ProgressBar?

    /// - Parameter tells: Whether each step is a line, also where there is no terminal.
    init(tells: Bool) { self.tells = tells }

    func note(_ progress: StoreCopyProgress) {
        if activity != progress.activity {
            activity = progress.activity
            let title = Self.title(progress.activity)
            if tells { report("\(title) \(progress.total) objects") }
            bar = ProgressBar(title, total: max(1, progress.total))
        }
        bar?.advance(to: progress.done, of: max(1, progress.total))
    }

    func finish() { bar?.finish() }

    private static func title(_ activity: StoreCopyProgress.Activity) -> String {
        switch activity {
        case .readingAgain: "Reading again"
        case .copying: "Copying"
        case .indexing: "Indexing"
        case .relating: "Relating"
        case .comparing: "Comparing"
        }
    }
}
