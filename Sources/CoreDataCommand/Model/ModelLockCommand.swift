import ArgumentParser
import Foundation
import ModelArchive

/// `coredata model lock PATH`: remembers the version hashes of versions that ship.
struct ModelLockCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: "Write down the version hashes of versions that ship, in a lock file beside the model.",
        discussion: """
            A store opens only with a model of the hashes that it was made with, so a version that has shipped must stay \
            as it is. League.modellock beside League.xcdatamodeld keeps, for each locked version, every entity's hash \
            and what it is made of; commit it with the model, and let "coredata model lint" check it. Locked versions \
            that changed are an error here as well, unless --force is given.

            EXAMPLES
              coredata model lock League.xcdatamodeld
              coredata model lock League.xcdatamodeld --model-version "League 2"
            """)

    @Argument(help: "An .xcdatamodeld, an .xcdatamodel, a .momd or a .mom.", completion: .file())
    var path: String

    @Option(help: "A version to lock; it may be given more than once. Without it all versions.")
    var modelVersion: [String] = []

    @Flag(help: "Lock anew what has changed since it was locked.")
    var force = false

    func run() throws {
        let model = try LockedModel(path: path)
        let names = modelVersion.isEmpty ? model.source.versionNames : modelVersion
        for name in names where !model.source.versionNames.contains(name) {
            throw CommandFailure(.other, "There is no version \"\(name)\" in \(model.source.url.lastPathComponent).")
        }
        let versions = try model.versions(names)
        if !force { try refuseChanges(model, versions) }
        var lock = model.lock ?? ModelLock()
        lock.versions.merge(versions) { _, new in new }
        do {
            try Data(lock.text.utf8).write(to: model.lockURL, options: .atomic)
        } catch {
            throw CommandFailure(error)
        }
        print("locked \(names.sorted().joined(separator: ", ")) in \(model.lockURL.lastPathComponent)")
    }

    private func refuseChanges(_ model: LockedModel, _ versions: [String: ModelLock.Version]) throws {
        let known = (model.lock?.versions ?? [:]).filter { versions[$0.key] != nil }
        let findings = ModelLock(versions: known).findings(comparedWith: versions)
        guard !findings.isEmpty else { return }
        for finding in findings { report(TextTable.singleLine(try finding.placed(in: model, path).line)) }
        throw CommandFailure(
            .other,
            "Locked versions have changed. Put them back as they were and change a new version, or lock anew with --force."
        )
    }
}
