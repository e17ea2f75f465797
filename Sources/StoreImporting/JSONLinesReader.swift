import StoreBrowsing

/// Reads objects of JSON, one a line. The members of an object within an object have keys such as `address.city`.
package final class JSONLinesReader: RecordReader {
    private let input: InputFile
    package private(set) var line = 0
    private var length = 0
    /// The line's end is not part of it.
    private var content = 0
    private var scanner = JSONScanner()

    init(_ input: InputFile) { self.input = input }

    package func next() throws -> Bool {
        repeat {
            input.consume(length)
            line += 1
            guard try findLine() else { return false }
        } while bytes.allSatisfy(JSONScanner.isBlank)
        return true
    }

    private var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: input.bytes[..<content]) }

    private func findLine() throws -> Bool {
        var known = 0
        while true {
            let bytes = input.bytes
            if let end = bytes[known...].firstIndex(of: UInt8(ascii: "\n")) {
                (content, length) = (end, end + 1)
                return true
            }
            if input.isAtEnd {
                (content, length) = (bytes.count, bytes.count)
                return !bytes.isEmpty
            }
            known = bytes.count
            try input.more()
        }
    }

    /// Calls `body` with each member: its place among all, its key and its value.
    ///
    /// - Throws: `ToolFailure` for a line that is no object of JSON, and what `body` throws.
    func forEachMember(_ body: (Int, JSONScanner.Key, InputValue) throws -> Void) throws {
        do {
            try scanner.scan(bytes, body)
        } catch let problem as JSONScanner.Problem {
            throw ToolFailure(
                .other, whole: "\(input.name), line \(line): \(problem.reason), at byte \(problem.place + 1).")
        }
    }
}
