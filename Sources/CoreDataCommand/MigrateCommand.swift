import ArgumentParser
import CoreData
import Foundation
import StoreBrowsing
import StoreInspection

/// `coredata migrate STORE --to MODEL`: a store of another version of its model, or what that would change.
struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Migrate a store to another version of its model, or say what that would change and lose.",
        discussion: """
            Says entity by entity and property by property what changes, what is lost and what is in the way, with the \
            rows counted. With --dry-run it also prints the SQL and ends; nothing changes. Otherwise the store is copied \
            first, with its external data, and migrated in one transaction: wholly, or it stays as it was. XML and binary \
            stores are migrated, too: object by object, into a new file that takes the old one's place. What can't be \
            inferred is refused with the reason that the app would get, unless --mapping says how it is done.

            STORE may be the URL of a PostgreSQL database. It is migrated in one transaction, and not copied first: make \
            a dump, and say --no-backup. --defer-indexes makes new indexes afterwards, while other programs go on saving.

            MODEL is an .xcdatamodeld, an .xcdatamodel, a .momd or a .mom; League.xcdatamodeld/League\\ 2 is a version \
            in one. The store's own version comes from the store, or from the versions beside MODEL.

            EXAMPLES
              coredata migrate League.sqlite --to League.xcdatamodeld --dry-run
              coredata migrate League.sqlite --to League.xcdatamodeld
              coredata migrate League.sqlite --to 'League.xcdatamodeld/League 3' --mapping League2To3.xcmappingmodel
              coredata migrate postgresql://league@db.example.com/league --to League.xcdatamodeld --no-backup
            """)

    @Argument(help: "The store: a file, or the URL of a PostgreSQL database.", completion: .file())
    var store: String

    @Option(help: ArgumentHelp("The model that the store is to have.", valueName: "model"), completion: .file())
    var to: String

    @Flag(help: "Say what would change, and change nothing.")
    var dryRun = false

    @Option(help: "Migrate by a mapping model: an .xcmappingmodel or a .cdm.", completion: .file())
    var mapping: String?

    @Option(
        name: .customLong("model"),
        help: ArgumentHelp(
            "The model of a store that carries none, of which the version that made the store is taken; several are merged.",
            valueName: "path"),
        completion: .file())
    var models: [String] = []

    @Option(help: "The configuration of the model that the store is for.")
    var configuration: String?

    @Flag(inversion: .prefixedNo, help: "Copy the store beside itself before it is changed.")
    var backup = true

    @Flag(help: "Make new indexes of a database behind the migration, without locks.")
    var deferIndexes = false

    @Flag(help: "Tell of each step on standard error, also where that is no terminal.")
    var progress = false

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        if dryRun, progress { throw ValidationError("--progress and --dry-run can't go together.") }
        if mapping != nil, configuration != nil {
            throw ValidationError("--mapping and --configuration can't go together: a mapping says what it maps.")
        }
    }

    func run() throws {
        let place = try StorePlace(store)
        try check(place)
        let versions = try StoreVersions(of: place, models: models, to: to)
        guard !versions.isDone(configuration: configuration) else { return try write(MigrationReport(of: versions)) }
        let job: any MigrationJob =
            if case .database = place {
                try DatabaseJob(versions, configuration: configuration, defersIndexes: deferIndexes)
            } else if let mapping {
                try MappedJob(versions, mapping: mapping)
            } else if versions.type == .sqlite {
                try InferredJob(versions, configuration: configuration)
            } else {
                try FileJob(versions, configuration: configuration)
            }
        var report = MigrationReport(of: versions, job, showsSQL: dryRun)
        let refusal = job.refusal
        if dryRun || refusal != nil {
            try write(report)
            if let refusal { throw CommandFailure(refusal) }
            return
        }
        if backup { report.backup = try StoreBackup.make(of: place.url, versions.type) }
        let watch = MigrationWatch(tells: progress)
        do {
            defer { watch.finish() }
            try job.run(watch)
        } catch {
            throw failure(error, report.backup)
        }
        report.isMigrated = true
        try write(report)
    }

    /// - Throws: ``CommandFailure`` for what a file or a database can't have.
    private func check(_ place: StorePlace) throws {
        guard case .database(_, let name) = place else {
            if deferIndexes {
                throw CommandFailure(.other, "--defer-indexes is for databases, and \(place.name) is a file.")
            }
            return
        }
        if mapping != nil {
            throw CommandFailure(
                .other, "A migration by a mapping model makes a new store, which \(name) can't become.")
        }
        if backup, !dryRun {
            throw CommandFailure(.other, "\(name) is not copied first. Make a dump with pg_dump, and say --no-backup.")
        }
    }

    private func failure(_ error: any Error, _ backup: URL?) -> CommandFailure {
        let failure = CommandFailure(error)
        let note = backup.map { " The copy \($0.path) is not needed." } ?? ""
        return CommandFailure(failure.code, whole: "\(failure.message) The store is as it was.\(note)")
    }

    private func write(_ report: MigrationReport) throws {
        let text = json ? JSONWriter(layout: .indented).string(report.json) + "\n" : report.text
        let sink = OutputSink()
        try sink.write(text)
        try sink.finish()
    }
}
