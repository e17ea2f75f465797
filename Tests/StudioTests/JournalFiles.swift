import Foundation

/// The files in which a studio keeps changes that are not saved, as its tests see them.
enum JournalFiles {
    /// Waits until texts are in the journals below a folder: they are written a while after a change.
    static func wait(below folder: URL, for texts: String...) async throws {
        let areKept = try await comesTrue {
            let journals = contents(below: folder)
            return texts.allSatisfy { journals.range(of: Data($0.utf8)) != nil }
        }
        if areKept { return }
        throw Missing(texts: texts)
    }

    /// The contents of all journals, without files that are still being written: those have other names.
    private static func contents(below folder: URL) -> Data {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (files?.compactMap { $0 as? URL } ?? [])
            .filter { $0.lastPathComponent == "changes.json" || $0.path.hasSuffix(".studio-journal") }
            .compactMap { try? Data(contentsOf: $0) }.reduce(Data(), +)
    }

    struct Missing: Error {
        /// What is not in the journals, all or some of it.
        let texts: [String]
    }
}
