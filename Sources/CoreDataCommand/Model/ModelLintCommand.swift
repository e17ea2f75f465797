import ArgumentParser
import CoreData
import Foundation
import ModelArchive
import ModelDocument

/// `coredata model lint PATH…`: what is wrong with models.
struct ModelLintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Check models: locked versions that changed, what can't be compiled, and what Xcode would warn of.",
        discussion: """
            Says nothing and exits with 0 where there is nothing to say; with findings the exit code is 1. A version that \
            the lock file beside the model knows must have the hashes that it had (see "coredata model lock"); the \
            current version is checked for what Xcode warns of, and whether it can be compiled.
            """)

    @Argument(help: "An .xcdatamodeld, an .xcdatamodel, a .momd or a .mom; any number of them.", completion: .file())
    var paths: [String]

    @Flag(help: "Print the findings as a JSON array.")
    var json = false

    func run() throws {
        let models = try paths.map(LockedModel.init)
        let findings = try models.map { (url: $0.source.url, findings: try $0.findings()) }
        if json {
            let values = findings.flatMap { url, findings in findings.map { $0.json(for: url) } }
            print(JSONWriter(layout: .indented).string(.array(values)))
        } else {
            for (url, findings) in findings {
                findings.forEach { print(TextTable.singleLine($0.line(for: url))) }
            }
        }
        if findings.contains(where: { !$0.findings.isEmpty }) { throw ExitCode(CommandFailure.Code.other.rawValue) }
    }
}

/// One thing that is wrong with a model.
struct ModelFinding {
    enum Severity: String {
        case error, warning
    }

    var severity: Severity
    var version: String
    var entity: String?
    var property: String?
    var message: String

    init(_ severity: Severity, version: String, _ message: String) {
        self.severity = severity
        self.version = version
        self.message = message
    }

    init(_ finding: LockFinding) {
        self.init(.error, version: finding.version, finding.message)
        entity = finding.entity
        property = finding.property
    }

    init(_ diagnostic: Model.Diagnostic, version: String) {
        self.init(.warning, version: version, diagnostic.description)
        entity = diagnostic.entityName
        property = diagnostic.propertyName
    }

    /// `League.xcdatamodeld: error: League 2: Player.name: It was …`
    func line(for url: URL) -> String {
        // A diagnostic's sentence names its property itself.
        let place = severity == .error ? [entity, property].compactMap(\.self).joined(separator: ".") : ""
        return ["\(url.lastPathComponent): \(severity.rawValue)", version, place, message].filter { !$0.isEmpty }
            .joined(separator: ": ")
    }

    func json(for url: URL) -> JSONValue {
        [
            "model": .string(url.lastPathComponent), "severity": .string(severity.rawValue),
            "version": .string(version), "entity": .optional(entity), "property": .optional(property),
            "message": .string(message),
        ]
    }
}

extension LockedModel {
    /// What is wrong, the locked versions first.
    ///
    /// - Throws: ``CommandFailure`` where the current version can't be read.
    func findings() throws -> [ModelFinding] {
        let locked = (lock?.versions ?? [:]).keys
        if lock == nil { report("note: there is no \(lockURL.lastPathComponent); no version is locked") }
        let current = try ModelAtPath.reporting { try source.document() }
        let versions = try versions(locked.filter(source.versionNames.contains))
        return (lock?.findings(comparedWith: versions) ?? []).map(ModelFinding.init)
            + compilingFindings(current)
            + current.diagnostics.map { ModelFinding($0, version: source.currentVersionName) }
    }

    private func compilingFindings(_ model: Model) -> [ModelFinding] {
        do {
            _ = try ModelArchive.write(model.compiled(), as: .file)
            _ = try VersionHashes(model)
            return []
        } catch {
            return [ModelFinding(.error, version: source.currentVersionName, CommandFailure(error).message)]
        }
    }
}
