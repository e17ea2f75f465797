import CoreData

/// The program: opens the league's store and walks through it, chapter by chapter.
struct LeagueManager {
    private let directory: URL
    private let isTemporary: Bool

    /// - Parameter directory: where the store goes; a temporary directory, removed at the end, if nil.
    init(directory path: String?) throws {
        isTemporary = path == nil
        directory =
            path.map { URL(fileURLWithPath: $0, isDirectory: true) }
            ?? FileManager.default.temporaryDirectory.appending(path: "league-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    func run() throws {
        defer { if isTemporary { try? FileManager.default.removeItem(at: directory) } }
        let narrator = Narrator()
        narrator.title("The League Manager", "a league of teams and players, kept by Core Data in one SQLite file")
        let walk = Walk(league: try League.open(in: directory), directory: directory, narrator: narrator)
        for chapter in walk.chapters { try chapter() }
        narrator.end()
    }
}
