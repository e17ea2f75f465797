import CoreData
import Foundation
import RandomSeeds
import StoreBrowsing
import Testing

@testable import CoreDataCommand

@Suite("Stored values are printed by the attribute's type")
struct StoredValueTests {
    @Test("dates are rounded to the millisecond, halves away from zero, in any year")
    func dates() throws {
        let seed = SeededGenerator.seed
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var seconds: [Double] = [
            0, -0.0005, 0.0005, 0.0015, 0.4999999999999999, -63_114_076_800, 64_092_211_200, 1e12, -1e12,
        ]
        for _ in 0..<2000 {
            seconds.append(Double.random(in: -1e9...1e9, using: &random))
            seconds.append(Double.random(in: -1e13...1e13, using: &random))
            // Exact halves of a millisecond.
            seconds.append(Double(Int64.random(in: -1_000_000...1_000_000, using: &random)) / 1024 * 125 / 1000)
            seconds.append(Double(Int64.random(in: -1_000_000...1_000_000, using: &random)) / 16 * 0.5)
        }
        let program = """
            import datetime, decimal, struct, sys
            decimal.getcontext().prec = 1000
            for line in sys.stdin:
                seconds = struct.unpack("<d", struct.pack("<Q", int(line)))[0]
                ms = int((decimal.Decimal(seconds) * 1000).quantize(decimal.Decimal(1), decimal.ROUND_HALF_UP))
                cycle, rest = divmod(ms, 146_097 * 86_400_000)
                date = datetime.datetime(2001, 1, 1) + datetime.timedelta(milliseconds=rest)
                year = date.year + 400 * cycle
                text = f"{year:04}" if 0 <= year <= 9999 else f"{year:+05}"
                print(text + date.isoformat(timespec="milliseconds")[4:] + "Z")
            """
        let expected = try Python.run(program, input: seconds.map { "\($0.bitPattern)\n" }.joined())
        let written = seconds.map { ISODate.text(.double($0)) ?? "none" }
        #expect(written == expected.split(separator: "\n").map(String.init))
    }

    @Test("decimals have neither exponent nor zeros at their end")
    func decimals() throws {
        let seed = SeededGenerator.seed
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var literals = [
            "0", "-0.0", "1.50", "1e+22", "1.25e-7", "-123.4500", ".5", "5.", "00012.30", "Infinity", "1E3",
        ]
        literals += (0..<2000).map { _ in Double.random(in: -1e20...1e20, using: &random).pythonRepresentation }
        literals += (0..<2000).map { _ in Double.random(in: -1...1, using: &random).pythonRepresentation }
        let program = """
            import decimal, sys
            for line in sys.stdin:
                text = format(decimal.Decimal(line.strip()), "f")
                print(text.rstrip("0").rstrip(".") if "." in text else text)
            """
        let expected = try Python.run(program, input: literals.map { $0 + "\n" }.joined())
        #expect(literals.map(PlainDecimal.text) == expected.split(separator: "\n").map(String.init))
    }

    @Test("a value of an unexpected storage class is printed as it is stored")
    func storageClasses() {
        #expect(SQLValue.int(1).json(as: .boolean) == true)
        #expect(SQLValue.double(0).json(as: .boolean) == false)
        #expect(SQLValue.text("yes").json(as: .boolean) == "yes")
        #expect(SQLValue.int(7).json(as: .string) == "7")
        #expect(SQLValue.double(7).json(as: .string) == "7.0")
        #expect(SQLValue.text("soon").json(as: .date) == "soon")
        #expect(SQLValue.text("ab").json(as: .binary) == "YWI=")
        #expect(SQLValue.blob(Data([1, 2])).json(as: .uuid) == "AQI=")
        #expect(SQLValue.double(.infinity).json(as: .double) == "inf")
        #expect(SQLValue.null.json(as: .date) == .null)
        for exponent in ["-9223372036854775808", "9223372036854775807", "99999999999999999999"] {
            #expect(SQLValue.text("1e" + exponent).json(as: .decimal) == .string("1e" + exponent))
        }
        let uuid = Data((0..<16).map { UInt8($0 * 17) })
        #expect(SQLValue.blob(uuid).json(as: .uuid) == "00112233-4455-6677-8899-AABBCCDDEEFF")
        #expect(SQLValue.text("x").json(as: .decimal) == "x")
    }
}
