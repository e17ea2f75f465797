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

            MODEL is an .xcdatamodeld, an .xcdatamodel, a .momd or a .mom; League.xcdatamodeld/League\\ 2 is a version \
            in one. The store's own version comes from the store, or from the versions beside MODEL.

            EXAMPLES
              coredata migrate League.sqlite --to League.xcdatamodeld --dry-run
              coredata migrate League.sqlite --to League.xcdatamodeld
              coredata migrate League.sqlite --to 'League.xcdatamodeld/League 3' --mapping League2To3.xcmappingmodel
            """)

    @Argument(help: "The store's file.", completion: .file())
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
        let url = try StorePlace(store).file(for: "A migration changes the store’s file")
        let versions = try StoreVersions(of: url, models: models, to: to)
        guard !versions.isDone(configuration: configuration) else { return try write(MigrationReport(of: versions)) }
        let job: any MigrationJob =
            if let mapping {
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
        if backup { report.backup = try StoreBackup.make(of: url, versions.type) }
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
