import CSQLite
import Foundation
import Testing

@testable import CoreData

@Suite struct SQLiteValueTests {
    private let folder: StoreFolder
    private let under: StoreUnderTest
    private let thing: ObjectReference

    init() throws {
        folder = try StoreFolder()
        under = try StoreUnderTest(folder.file("Things.sqlite"), Self.model())
        thing = try under.newReference("Thing")
    }

    private static let attributes: [(String, NSAttributeType)] = [
        ("int16", .integer16AttributeType), ("int32", .integer32AttributeType), ("int64", .integer64AttributeType),
        ("flag", .booleanAttributeType), ("double", .doubleAttributeType), ("float", .floatAttributeType),
        ("decimal", .decimalAttributeType), ("string", .stringAttributeType), ("date", .dateAttributeType),
        ("data", .binaryDataAttributeType), ("uuid", .UUIDAttributeType), ("uri", .URIAttributeType),
        ("transformed", .transformableAttributeType),
    ]

    private static func model() -> StoreModel {
        var builder = SchemaBuilder()
        let thing = builder.entity("Thing", attributes)
        thing.properties.append(externalData("photo"))
        return builder.model()
    }

    private func cell(_ name: String) -> Int { under.slot("Thing", name).cell }

    /// The snapshot that a save returns and the row that is read afterwards.
    private func written(_ values: [String: Slot]) throws -> [RowSnapshot] {
        [try under.save(inserts: [under.change(thing, nil, values)])[0], try #require(try under.row(thing))]
    }

    @Test func everyTypeComesBackFromTheSaveAndFromTheFile() throws {
        let uuid = UUID()
        let rows = try written([
            "int16": .int(-32768), "int32": .int(Int64(Int32.max)), "int64": .int(.min), "flag": .int(1),
            "double": .double(.infinity), "float": .double(Double(Float(0.1))), "string": .string(""),
            "date": .double(123.456789), "data": .data(Data()), "uuid": .uuid(uuid),
            "uri": .object(NSURL(string: "https://example.org/a?b=c")!), "transformed": .data(Data([0, 1, 2])),
            "decimal": .object(NSDecimalNumber(string: "-12.50")),
        ])
        for row in rows {
            #expect(row.int(cell("int16")) == -32768)
            #expect(row.int(cell("int32")) == Int64(Int32.max))
            #expect(row.int(cell("int64")) == .min)
            #expect(row.int(cell("flag")) == 1)
            #expect(row.double(cell("double")) == .infinity)
            #expect(Float(row.double(cell("float"))) == 0.1)
            #expect(row.string(cell("string")) == "" && !row.isNull(cell("string")))
            #expect(row.double(cell("date")) == 123.456789)
            #expect(row.data(cell("data")).isEmpty && !row.isNull(cell("data")))
            #expect(row.uuid(cell("uuid")) == uuid)
            #expect(row.string(cell("uri")) == "https://example.org/a?b=c")
            #expect(row.data(cell("transformed")) == Data([0, 1, 2]))
            #expect(row.string(cell("decimal")) == "-12.5")
            #expect(row.isNull(cell("photo")))
        }
    }

    @Test func notANumberIsStoredAsNull() throws {
        for row in try written(["double": .double(.nan)]) { #expect(row.isNull(cell("double"))) }
    }

    @Test(arguments: ["0", "1", "-1", "0.1", "123456789.123456", "999999999999999", "100000000000000000000", "0.00001"])
    func decimalsOfFifteenDigitsAreKept(text: String) throws {
        for row in try written(["decimal": .object(NSDecimalNumber(string: text))]) {
            #expect(NSDecimalNumber(string: row.string(cell("decimal"))) == NSDecimalNumber(string: text))
        }
    }

    @Test func theSnapshotOfALongDecimalIsWhatTheColumnKept() throws {
        let rows = try written(["decimal": .object(NSDecimalNumber(string: "12345678901234567890.123"))])
        #expect(rows[0].string(cell("decimal")) == rows[1].string(cell("decimal")))
    }

    @Test func wrongStorageClassesAreReadAsTheAttributesType() throws {
        try under.save(inserts: [under.change(thing)])
        let uuid = UUID()
        try under.store.connection.execute(
            """
            UPDATE ZTHING SET ZINT16 = 'x12', ZINT32 = 3.9, ZFLAG = 0.5, ZDOUBLE = '1.5', ZSTRING = x'4142', ZDATE = 'y',
                ZDATA = 'text', ZUUID = '\(uuid.uuidString)', ZDECIMAL = 'abc', ZTRANSFORMED = 12, ZPHOTO = 'text'
            """)
        let row = try #require(try under.row(thing))
        #expect(row.int(cell("int16")) == 0 && row.int(cell("int32")) == 3 && row.int(cell("flag")) == 1)
        #expect(row.double(cell("double")) == 1.5 && row.double(cell("date")) == 0)
        #expect(row.string(cell("string")) == "AB" && row.data(cell("data")) == Data("text".utf8))
        #expect(row.uuid(cell("uuid")) == uuid && row.string(cell("decimal")) == "abc")
        #expect(row.data(cell("transformed")) == Data("12".utf8))
    }

    @Test func nullsEverywhereAreReadAsNulls() throws {
        try under.save(inserts: [under.change(thing)])
        let row = try #require(try under.row(thing))
        for name in Self.attributes.map(\.0) { #expect(row.isNull(cell(name)), "\(name)") }
    }

    // MARK: External storage

    private func files() throws -> [String] {
        let folder = folder.file(".Things_SUPPORT/_EXTERNAL_DATA")
        return (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    }

    @Test func aSmallValueStaysInItsRowBehindALeadingByte() throws {
        let data = Data(repeating: 9, count: 1000)
        for row in try written(["photo": .data(data)]) {
            #expect(row.data(cell("photo")) == Data([1]) + data)
            #expect(try under.store.externalData(row.data(cell("photo"))) == data)
        }
        #expect(try files().isEmpty)
    }

    @Test func aLargeValueLivesInAFileAsLongAsItsRowNamesIt() throws {
        let data = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
        let rows = try written(["photo": .data(data)])
        for row in rows {
            let raw = row.data(cell("photo"))
            #expect(raw.count == 38 && raw.first == 2 && raw.last == 0)
            #expect(try under.store.externalData(raw) == data)
        }
        let first = try files()
        #expect(first.count == 1)
        let second = try under.save(updates: [under.change(thing, rows[0], ["photo": .data(data + data)])])
        #expect(try files().count == 1 && files() != first)
        try under.save(deletes: [under.change(thing, second[0])])
        #expect(try files().isEmpty)
    }

    @Test func aFailedSaveLeavesNoFileAndKeepsTheOldOne() throws {
        let data = Data(repeating: 1, count: 200_000)
        let old = try written(["photo": .data(data)])[0]
        let kept = try files()
        try under.save(updates: [under.change(thing, old, ["int16": .int(1)])])
        #expect(throws: StoreConflicts.self) {
            try under.save(updates: [under.change(thing, old, ["photo": .data(data + data)])])
        }
        #expect(try files() == kept)
    }

    /// SQLite refuses to bind what is too large for it, which leaves the parameter null.
    @Test(arguments: ["string", "data"])
    func aValueThatIsTooLargeFailsTheSave(_ name: String) throws {
        sqlite3_limit(under.store.connection.handle, SQLITE_LIMIT_LENGTH, 1000)
        let text = String(repeating: "a", count: 2000)
        let value = name == "string" ? Slot.string(text) : .data(Data(text.utf8))
        #expect(throws: NSError.self) { try written([name: value]) }
        #expect(try under.row(thing) == nil)
        let small = try written(["string": .string("b")])
        #expect(small[1].string(cell("string")) == "b" && small[1].isNull(cell("data")))
    }

    @Test func aMissingExternalFileIsNoValue() throws {
        let row = try written(["photo": .data(Data(repeating: 1, count: 200_000))])[0]
        for file in try files() {
            try FileManager.default.removeItem(at: folder.file(".Things_SUPPORT/_EXTERNAL_DATA/" + file))
        }
        #expect(try under.store.externalData(row.data(cell("photo"))) == nil)
    }

    @Test func aNameThatLeadsOutOfTheFolderIsNoValue() throws {
        try Data("secret".utf8).write(to: folder.file("secret"))
        #expect(try under.store.externalData(Data([2]) + Data("../../secret\0".utf8)) == nil)
    }
}
