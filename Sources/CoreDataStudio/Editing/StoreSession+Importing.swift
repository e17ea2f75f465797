import CoreData
import Foundation
import StoreBrowsing
import StoreImporting

/// A file that a window gave to be imported. It lies in a private folder until another one comes.
final class ImportDraft: Sendable {
    let file: ImportFile
    private let folder: URL

    /// - Throws: `invalidRequest` for a name that says no format.
    init(_ data: Data, name: String) throws {
        guard let format = ImportFile.Format(fileName: name) else {
            throw StudioError(.invalidRequest, "\(name.prefix(80)) is neither a .csv, a .json nor a .jsonl file.")
        }
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("coredata-" + UUID().uuidString)
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let url = folder.appendingPathComponent("Import." + format.rawValue)
        file = ImportFile(path: url.path, format: format)
        try data.write(to: url)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}

/// A plan for the file that was given last, and the window that asks.
struct ImportRequest: Sendable, Decodable {
    var plan: ImportPlan
    var client: String?
    var titles: [String: [String]]?
}

extension StoreSession {
    /// Takes a file to import, and says what is in it.
    func takeImport(_ data: Data, name: String) async throws -> JSON {
        _ = try editing()
        let draft = try ImportDraft(data, name: name)
        let preview: ImportPreview
        do { preview = try ImportPreview(draft.file) } catch let failure as ToolFailure {
            // The store is well: it is the file that can't be read.
            throw StudioError(.invalidRequest, failure.message)
        }
        importDraft = draft
        return preview.json
    }

    /// Makes objects of the file that was given last, or says what would be made.
    func importFile(_ request: ImportRequest) async throws -> JSON {
        let edits = try editing()
        guard let draft = importDraft else {
            throw StudioError(.invalidRequest, "There is no file to import. Choose it anew.")
        }
        let progress = ImportProgress(self, request.client)
        defer { progress.end() }
        let (report, state) = try await edits.work { changes in
            let report = try StagedImport(request.plan, changes).carryOut(draft.file, told: progress.tell)
            return (report.json, changes.state(ObjectTitles(chosen: request.titles ?? [:])))
        }
        await progress.isTold()
        if request.plan.isTrial != true {
            listeners.tell(.changes(state, client: request.client))
            scheduleJournal()
        }
        return ["report": report, "state": state]
    }

    fileprivate func tellProgress(_ count: Int, _ client: String?) {
        listeners.tell(.progress(count, client: client))
    }
}

/// Tells the windows how far an import is, one count after the other.
private struct ImportProgress: Sendable {
    private let counts: AsyncStream<Int>.Continuation
    private let telling: Task<Void, Never>

    init(_ session: StoreSession, _ client: String?) {
        let (told, counts) = AsyncStream.makeStream(of: Int.self)
        self.counts = counts
        telling = Task { for await count in told { await session.tellProgress(count, client) } }
    }

    func tell(_ count: Int) { counts.yield(count) }

    func end() { counts.finish() }

    /// Waits until the windows are told of all counts.
    func isTold() async {
        end()
        await telling.value
    }
}

/// What is in a file: its columns with the first values and their types, and how many records there are.
private struct ImportPreview {
    private struct Column {
        var samples: [String?] = []
        var type = GuessedType()
    }

    private static let mostSamples = 5

    private var titles: [String] = []
    private var columns: [String: Column] = [:]
    private var count = 0

    init(_ file: ImportFile) throws {
        try file.forEach { titles, record in
            self.titles = titles
            count += 1
            for title in titles {
                let text = record.values[title] ?? nil
                var column = columns[title] ?? Column()
                column.type.take(text)
                if column.samples.count < Self.mostSamples { column.samples.append(text) }
                columns[title] = column
            }
            return count <= StagedImport.most
        }
    }

    var json: JSON {
        [
            "count": .integer(count), "isTooLong": .bool(count > StagedImport.most),
            "columns": .array(
                titles.map { title in
                    let column = columns[title] ?? Column()
                    return [
                        "title": .text(title), "type": .text(column.type.name),
                        "samples": .array(column.samples.map { .optional($0.map { String($0.prefix(60)) }) }),
                    ]
                }),
        ]
    }
}
