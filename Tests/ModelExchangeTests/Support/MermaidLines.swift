import Foundation

/// The statements of an entity relationship diagram, as Mermaid's grammar reads them.
struct MermaidDiagram {
    struct Link: Hashable {
        let from: String
        let marks: String
        let to: String
        let label: String
    }

    /// The attributes with types, keys and comments, by entity.
    private(set) var entities: [String: [[String]]] = [:]
    private(set) var links: [Link] = []

    struct Failure: Error { let line: String }

    /// - Throws: With the first line that is no statement.
    init(_ text: String) throws {
        var lines = text.components(separatedBy: "\n")[...]
        guard lines.popFirst() == "erDiagram", lines.popLast() == "" else { throw Failure(line: "the first or last") }
        // What the grammar takes for a name, and what it would take a whole line for.
        let name = #""([^"%\r\n\u{B}\u{8}\\]+)""#
        while let line = lines.popFirst() {
            if line.firstMatch(of: /(?i)direction\s+(TB|BT|RL|LR)/) != nil { throw Failure(line: line) }
            if let match = try Self.match("    \(name)( \\{)?", line) {
                entities[Self.decoded(match[1])] = match[2].isEmpty ? [] : try Self.attributes(&lines)
            } else if let match = try Self.match(
                "    \(name) ([|}][o|](?:--|\\.\\.)[o|][|{]) \(name) : \(name)", line)
            {
                links.append(
                    Link(
                        from: Self.decoded(match[1]), marks: match[2], to: Self.decoded(match[3]),
                        label: Self.decoded(match[4])))
            } else {
                throw Failure(line: line)
            }
        }
    }

    private static func attributes(_ lines: inout ArraySlice<String>) throws -> [[String]] {
        var found: [[String]] = []
        while let line = lines.popFirst(), line != "    }" {
            let word = #"([*A-Za-z_\u{C0}-\u{FFFF}][A-Za-z0-9\-_\[\]()\u{C0}-\u{FFFF}*]*)"#
            guard let match = try match("        \(word) \(word)( UK)?( \"[^\"~\n]*\")?", line),
                !["pk", "fk", "uk"].contains(match[2].lowercased())
            else { throw Failure(line: line) }
            found.append([match[1], match[2], match[3], decoded(match[4])])
        }
        return found
    }

    private static func match(_ pattern: String, _ line: String) throws -> [String]? {
        guard let match = try Regex(pattern).matchingSemantics(.unicodeScalar).wholeMatch(in: line) else { return nil }
        return (0..<match.count).map { match[$0].substring.map(String.init) ?? "" }
    }

    /// The text with `#34;` as Mermaid draws it.
    static func decoded(_ text: String) -> String {
        text.replacing(/#(\d+);/) { match in
            UInt32(match.output.1).flatMap(Unicode.Scalar.init).map { String($0) } ?? "?"
        }
    }
}
