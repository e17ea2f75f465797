import CoreData
import Foundation
import RandomSeeds
import StoreBrowsing
import Testing

@testable import CoreDataCommand

/// Rows that are written straight from a store's columns are those that a record of each makes.
@Suite("Exported lines")
struct StreamTests {
    @Test("are byte for byte what the records make, in every store and form", arguments: Samples.storeNamesWithModel)
    func stores(name: String) throws {
        try Self.compare(Samples.path(name))
    }

    @Test("are byte for byte what the records make, whatever the columns hold")
    func oddValues() throws {
        let values = [
            "0", "1", "-1", "7", "9223372036854775807", "-9223372036854775808", "68719476736", "464442000",
            "0.0", "-0.0", "0.5", "-3.25", "3.0", "120.0", "1e-05", "0.0001", "0.00012345", "1e15", "1e16",
            "12345678901234567.0",
            "999999999999999.0", "464442000.6415", "-0.0005", "-63114076800.0", "-99999999999.5", "252455615999.9996",
            "1e300", "9e999",
            "-9e999", "''", "'plain'", "' blank'", "'blank '", "'a,b'", "'say \"so\"'", "'back\\slash'",
            "'=1+1'", "'+49'", "'-5'", "'-x'", "'@home'", "'＝1'", "'line' || char(10) || 'break'", "'tab' || char(9)",
            "char(27) || '[31m'", "char(127)", "char(133)", "char(0x61C)", "char(0x200F)", "char(0x202E) || 'x'",
            "char(0x2066)",
            "'Ärger'", "'日本語'", "'🙂'", "'é' || char(0x301)", "'ܐ'", "'־'", "'￾'", "cast(x'C3' as text)",
            "cast(x'41FF42' as text)",
            "cast(x'EDA080' as text)", "cast(x'F0808080' as text)", "cast(x'E28080' as text)", "x''", "x'00'", "x'F8'",
            "x'FB00'",
            "x'FBFFFF'", "x'0102030405'", "randomblob(16)", "randomblob(17)", "zeroblob(16)", "NULL",
        ]
        for (store, table, columns) in [
            (
                "objcio-moody/Moody_5.moody", "ZMOOD",
                ["ZRATING", "ZDATE", "ZLATITUDE", "ZMARKEDFORREMOTEDELETION", "ZREMOTEID", "ZCOLORS", "ZCOUNTRY"]
            ),
            ("apple-recipes/Recipes.sqlite", "ZRECIPE", ["ZNAME", "ZPREPTIME", "ZTHUMBNAILIMAGE", "ZTYPE"]),
            ("cartkit/CartStorage_v1.sqlite", "ZCDCARTITEM", ["ZTOTALPRICEAMOUNT", "ZID", "ZIMAGEURL", "ZQUANTITY"]),
            (
                "ddg-bookmarks/Bookmarks_V4.sqlite", "ZBOOKMARKENTITY",
                ["ZPARENT", "Z_FOK_PARENT", "ZMODIFIEDAT", "ZTITLE"]
            ),
        ] {
            let copy = try StoreCopy(store)
            let all = try Self.columns(of: table, in: copy)
            for column in columns {
                let names = all.filter { $0 != "Z_PK" && $0 != column }.joined(separator: ", ")
                try copy.execute(
                    values.enumerated().map { index, value in
                        """
                        INSERT INTO \(table) (Z_PK, \(column), \(names)) SELECT (SELECT max(Z_PK) + 1 FROM \(table)), \(value), \
                        \(names) FROM \(table) WHERE Z_PK = (SELECT min(Z_PK) FROM \(table))
                        """
                    }.joined(separator: ";"))
            }
            try Self.compare(copy.path)
        }
    }

    /// The names of a table's columns.
    private static func columns(of table: String, in copy: StoreCopy) throws -> [String] {
        let run = try Command(
            executable: URL(fileURLWithPath: "/usr/bin/env"),
            arguments: ["sqlite3", copy.path, "SELECT name FROM pragma_table_info('\(table)')"])
        return run.output.split(separator: "\n").map(String.init)
    }

