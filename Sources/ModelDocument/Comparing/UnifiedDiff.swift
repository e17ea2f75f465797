/// Two texts compared line by line, as version control prints it.
package struct UnifiedDiff {
    /// The lines of the comparison, none for equal texts.
    package private(set) var lines: [String] = []

    package init(_ old: String, _ new: String, path: String, context: Int = 3) {
        let marked = Self.marked(old, new)
        let changes = marked.indices.filter { marked[$0].mark != " " }
        guard !changes.isEmpty else { return }
        lines = ["--- a/\(path)", "+++ b/\(path)"]
        var start = 0
        while start < changes.count {
            var end = start
            while end + 1 < changes.count, changes[end + 1] - changes[end] <= 2 * context { end += 1 }
            let range = max(0, changes[start] - context)..<min(marked.count, changes[end] + context + 1)
            lines.append(Self.head(marked, range))
            lines += marked[range].map { "\($0.mark)\($0.text)" }
            start = end + 1
        }
    }

    private typealias Line = (mark: Character, text: Substring)

    /// All lines of both texts, those that are gone and new marked.
    private static func marked(_ old: String, _ new: String) -> [Line] {
        let (before, now) = (split(old), split(new))
        let difference = now.difference(from: before)
        var (gone, added): (Set<Int>, Set<Int>) = ([], [])
        for change in difference {
            switch change {
            case .remove(let offset, _, _): gone.insert(offset)
            case .insert(let offset, _, _): added.insert(offset)
            }
        }
        var (result, left, right) = ([Line](), 0, 0)
        while left < before.count || right < now.count {
            if left < before.count, gone.contains(left) {
                result.append(("-", before[left]))
                left += 1
            } else if right < now.count, added.contains(right) {
                result.append(("+", now[right]))
                right += 1
            } else {
                result.append((" ", now[right]))
                (left, right) = (left + 1, right + 1)
            }
        }
        return result
    }

    /// The lines of a text; one that does not end is told from one that does as git tells them.
    private static func split(_ text: String) -> [Substring] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let last = lines.removeLast()
        if !last.isEmpty { lines.append(last + "\n\\ No newline at end of file") }
        return lines
    }

    private static func head(_ lines: [Line], _ range: Range<Int>) -> String {
        func place(_ excluded: Character) -> String {
            let first = lines[..<range.lowerBound].count { $0.mark != excluded } + 1
            return "\(first),\(lines[range].count { $0.mark != excluded })"
        }
        return "@@ -\(place("+")) +\(place("-")) @@"
    }
}
