import Foundation

extension EditingRun {
    /// Expects that no table leads to a row that is not there, by plain SQL.
    func checkTables() throws {
        let run = try StudioProcess.run(
            URL(filePath: "/usr/bin/env"), ["sqlite3", "-readonly", store.url.path, Self.questions])
        if run.status != 0 || run.output != "ok\n" { throw fail("the tables have \(run.output)") }
    }

    private static let questions = """
        PRAGMA integrity_check;
        """
}
