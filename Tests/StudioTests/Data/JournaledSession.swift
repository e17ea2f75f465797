import Foundation

@testable import CoreDataStudio

/// A session that is edited, as one run of the studio has it.
struct JournaledSession {
    let session: StoreSession

    init(_ url: URL, _ journals: URL) throws {
        session = try StoreSession(.file(url), isEdited: true, journals: journals)
    }

    @discardableResult
    func edit(_ action: JSON) async throws -> [String] {
        let request = try JSONDecoder().decode(EditRequest.self, from: (["action": action] as JSON).data())
        return try await session.edit(request)["created"]?.array?.compactMap(\.text) ?? []
    }

    func set(_ object: String, _ key: String, _ value: JSON) async throws {
        try await edit(["kind": "set", "object": .text(object), "key": .text(key), "value": value])
    }

    func recover(
        _ choice: StagedRecoveryRequest.Choice = .recover,
        _ choices: [String: [String: ConflictChoices.Side]]? = nil
    ) async throws -> JSON {
        try await session.resolveRecovery(StagedRecoveryRequest(choice: choice, choices: choices))
    }

    /// What the session's objects have, changes included.
    func value(_ object: String, _ key: String) async throws -> JSON? {
        let shown = try await session.object(ObjectRequest(object: object))
        return shown["values"]?.array?.first { $0["name"]?.text == key }?["value"]
    }

    func state() async throws -> JSON { try await session.changes() }

    /// Ends as a crash does: what is written is what there is.
    func crash() async throws {
        await session.writeJournal()
        await session.journalTask?.value
        try await session.close()
    }
}
