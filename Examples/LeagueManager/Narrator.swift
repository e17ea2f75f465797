import Foundation

/// Prints the walk, and checks each sentence that it prints.
struct Narrator {
    func title(_ title: String, _ subtitle: String) {
        print(title)
        print(String(repeating: "═", count: title.count))
        print(subtitle)
    }

    func chapter(_ number: Int, _ title: String) { print("\n\(number). \(title)") }

    /// Something to know.
    func say(_ sentence: String) { print("   \(sentence)") }

    /// Something that has to be true.
    func check(_ sentence: String, _ holds: Bool) throws {
        guard holds else { throw Surprise("this should be true, and is not: \(sentence)") }
        print("   ✓ \(sentence)")
    }

    /// What the user reads when a save fails.
    func refusal(_ message: String, code: Int) { print("   ✗ \(message)  [\(code)]") }

    /// Rows in columns, each but the last as wide as its widest cell.
    func table(_ rows: [[String]]) {
        guard let first = rows.first else { return }
        let widths = first.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        for row in rows {
            let cells = zip(row, widths).dropLast().map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
            print("     " + (cells + row.suffix(1)).joined(separator: "  "))
        }
    }

    func end() { print("\nThat was the league: every line with a ✓ was checked while it was printed.") }
}

/// Something in the walk that went otherwise than the sentence says.
struct Surprise: LocalizedError {
    let errorDescription: String?

    init(_ sentence: String) { errorDescription = sentence }
}
