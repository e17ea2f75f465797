import Foundation
import RandomSeeds
import StoreBrowsing
import Testing

@testable import CoreDataCommand

@Suite("JSON is written as Python's json.dumps writes it")
struct JSONWriterTests {
    @Test("keys are sorted by code point, in both layouts")
    func layouts() {
        let value: JSONValue = ["b": [1, .null, true], "a": .object([:]), "Ä": [], "Z": .double(0.5)]
        #expect(JSONWriter(layout: .compact).string(value) == #"{"Z":0.5,"a":{},"b":[1,null,true],"Ä":[]}"#)
        let indented = """
            {
              "Z": 0.5,
              "a": {},
              "b": [
                1,
                null,
                true
              ],
              "Ä": []
            }
            """
        #expect(JSONWriter(layout: .indented).string(value) == indented)
    }

    @Test("strings are escaped as by ensure_ascii, off and on", arguments: [false, true])
    func strings(escapesNonASCII: Bool) throws {
        let seed = SeededGenerator.seed
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let scalars = (0..<3000).map { _ in randomScalar(&random) }
        var text = ""
        for scalar in scalars { text.unicodeScalars.append(scalar) }
        let program = """
            import json, sys
            text = "".join(chr(int(n)) for n in sys.stdin.read().split())
            sys.stdout.reconfigure(encoding="utf-8")
            print(json.dumps(text, ensure_ascii=\(escapesNonASCII ? "True" : "False")), end="")
            """
        let expected = try Python.run(program, input: scalars.map { String($0.value) }.joined(separator: " "))
            .harmlessJSON
        let written = JSONWriter(layout: .compact, escapesNonASCII: escapesNonASCII).string(.string(text))
        #expect(Array(written.utf8) == Array(expected.utf8))
    }

    private func randomScalar(_ random: inout SeededGenerator) -> Unicode.Scalar {
        let limit: UInt32 = [0x80, 0x80, 0x800, 0x3000, 0x11_0000].randomElement(using: &random)!
        while true {
            if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &random)) { return scalar }
        }
    }

    @Test("doubles have the digits and the exponents of repr")
    func doubles() throws {
        let seed = SeededGenerator.seed
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var numbers: [Double] = [
            0, -0.0, 1, -1, 0.1, 1e15, 1e16, 1e17, 123456789012345680, 9007199254740992, 1e-4, 1e-5,
        ]
        numbers += [0.00012345, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1e22, 1e100, 1.5e300, 100]
        for _ in 0..<4000 {
            numbers.append(Double(bitPattern: random.next()))
            numbers.append(Double.random(in: -1e6...1e6, using: &random))
            numbers.append((Double.random(in: -1e17...1e17, using: &random)).rounded())
        }
        numbers = numbers.filter(\.isFinite)
        let program = """
            import struct, sys
            for line in sys.stdin:
                print(repr(struct.unpack("<d", struct.pack("<Q", int(line)))[0]))
            """
        let expected = try Python.run(program, input: numbers.map { "\($0.bitPattern)\n" }.joined())
        #expect(numbers.map(\.pythonRepresentation) == expected.split(separator: "\n").map(String.init))
    }
}
