import ArgumentParser
import Foundation
import StoreBrowsing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Whether a command changes a store, asks before, or only says what it would do.
struct ChangeOptions: ParsableArguments {
    @Flag(help: "Say what would change, and change nothing: it is tried on a copy.")
    var dryRun = false

    @Flag(help: "Change the store without asking.")
    var yes = false

    func validate() throws {
        if dryRun, yes { throw ValidationError("--dry-run and --yes can't go together.") }
    }

    /// Carries out a change, after the question if there is to be one.
    ///
    /// - Parameters:
    ///   - place: The store.
    ///   - verb: What is done, as a sentence of its own begins: "delete".
    ///   - body: The change.
    func carryOut(_ verb: Verb, in place: LiveStore.Place, _ body: (LiveStore) throws -> ChangeReport) throws {
        if !dryRun, !yes {
            guard isatty(STDIN_FILENO) == 1 else { throw Self.unasked(place.store) }
            let preview = try Self.tried(place, body)
            if preview.isEmpty { return print(preview.text(verb.past)) }
            guard Self.isConfirmed(preview.text(verb.future), place.store) else {
                throw CommandFailure(.other, "Nothing was changed.")
            }
        }
        if dryRun { return print(try Self.tried(place, body).text(verb.conditional)) }
        let store = try LiveStore(place, for: .changing)
        let report = try body(store)
        try store.close()
        print(report.text(verb.past))
    }

    /// What a command does, as the first line of its report begins.
    struct Verb {
        let past: String
        let future: String
        let conditional: String
    }

    private static func tried(
        _ place: LiveStore.Place, _ body: (LiveStore) throws -> ChangeReport
    ) throws -> ChangeReport {
        let copy = try ScratchCopy(of: place)
        defer { withExtendedLifetime(copy) {} }
        var place = place
        place.store = .file(copy.url)
        let store = try LiveStore(place, for: .changing)
        let report = try body(store)
        try store.close()
        return report
    }

    private static func unasked(_ store: StorePlace) -> CommandFailure {
        CommandFailure(
            .other,
            "\(store.name) would change, and there is no terminal to ask on. --dry-run says what, and --yes does it.")
    }

    private static func isConfirmed(_ preview: String, _ store: StorePlace) -> Bool {
        let question = "\(preview)\nChange \(TextTable.singleLine(store.name))? [y/N] "
        FileHandle.standardError.write(Data(question.utf8))
        return ["y", "yes"].contains(readLine()?.lowercased())
    }
}

/// How many objects a change is about, by entity.
struct ChangeReport {
    /// Those that the predicate is true for, and behind them those that delete rules add.
    let counts: [(entity: String, count: Int, isByRule: Bool)]

    var isEmpty: Bool { counts.allSatisfy { $0.count == 0 } }

    /// - Parameter verb: "Deleted", or "Would delete".
    func text(_ verb: String) -> String {
        let total = counts.reduce(0) { $0 + $1.count }
        let heading = "\(verb) \(total) \(total == 1 ? "object" : "objects")"
        let lines = counts.map { "  \($0.entity): \($0.count)\($0.isByRule ? ", by delete rules" : "")" }
        return lines.isEmpty ? heading + "." : ([heading + ":"] + lines).joined(separator: "\n")
    }
}
