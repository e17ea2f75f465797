import Foundation
import PostgreSQLClient
import Testing

@Suite("Values")
struct ValueTests {
    /// Sends a value, and reads what the server made of it: the value and its text.
    private func echo<T>(
        _ type: String, _ fill: (inout PostgreSQLParameters) throws -> Void,
        _ read: (PostgreSQLResult, Int, Int) throws -> T?
    ) throws -> (value: T?, text: String?) {
        let connection = try connect()
        let statement = try connection.statement("SELECT $1::\(type), $1::\(type)::text")
        let result = try connection.execute(statement, values(fill))
        return (try read(result, 0, 0), try result.string(0, 1))
    }

    @Test(arguments: [Int64.min, -1, 0, 1, 4_294_967_296, .max])
    func integersOfEightBytesComeBack(number: Int64) throws {
        let found = try echo("int8") {
            $0.append(int64: number)
        } _: {
            try $0.int64($1, $2)
        }
        #expect(found.value == number)
        #expect(found.text == "\(number)")
    }

    @Test(arguments: [Int32.min, -1, 0, .max])
    func integersOfFourBytesComeBack(number: Int32) throws {
        let found = try echo("int4") {
            $0.append(int32: number)
        } _: {
            try $0.int32($1, $2)
        }
        #expect(found.value == number)
        #expect(found.text == "\(number)")
        let wide = try echo("int4") {
            $0.append(int32: number)
        } _: {
            try $0.int64($1, $2)
        }
        #expect(wide.value == Int64(number))
    }

