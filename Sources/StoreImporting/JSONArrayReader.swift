import StoreBrowsing

/// A reader of records with named members.
protocol MemberReader: RecordReader {
    /// Calls `body` with each member of the present record: its place among all, its key and its value.
    func forEachMember(_ body: (Int, JSONScanner.Key, InputValue) throws -> Void) throws
}

extension JSONLinesReader: MemberReader {}

/// Reads the objects of one JSON array. Objects may go over several lines.
final class JSONArrayReader: MemberReader {
    private let input: InputFile
    private(set) var line = 1
    private var length = 0
    private var scanner = JSONScanner()
    /// How many line breaks the present object has.
    private var breaks = 0
    private var hasBegun = false
    private var hasEnded = false

    init(_ input: InputFile) { self.input = input }

    func next() throws -> Bool {
        input.consume(length)
        line += breaks
        (length, breaks) = (0, 0)
        if hasEnded { return false }
        if !hasBegun {
            guard try nextMark() == UInt8(ascii: "[") else { throw failure("The file does not begin with an array.") }
            hasBegun = true
            if try nextMark(isTaken: false) == UInt8(ascii: "]") { return try end() }
        } else {
            switch try nextMark() {
            case UInt8(ascii: "]"): return try finish()
            case UInt8(ascii: ","): break
            default: throw failure("There is no comma between two objects.")
            }
        }
        guard try nextMark(isTaken: false) == UInt8(ascii: "{") else { throw failure("An object has to stand here.") }
        length = try objectLength()
        return true
    }

    func forEachMember(_ body: (Int, JSONScanner.Key, InputValue) throws -> Void) throws {
        do {
            try scanner.scan(UnsafeBufferPointer(rebasing: input.bytes[..<length]), body)
        } catch let problem as JSONScanner.Problem {
            throw failure("\(problem.reason).")
        }
    }

    private func end() throws -> Bool {
        _ = try nextMark()
        return try finish()
    }

    /// Behind the array there are blanks alone.
    private func finish() throws -> Bool {
        hasEnded = true
        while let byte = try byte(at: 0) {
            guard JSONScanner.isBlank(byte) else { throw failure("Behind the array there is something else.") }
            input.consume(1)
        }
        return false
    }

    /// The next byte that is no blank.
    private func nextMark(isTaken: Bool = true) throws -> UInt8? {
        while let byte = try byte(at: 0) {
            guard JSONScanner.isBlank(byte) else {
                if isTaken { input.consume(1) }
                return byte
            }
            if byte == UInt8(ascii: "\n") { line += 1 }
            input.consume(1)
        }
        throw failure("The array has no end.")
    }

    private func byte(at place: Int) throws -> UInt8? {
        while input.bytes.count <= place {
            if input.isAtEnd { return nil }
            try input.more()
        }
        return input.bytes[place]
    }

    /// How many bytes the object has that begins here. What is wrong within it is found when it is scanned.
    private func objectLength() throws -> Int {
        var (place, depth, isText) = (0, 0, false)
        while let byte = try byte(at: place) {
            place += 1
            switch byte {
            case UInt8(ascii: "\n"): breaks += 1
            case UInt8(ascii: "\\") where isText: place += 1
            case UInt8(ascii: "\""): isText.toggle()
            case UInt8(ascii: "{") where !isText, UInt8(ascii: "[") where !isText: depth += 1
            case UInt8(ascii: "}") where !isText, UInt8(ascii: "]") where !isText:
                depth -= 1
                if depth == 0 { return place }
            default: break
            }
        }
        throw failure("The object has no end.")
    }

    private func failure(_ reason: String) -> ToolFailure {
        ToolFailure(.other, whole: "\(input.name), line \(line): \(reason)")
    }
}