    private static func compare(_ path: String) throws {
        let store = try OpenedStore(url: URL(fileURLWithPath: path), tellsOddities: false)
        let model = try store.readingModel()
        let folder = try TemporaryFolder()
        for format in [RowFormat.csv, .tsv, .json, .jsonl] {
            for isExact in format == .csv ? [false, true] : [false] {
                let entities = [nil] + model.entitiesByName.map(\.name)
                for entity in entities {
                    let lines = try write(store, entity, format, isExact, folder, streams: true)
                    let expected = try write(store, entity, format, isExact, folder, streams: false)
                    #expect(lines == expected, "\(path) \(entity ?? "all") \(format)")
                }
            }
        }
    }

    /// What an export writes.
    private static func write(
        _ store: OpenedStore, _ entity: String?, _ format: RowFormat, _ isExact: Bool, _ folder: TemporaryFolder,
        streams: Bool
    ) throws -> [String] {
        let file = folder.url.appendingPathComponent("out").path
        let model = try store.readingModel()
        let exporter = try RecordExporter(store)
        let columns = RecordColumns(model, entity: entity)
        let printer = try RowPrinter(
            format, columns.rowColumns, sink: OutputSink(path: file, stores: []), isExact: isExact)
        for name in entity.map({ [$0] }) ?? model.entitiesByName.map(\.name) {
            if streams {
                let stream = try #require(
                    RecordStream(exporter, columns: columns.names, format: format, isExact: isExact))
                try stream.write(name, keys: nil, to: printer, progress: nil)
            } else {
                try exporter.forEachRecord(of: name) { try columns.write($0, to: printer) }
            }
        }
        try printer.finish()
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: file)), as: UTF8.self)
        return text.components(separatedBy: "\n")
    }

    @Test("have numbers as Python writes them, and dates as ISODate does", arguments: 0..<20)
    func numbers(round: Int) throws {
        var random = SeededGenerator(seed: SeededGenerator.seed &+ UInt64(round))
        var buffer = ByteBuffer(capacity: 1)
        for _ in 0..<2000 {
            let bits = UInt64.random(in: 0...UInt64.max, using: &random)
            let candidates = [
                Double(bitPattern: bits), Double(Int64(bitPattern: bits) >> Int64(round * 3)),
                Double(Int64(bitPattern: bits) >> 20) / 1000, Double.random(in: -1e9...1e9, using: &random),
            ]
            for number in candidates where number.isFinite {
                buffer.removeAll()
                buffer.append(number)
                #expect(String(decoding: buffer.bytes, as: UTF8.self) == number.pythonRepresentation)
                buffer.removeAll()
                let writer = FieldWriter(.tsv)
                let seconds = number.magnitude < 1e12 ? number : number.significand
                let text = ISODate.text(.double(seconds))
                if writer.date(seconds, &buffer) {
                    #expect(String(decoding: buffer.bytes, as: UTF8.self) == text)
                } else {
                    #expect((text?.utf8.count ?? 0) != 24 || seconds.magnitude >= 1e11)
                }
            }
            buffer.removeAll()
            buffer.append(Int64(bitPattern: bits) >> Int64(round * 3))
            #expect(
                String(decoding: buffer.bytes, as: UTF8.self) == String(Int64(bitPattern: bits) >> Int64(round * 3)))
            let data = Data((0..<(Int(bits % 40))).map { _ in UInt8.random(in: 0...255, using: &random) })
            buffer.removeAll()
            data.withUnsafeBytes { buffer.append(base64: $0) }
            #expect(String(decoding: buffer.bytes, as: UTF8.self) == data.base64EncodedString())
        }
        for number in [Int64.min, .max, 0, -1, 9, 10, 99, 100, 999_999_999_999_999_999, 1_000_000_000_000_000_000] {
            buffer.removeAll()
            buffer.append(number)
            #expect(String(decoding: buffer.bytes, as: UTF8.self) == String(number))
        }
    }
}
