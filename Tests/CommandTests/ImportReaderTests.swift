import CoreData
import Foundation
import RandomSeeds
import StoreBrowsing
import Testing

@testable import CoreDataCommand
@testable import StoreImporting

@Suite("Reading files to import")
struct ImportReaderTests {
    /// A file of these bytes that is read in pieces of that size.
    private static func input(_ text: String, pieceSize: Int, in folder: TemporaryFolder) throws -> InputFile {
        let file = try folder.file("Rows", Data(text.utf8))
        return InputFile(
            try FileHandle(forReadingFrom: file), name: "Rows", size: nil, pieceSize: pieceSize)
    }

    // MARK: CSV

    @Test("random rows that the command writes are read back, however small the pieces")
    func randomRows() throws {
        let folder = try TemporaryFolder()
        let seed = SeededGenerator.seed
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let width = Int.random(in: 2...5, using: &random)
            let rows = (0..<Int.random(in: 1...8, using: &random)).map { _ in
                (0..<width).map { _ in Self.field(&random) }
            }
            let text = rows.map { CSV(isExact: true).line($0) }.joined()
            let size = Int.random(in: 1...40, using: &random)
            let reader = CSVReader(try Self.input(text, pieceSize: size, in: folder))
            var found: [[String]] = []
            while try reader.next() { found.append(try reader.texts()) }
            #expect(found == rows, "\(text.debugDescription) in pieces of \(size)")
        }
    }

    private static func field(_ random: inout SeededGenerator) -> String {
        let parts = ["a", "\"", ",", "\n", "\r", "\r\n", " ", "é", "🏀", "xyz"]
        return (0..<Int.random(in: 0...4, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }
            .joined()
    }

    @Test("lines are counted, those within fields, too; blank ones are passed over", arguments: [1, 2, 7, 1000])
    func lines(pieceSize: Int) throws {
        let folder = try TemporaryFolder()
        let text = "\u{FEFF}a,b\r\n\r\n\n\"1\r\n2\n\",3\n4,5\r6,7"
        let reader = CSVReader(try Self.input(text, pieceSize: pieceSize, in: folder))
        var found: [(Int, [String])] = []
        while try reader.next() { found.append((reader.line, try reader.texts())) }
        #expect(found.map(\.0) == [1, 4, 7, 8])
        #expect(found.map(\.1) == [["a", "b"], ["1\r\n2\n", "3"], ["4", "5"], ["6", "7"]])
    }

    @Test("semicolons and tabulators are told by the first record", arguments: [1, 2, 7, 1000])
    func delimiters(pieceSize: Int) throws {
        let folder = try TemporaryFolder()
        for mark in [";", "\t"] {
            let text = "\u{FEFF}\r\n\"a,,,\n\"\(mark)b\n\"1\(mark)\"\"\"\(mark)2,3\n"
            let reader = CSVReader(try Self.input(text, pieceSize: pieceSize, in: folder))
            var found: [[String]] = []
            while try reader.next() { found.append(try reader.texts()) }
            #expect(found == [["a,,,\n", "b"], ["1\(mark)\"", "2,3"]])
        }
        let reader = CSVReader(try Self.input("\"a\";b\n\"c\"d;e\n", pieceSize: pieceSize, in: folder))
        #expect(try reader.next())
        let failure = #expect(throws: CommandFailure.self) { try reader.next() }
        #expect(failure?.message.contains("neither a semicolon nor the line's end") == true)
    }

    // MARK: JSON

    @Test("random objects that the command writes are read back, however small the pieces")
    func randomObjects() throws {
        let folder = try TemporaryFolder()
        let seed = SeededGenerator.seed
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let writer = JSONWriter(layout: .compact, escapesNonASCII: true)
        for _ in 0..<300 {
            var members: [String: String] = [:]
            for _ in 0..<4 { members[Self.field(&random)] = Self.field(&random) }
            let text = writer.string(.object(members.mapValues(JSONValue.string))) + "\n"
            let size = Int.random(in: 1...40, using: &random)
            let reader = JSONLinesReader(try Self.input(text + text, pieceSize: size, in: folder))
            for line in 1...2 {
                #expect(try reader.next() && reader.line == line)
                var found: [String: String] = [:]
                try reader.forEachMember { _, key, value in
                    if case .text(let bytes) = value { found[key.text] = String(decoding: bytes, as: UTF8.self) }
                }
                #expect(found == members, "\(text)")
            }
            #expect(try !reader.next())
        }
    }

    @Test("objects and arrays that are nested too deep are refused")
    func deep() throws {
        let folder = try TemporaryFolder()
        for part in ["{\"a\":", "["] {
            let text = "{\"a\":" + String(repeating: part, count: 100_000)
            let reader = JSONLinesReader(try Self.input(text, pieceSize: 1 << 20, in: folder))
            #expect(try reader.next())
            let failure = #expect(throws: CommandFailure.self) { try reader.forEachMember { _, _, _ in } }
            #expect(failure?.message.contains("nested too deep") == true)
        }
    }

    @Test("random bytes are read, or refused with their line")
    func randomBytes() throws {
        let folder = try TemporaryFolder()
        let seed = SeededGenerator.seed
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let parts = [
            "{", "}", "[", "]", ":", ",", "\"", "\\", "\\u", "d83c", "\\n", "\n", "\r", "1", "-", "e", "true", "nul",
            " ", "é",
        ]
        for _ in 0..<1000 {
            let text = (0..<Int.random(in: 0...30, using: &random)).map { _ in
                parts.randomElement(using: &random) ?? ""
            }.joined()
            let size = Int.random(in: 1...20, using: &random)
            Self.readAll(CSVReader(try Self.input(text, pieceSize: size, in: folder)))
            Self.readAll(JSONLinesReader(try Self.input(text, pieceSize: size, in: folder)))
        }
    }

    private static func readAll(_ reader: any RecordReader) {
        do {
            while try reader.next() {
                _ = try (reader as? CSVReader)?.texts()
                try (reader as? JSONLinesReader)?.forEachMember { _, key, value in _ = (key.text, value.description) }
            }
        } catch {
            #expect((error as? CommandFailure)?.message.contains(", line ") == true, "\(error)")
        }
    }

    // MARK: Values

    private func slot(_ text: String, _ type: NSAttributeType) throws -> Slot? {
        let attribute = try #require(AttributeText(type))
        var text = text
        return text.withUTF8 { attribute.slot(.text($0)) }
    }

    @Test("random numbers are those that Swift reads")
    func numbers() throws {
        let seed = SeededGenerator.seed
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<3000 {
            var text = (0..<Int.random(in: 1...18, using: &random)).map { _ in
                String(Int.random(in: 0...9, using: &random))
            }.joined()
            if random.chance(70) {
                text.insert(
                    ".", at: text.index(text.startIndex, offsetBy: Int.random(in: 1...text.count, using: &random)))
            }
            if random.chance(20) { text += "e\(Int.random(in: -30...30, using: &random))" }
            if random.chance(30) { text = "-" + text }
            guard case .double(let value)? = try slot(text, .doubleAttributeType) else {
                Issue.record("\(text) is not read")
                continue
            }
            #expect(
                value == Double(text.hasSuffix(".") ? String(text.dropLast()) : text.replacing(".e", with: "e")),
                "\(text)")
        }
    }

    @Test("whole numbers are read up to the ends of their ranges, and not beyond")
    func wholeNumbers() throws {
        let ends: [(NSAttributeType, [String], [String])] = [
            (
                .integer16AttributeType, ["32767", "-32768", "+7", "007"],
                ["32768", "-32769", "", "-", "1.0", " 1", "1e3"]
            ),
            (.integer32AttributeType, ["2147483647", "-2147483648"], ["2147483648", "-2147483649"]),
            (
                .integer64AttributeType, ["9223372036854775807", "-9223372036854775808"],
                ["9223372036854775808", "-9223372036854775809", "99999999999999999999999"]
            ),
        ]
        for (type, good, bad) in ends {
            for text in good {
                guard case .int(let value)? = try slot(text, type) else {
                    Issue.record("\(text) is not read")
                    continue
                }
                #expect(value == Int64(text))
            }
            for text in bad { #expect(try slot(text, type) == nil, "\(text)") }
        }
    }

    @Test("random dates are read back from the texts that the command writes")
    func dates() throws {
        let seed = SeededGenerator.seed
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<3000 {
            let milliseconds = Int64.random(in: -63_000_000_000_000...250_000_000_000_000, using: &random)
            let text = ISODate.text(milliseconds: Int128(milliseconds))
            let seconds = try #require(ISODate.seconds(text), "\(text)")
            #expect((seconds * 1000).rounded() == Double(milliseconds), "\(text)")
        }
    }

    @Test(
        "dates are ISO 8601, with a time or without, with an offset or without",
        arguments: [
            ("2001-01-01", 0), ("2001-01-01T00:01Z", 60), ("2001-01-01 00:00:01", 1), ("2001-01-01T01:00:00+01:00", 0),
            ("2000-12-31T22:30-0130", 0), ("2001-01-01T00:00:00.125Z", 0.125), ("2000-02-29", -26_524_800),
            ("0001-01-01", -63_113_904_000),
        ])
    func dateForms(text: String, seconds: Double) { #expect(ISODate.seconds(text) == seconds) }

    @Test(
        "other texts are no dates",
        arguments: [
            "", "2001", "2001-1-1", "2001-13-01", "2001-02-29", "2001-01-32", "2001-01-01T", "2001-01-01T24:00",
            "2001-01-01T00:60", "2001-01-01T00:00:61", "2001-01-01T00:00:00.", "2001-01-01T00:00+25:00",
            "2001-01-01T00:00Zx", "01.02.2001", "2001-01-01T00:00:00Z ",
        ])
    func noDates(text: String) { #expect(ISODate.seconds(text) == nil) }
}
