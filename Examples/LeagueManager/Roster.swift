import Foundation

/// The players of `Players.csv`.
struct Roster {
    struct Entry {
        let team: String
        let uniformColor: String
        let firstName: String
        let lastName: String
        let dateOfBirth: Date?
        let email: String?
        let salary: NSDecimalNumber
    }

    let entries: [Entry]

    /// Reads the file that lies among the program's resources.
    init() throws {
        guard let url = Bundle.module.url(forResource: "Players", withExtension: "csv") else {
            throw Surprise("Players.csv is not in the program's resources")
        }
        let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").dropFirst()
        entries = try lines.map(Self.entry)
    }

    private static func entry(of line: Substring) throws -> Entry {
        let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard cells.count == 7 else { throw Surprise("Players.csv has a line of \(cells.count) cells: \(line)") }
        return Entry(
            team: cells[0], uniformColor: cells[1], firstName: cells[2], lastName: cells[3],
            dateOfBirth: try? Date(cells[4], strategy: .iso8601.year().month().day()),
            email: cells[5].isEmpty ? nil : cells[5], salary: NSDecimalNumber(string: cells[6]))
    }
}