    @Test(arguments: [Int16.min, -1, 0, .max])
    func integersOfTwoBytesComeBack(number: Int16) throws {
        let found = try echo("int2") {
            $0.append(int16: number)
        } _: {
            try $0.int16($1, $2)
        }
        #expect(found.value == number)
        #expect(found.text == "\(number)")
        #expect(
            try echo("int2") {
                $0.append(int16: number)
            } _: {
                try $0.int64($1, $2)
            }.value == Int64(number))
        #expect(
            try echo("int2") {
                $0.append(int16: number)
            } _: {
                try $0.int32($1, $2)
            }.value == Int32(number))
    }

    @Test(
        arguments: [
            0, -0.0, 1.5, .pi, .greatestFiniteMagnitude, .leastNonzeroMagnitude, -.greatestFiniteMagnitude, .infinity,
        ] as [Double])
    func doublesComeBackWithAllBits(number: Double) throws {
        let found = try echo("float8") {
            $0.append(double: number)
        } _: {
            try $0.double($1, $2)
        }
        #expect(found.value?.bitPattern == number.bitPattern)
    }

    @Test
    func doublesThatAreNoNumberComeBack() throws {
        #expect(
            try echo("float8") {
                $0.append(double: .nan)
            } _: {
                try $0.double($1, $2)
            }.value?.isNaN == true)
    }

    @Test(arguments: [0, -0.0, 1.5, .greatestFiniteMagnitude, .leastNonzeroMagnitude, -.infinity] as [Float])
    func floatsComeBackWithAllBits(number: Float) throws {
        let found = try echo("float4") {
            $0.append(float: number)
        } _: {
            try $0.float($1, $2)
        }
        #expect(found.value?.bitPattern == number.bitPattern)
        #expect(
            try echo("float4") {
                $0.append(float: number)
            } _: {
                try $0.double($1, $2)
            }.value == Double(number))
    }

    @Test(arguments: [true, false])
    func booleansComeBack(value: Bool) throws {
        let found = try echo("bool") {
            $0.append(bool: value)
        } _: {
            try $0.bool($1, $2)
        }
        #expect(found.value == value)
        #expect(found.text == "\(value)")
    }

    @Test(arguments: ["", "a", "Größe", "👩‍👩‍👧‍👦🇩🇪", "'; DROP TABLE x; --\\", String(repeating: "ü", count: 500_000)])
    func textsComeBack(text: String) throws {
        let found = try echo("text") {
            try $0.append(text: text)
        } _: {
            try $0.string($1, $2)
        }
        #expect(found.value == text)
        #expect(found.text == text)
    }

    @Test
    func textsAreRefusedWithANulCharacterWithTheNameOfTheParameter() {
        let found = error {
            var values = PostgreSQLParameters()
            values.append(bool: true)
            try values.append(text: "a\0b")
        }
        #expect(found?.kind == .invalidParameter)
        #expect(found?.message.contains("$2") == true)
    }

    @Test(arguments: [0, 1, 255, 1_048_576])
    func bytesComeBack(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let found = try echo("bytea") {
            try $0.append(bytes: bytes)
        } _: { result, row, column in
            try withExtendedLifetime(result) { try result.bytes(row, column).map { Array($0) } }
        }
        #expect(found.value == bytes)
    }

    @Test
    func uuidsComeBack() throws {
        let uuid = UUID()
        let found = try echo("uuid") {
            $0.append(uuid: uuid)
        } _: {
            try $0.uuid($1, $2)
        }
        #expect(found.value == uuid)
        #expect(found.text == uuid.uuidString.lowercased())
    }

    /// Microseconds from the year 2000, and what the server calls that time.
    @Test(
        arguments: [
            (0, "2000-01-01 00:00:00"), (-1, "1999-12-31 23:59:59.999999"),
            (779_500_800_123_456, "2024-09-13 00:00:00.123456"),
            (-211_813_488_000_000_000, "4714-11-24 00:00:00 BC"),
            (9_223_371_331_199_999_999, "294276-12-31 23:59:59.999999"),
            (.max, "infinity"), (.min, "-infinity"),
        ] as [(Int64, String)])
    func timestampsComeBack(time: Int64, text: String) throws {
        let connection = try connect()
        let statement = try connection.statement("SELECT $1::timestamptz, ($1 AT TIME ZONE 'UTC')::text")
        let result = try connection.execute(statement, values { $0.append(timestamp: time) })
        #expect(try result.timestamp(0, 0) == time)
        #expect(try result.string(0, 1) == text)
    }

    @Test
    func nullComesBackAsNilOfEveryType() throws {
        let connection = try connect()
        let statement = try connection.statement("SELECT $1::text")
        let result = try connection.execute(statement, values { $0.appendNull() })
        #expect(result.isNull(0, 0))
        #expect(try result.int64(0, 0) == nil)
        #expect(try result.int32(0, 0) == nil)
        #expect(try result.int16(0, 0) == nil)
        #expect(try result.bool(0, 0) == nil)
        #expect(try result.double(0, 0) == nil)
        #expect(try result.float(0, 0) == nil)
        #expect(try result.string(0, 0) == nil)
        #expect(try result.uuid(0, 0) == nil)
        #expect(try result.timestamp(0, 0) == nil)
        #expect(try result.numeric(0, 0) == nil)
        #expect(try result.bytes(0, 0) == nil)
    }

    @Test
    func valuesAreNotReadAsOfAnotherType() throws {
        let result = try connect().execute("SELECT 'abc'::text, 1::int8, '\\xff'::bytea")
        #expect(error { _ = try result.int64(0, 0) }?.kind == .malformedValue)
        #expect(error { _ = try result.double(0, 0) }?.kind == .malformedValue)
        #expect(error { _ = try result.uuid(0, 1) }?.kind == .malformedValue)
        #expect(error { _ = try result.bool(0, 1) }?.kind == .malformedValue)
        #expect(error { _ = try result.int32(0, 1) }?.kind == .malformedValue)
        #expect(error { _ = try result.int16(0, 1) }?.kind == .malformedValue)
        #expect(error { _ = try result.numeric(0, 1) }?.kind == .malformedValue)
        #expect(error { _ = try result.string(0, 2) }?.kind == .malformedValue)
    }

    @Test(arguments: ["\\xf09f98", "\\xeda080", "\\x41ff", "\\xc3"])
    func textsAreNotReadFromBytesThatAreNotUTF8(bytes: String) throws {
        let result = try connect().execute("SELECT '\(bytes)'::bytea, convert_to('Größe 👩‍👩‍👧‍👦 and more', 'UTF8')")
        #expect(error { _ = try result.string(0, 0) }?.kind == .malformedValue)
        #expect(try result.string(0, 1) == "Größe 👩‍👩‍👧‍👦 and more")
    }

    @Test(arguments: [(1, 0), (-1, 0), (0, 1), (0, -1), (1 << 32, 0)])
    func valuesOutsideOfTheResultAreErrors(row: Int, column: Int) throws {
        let result = try connect().execute("SELECT 1::int8")
        #expect(error { _ = try result.int64(row, column) }?.kind == .misuse)
        #expect(error { _ = try result.bytes(row, column) }?.kind == .misuse)
    }

    @Test
    func integersAreSentInTheWidthThatIsWanted() throws {
        let connection = try connect()
        let statement = try connection.statement("SELECT $1::int2, $2::int4, $3::int8, $4::oid, $5::numeric")
        let result = try connection.execute(
            statement,
            values { values in
                for type in statement.parameterTypes { try values.append(int: 7, as: type) }
            })
        for column in 0..<4 { #expect(try result.int64(0, column) == 7) }
        #expect(try result.numeric(0, 4) == "7")
    }

    @Test(arguments: [(.int2, 32_768), (.int4, -2_147_483_649), (.oid, -1), (.bool, 1)] as [(PostgreSQLType, Int64)])
    func integersThatDoNotFitAreRefusedWithTheNameOfTheParameter(type: PostgreSQLType, number: Int64) {
        var values = PostgreSQLParameters()
        values.appendNull()
        let found = error { try values.append(int: number, as: type) }
        #expect(found?.kind == .invalidParameter)
        #expect(found?.message.contains("$2") == true)
        #expect(values.count == 1)
    }

    @Test
    func arraysAreSent() throws {
        let connection = try connect()
        let uuid = UUID()
        let result = try connection.execute(
            connection.statement(
                "SELECT $1::int8[]::text, $2::float8[]::text, $3::text[]::text, $4::bytea[]::text, $5::uuid[]::text, "
                    + "$6::int8[]::text, 7 = ANY($1), array_length($1, 1)"),
            values {
                try $0.append(int64s: [1, -7, 7])
                try $0.append(doubles: [0.5])
                try $0.append(texts: ["a b", "", "ü"])
                try $0.append(byteArrays: [[1, 255], []])
                try $0.append(uuids: [uuid])
                try $0.append(int64s: [])
            })
        let texts = try (0..<6).map { try result.string(0, $0) }
        #expect(
            texts == [
                "{1,-7,7}", "{0.5}", "{\"a b\",\"\",ü}", "{\"\\\\x01ff\",\"\\\\x\"}",
                "{\(uuid.uuidString.lowercased())}",
                "{}",
            ])
        #expect(try result.bool(0, 6) == true)
        #expect(try result.int32(0, 7) == 3)
    }

    @Test
    func aRefusedValueLeavesTheOthersAsTheyAre() throws {
        var values = PostgreSQLParameters()
        values.append(int64: 5)
        #expect(error { try values.append(texts: ["a", "b\0"]) } != nil)
        #expect(error { try values.append(numeric: "1x") } != nil)
        try values.append(text: "z")
        let connection = try connect()
        let result = try connection.execute(connection.statement("SELECT $1::int8, $2::text"), values)
        #expect(try result.int64(0, 0) == 5)
        #expect(try result.string(0, 1) == "z")
    }
}
