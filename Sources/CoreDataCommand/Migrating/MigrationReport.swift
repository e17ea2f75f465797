import Foundation
import StoreBrowsing
import StoreInspection

/// What `coredata migrate` says.
struct MigrationReport {
    private let versions: StoreVersions
    private let kind: String
    private let lines: [MigrationPreview.Line]
    private let statements: [String]?
    private let isRefused: Bool
    /// The copy of the store as it was.
    var backup: URL?
    var isMigrated = false

    /// A report on a store that has its version already.
    init(of versions: StoreVersions) {
        (self.versions, kind, lines, statements, isRefused) = (versions, "none", [], nil, false)
    }

    /// - Parameter showsSQL: Whether the statements are told, too.
    init(of versions: StoreVersions, _ job: any MigrationJob, showsSQL: Bool) {
        (self.versions, kind, lines) = (versions, job.kind, job.lines)
        statements = showsSQL ? job.statements : nil
        isRefused = job.refusal != nil
    }

    // MARK: Words

    var text: String {
        let sections = [
            section("Changes", .change), section("Lost", .loss), section("In the way", .refusal), sql, verdict,
        ]
        return sections.compactMap { $0 }.joined(separator: "\n")
    }

    private func section(_ title: String, _ kind: MigrationPreview.Line.Kind) -> String? {
        let own = lines.filter { $0.kind == kind }
        return own.isEmpty
            ? nil : "\(title)\n" + own.map { "  \(TextTable.singleLine($0.description))\n" }.joined()
    }

    private var sql: String? {
        guard let statements, !statements.isEmpty else { return nil }
        return "SQL\n" + statements.map { "  \(TextTable.singleLine($0));\n" }.joined()
    }

    private var verdict: String? {
        if kind == "none" { return "The store is of this version already.\n" }
        if isRefused { return nil }
        guard isMigrated else {
            let loss = lines.contains { $0.kind == .loss } ? "; what is listed under Lost is lost" : ""
            return "The store can be migrated\(loss).\n"
        }
        return "The store is migrated.\n" + (backup.map { "The store as it was: \($0.path)\n" } ?? "")
    }

    // MARK: JSON

    var json: JSONValue {
        [
            "store": .string(versions.place.name), "from": .optional(versions.sourceName),
            "to": .optional(versions.destinationName), "migration": .string(kind),
            "lines": .array(lines.map(\.json)),
            "sql": statements.map { .array($0.map { .string($0) }) } ?? .null,
            "backup": .optional(backup?.path), "migrated": .bool(isMigrated),
        ]
    }
}

extension MigrationPreview.Line {
    fileprivate var json: JSONValue {
        [
            "kind": .string(kind.rawValue), "entity": .string(entity), "property": .optional(property),
            "message": .string(message), "rows": rows.map { .int($0) } ?? .null,
            "total": total.map { .int($0) } ?? .null,
        ]
    }
}
