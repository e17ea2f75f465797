import Foundation

/// The files in which a studio keeps changes that are not saved, as its tests see them.
enum JournalFiles {
    /// Waits until texts are in the journals below a folder: they are written a while after a change.
    static func wait(below folder: URL, for texts: String...) async throws {
        let end = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < end {
            let journals = contents(below: folder)
            if texts.allSatisfy({ journals.range(of: Data($0.utf8)) != nil }) { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw Missing(texts: texts)
    }

    private static func contents(below folder: URL) -> Data {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (files?.compactMap { $0 as? URL } ?? []).filter { $0.path.contains("journal") }
            .compactMap { try? Data(contentsOf: $0) }.reduce(Data(), +)
    }

    struct Missing: Error {
        /// What is not in the journals, all or some of it.
        let texts: [String]
    }
}
