import PostgreSQLClient
import Testing

@Suite("Decimal numbers")
struct NumericTests {
    private func echo(_ texts: [String]) throws -> [(own: String?, server: String?, expected: String?)] {
        let connection = try connect()
        let statement = try connection.statement("SELECT $1::numeric, $1::text, $2::text::numeric::text")
        var found: [(String?, String?, String?)] = []
        try connection.pipeline { pipeline in
            for text in texts {
                let values = try values {
                    try $0.append(numeric: text)
                    try $0.append(text: text)
                }
                try pipeline.add(statement, values)
            }
        } deliver: { _, result in
            found.append((try result.numeric(0, 0), try result.string(0, 1), try result.string(0, 2)))
        }
        return found
    }

    @Test
    func numbersAreWhatTheServerMakesOfTheirTexts() throws {
        let texts = [
            "0", "-0", "0.00", "1", "-1", "+1", "10000", "9999", "99990000", "1.5", "-1.50", "0.0001", "0.00001", ".5",
            "5.",
            "12345678901234567890123456789012345678", "-0.00000000000000000000000000000000000001", "1e20", "1e-20",
            "1.5E+3", "123.456e-2", "000123.4500", "1e1000", "-1e-1000", "1e131071", "1e-16383", "100000000.00000001",
        ]
        let found = try echo(texts)
        #expect(found.count == texts.count)
        for (text, found) in zip(texts, found) {
            #expect(found.own == found.server, "\(text)")
            #expect(found.own == found.expected, "\(text)")
        }
    }

    @Test
    func randomNumbersAreWhatTheServerMakesOfTheirTexts() throws {
        var texts: [String] = []
        for _ in 0..<2_000 {
            let digits = (0..<Int.random(in: 1...40)).map { _ in
                "0000123456789".randomElement().map(String.init) ?? "0"
            }
            var text = digits.joined()
            if Bool.random() {
                text.insert(".", at: text.index(text.startIndex, offsetBy: .random(in: 0...text.count)))
            }
            if Bool.random() { text = "-" + text }
            if Bool.random() { text += "e\(Int.random(in: -60...60))" }
            texts.append(text)
        }
        for (text, found) in zip(texts, try echo(texts)) {
            #expect(found.own == found.server && found.own == found.expected, "\(text)")
        }
    }

    @Test(arguments: [
        "", ".", "-", "NaN", "Infinity", "1.2.3", "1e", "e5", "1 ", "0x10", "1e999999", "1e-16384", "1e131076", "１",
    ])
    func textsThatAreNoNumbersAreRefused(text: String) {
        var values = PostgreSQLParameters()
        #expect(error { try values.append(numeric: text) }?.kind == .invalidParameter, "\(text)")
        #expect(values.count == 0)
    }

    @Test(arguments: ["NaN", "Infinity", "-Infinity"])
    func valuesOfTheServerThatAreNoNumbersAreErrors(text: String) throws {
        let result = try connect().execute("SELECT '\(text)'::numeric")
        #expect(error { _ = try result.numeric(0, 0) }?.kind == .malformedValue)
    }
}
