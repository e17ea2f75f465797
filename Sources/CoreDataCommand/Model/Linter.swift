import CoreData
import Foundation
import ModelArchive
import ModelDocument
import ModelLint
import StoreBrowsing

/// Checks the models at some paths.
struct Linter {
    let checksAllVersions: Bool
    let ignored: Set<Model.DiagnosticCode>
    private(set) var findings: [LintFinding] = []
    /// Why the first model of a folder that could not be read could not; the others are checked all the same.
    private(set) var failure: CommandFailure?

    init(checksAllVersions: Bool, ignored: Set<Model.DiagnosticCode>) {
        self.checksAllVersions = checksAllVersions
        self.ignored = ignored
    }

    /// Checks the model at a path, or all documents below a folder.
    ///
    /// - Throws: ``CommandFailure`` where there is no model, or one that can't be read.
    mutating func add(_ path: String) throws {
        guard let documents = try Self.documents(below: path) else { return try check(path) }
        guard !documents.isEmpty else { throw CommandFailure(.foreign, "There is no model document in \(path).") }
        for document in documents {
            do {
                try check(document)
            } catch let failure as CommandFailure {
                report("error: \(failure.message)")
                self.failure = self.failure ?? failure
            }
        }
    }

    /// The documents below a folder that is none itself; nil for anything else.
    private static func documents(below path: String) throws -> [String]? {
        let url = URL(fileURLWithPath: path)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue,
            !ModelSource.pathExtensions.contains(url.pathExtension.lowercased())
        else { return nil }
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
        let documents = names.filter { name in
            let folder = (name as NSString).deletingLastPathComponent
            if name.hasSuffix(".xcdatamodeld") { return true }
            return name.hasSuffix(".xcdatamodel") && !folder.hasSuffix(".xcdatamodeld")
        }
        return documents.sorted().map { path.hasSuffix("/") ? path + $0 : path + "/" + $0 }
    }

    private mutating func check(_ path: String) throws {
        let locked = try LockedModel(path: path)
        for finding in try locked.findings() { add(try finding.placed(in: locked, path)) }
        let current = locked.source.currentVersionName
        for name in locked.source.versionNames where name == current || checksAllVersions {
            let file = try LintedFile(locked.source, path: path, version: name)
            for diagnostic in ModelLint.diagnostics(of: file.model) {
                add(LintFinding(diagnostic, in: file))
            }
        }
    }

    private mutating func add(_ finding: LintFinding) {
        if !ignored.contains(finding.diagnostic.code) { findings.append(finding) }
    }
}

/// One version of a model, with its lines where it is a document.
struct LintedFile {
    /// The path to print.
    let path: String
    let version: String
    let model: Model
    private let lines: Model.DocumentLines?

    /// - Throws: ``CommandFailure`` for a version that can't be read.
    init(_ source: ModelSource, path: String, version: String) throws {
        self.version = version
        let pathExtension = source.url.pathExtension.lowercased()
        guard ["xcdatamodeld", "xcdatamodel"].contains(pathExtension) else {
            self.path = path
            model = try ModelAtPath.reporting { try source.document(version: version) }
            lines = nil
            return
        }
        let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
        let file = folder + (pathExtension == "xcdatamodeld" ? "/\(version).xcdatamodel" : "") + "/contents"
        self.path = file
        (model, lines) = try ModelAtPath.reporting {
            let contents = try ModelDocumentFolder(contentsOf: source.url).contents(ofVersion: version)
            do {
                return (try Model(contents: contents), try Model.DocumentLines(contents: contents))
            } catch var error as ModelDocumentError {
                error.url = error.url ?? URL(fileURLWithPath: file)
                throw error
            }
        }
    }

    /// The line of an element, if there are lines.
    func line(of path: Model.ElementPath) -> Int? { lines?.line(of: path) }
}

/// One thing that is wrong with a model, and where.
struct LintFinding {
    let diagnostic: Model.Diagnostic
    let path: String
    let lineNumber: Int?
    let version: String

    init(_ diagnostic: Model.Diagnostic, in file: LintedFile) {
        self.diagnostic = diagnostic
        path = file.path
        lineNumber = file.line(of: diagnostic.path)
        version = file.version
    }

    init(_ diagnostic: Model.Diagnostic, path: String, version: String) {
        self.diagnostic = diagnostic
        self.path = path
        self.version = version
        lineNumber = nil
    }

    var severity: Model.DiagnosticCode.Severity { diagnostic.severity }

    /// `League.xcdatamodeld/League.xcdatamodel/contents:12: warning: Player.team has no inverse: … [no-inverse]`
    var line: String {
        guard let lineNumber else { return "\(path): \(severity.rawValue): \(version): \(sentence)" }
        return "\(path):\(lineNumber): \(severity.rawValue): \(sentence)"
    }

    private var sentence: String { "\(diagnostic.message) [\(diagnostic.code.rawValue)]" }

    var json: JSONValue {
        [
            "file": .string(path), "line": lineNumber.map { .int(Int64($0)) } ?? .null,
            "severity": .string(severity.rawValue), "code": .string(diagnostic.code.rawValue),
            "version": .string(version), "entity": .optional(diagnostic.entityName),
            "property": .optional(diagnostic.propertyName), "message": .string(diagnostic.message),
        ]
    }
}

// MARK: - Locked versions

extension LockedModel {
    /// What is no longer as it was locked.
    ///
    /// - Throws: ``CommandFailure`` where a locked version can't be read.
    func findings() throws -> [LockFinding] {
        guard let lock else { return [] }
        let versions = try versions(lock.versions.keys.filter(source.versionNames.contains))
        return lock.findings(comparedWith: versions)
    }
}

extension LockFinding {
    /// The finding as one of the model that has the version.
    ///
    /// - Throws: ``CommandFailure`` where the version can't be read.
    func placed(in model: LockedModel, _ path: String) throws -> LintFinding {
        guard model.source.versionNames.contains(version) else {
            return LintFinding(diagnostic(at: .model), path: path, version: version)
        }
        let file = try LintedFile(model.source, path: path, version: version)
        let place = entity.flatMap { file.model.path(ofEntity: $0, property: property) } ?? .model
        return LintFinding(diagnostic(at: place), in: file)
    }

    private func diagnostic(at place: Model.ElementPath) -> Model.Diagnostic {
        let title = [entity, property].compactMap { $0 }.joined(separator: ".")
        let sentence = title.isEmpty ? message : "\(title): \(message)"
        return Model.Diagnostic(.lockedVersion, sentence, at: place, entity: entity, property: property)
    }
}
