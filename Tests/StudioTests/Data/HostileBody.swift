import Foundation
import RandomSeeds

@testable import CoreDataStudio

/// Makes bodies of requests that are a little off what a page sends: of other kinds, without members, without end.
struct HostileBody {
    var numbers: SeededGenerator

    private static let texts = [
        "", " ", "\u{0}", "a\u{0}b", "\u{FEFF}", "😀", "%@", "%", "' OR 1=1 --", "SELF", "objectID", "self", "@count",
        "lines.@count", "lines.quantity", "a.b.c", ".", "..", "../../etc/passwd", "Nothing", "Order", "Person", "lines",
        "lineCount", "name", "number", "tags", "shelf.room", "name ==", "FUNCTION(name, 'class') == 1",
        "name MATCHES '(a+)+$'", "Order/p1", "Order/p0", "Order/p-1", "Order/p9223372036854775807",
        "Order/p9223372036854775808", "Order/p-9223372036854775808", "Order/t1", "Order/", "/", "Nothing/p1", "mine",
        String(repeating: "x", count: 20_000), String(repeating: "(", count: 20_000),
    ]

    /// What can't be written as a value: text in place of a mark.
    private static let marks: [String: String] = [
        "@1": "9223372036854775807", "@2": "-9223372036854775808", "@3": "99999999999999999999", "@4": "1e400",
        "@5": "-0.0", "@6": "1e308", "@7": nested(100), "@8": nested(500), "@9": nested(30_000),
    ]

    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    /// - Parameter template: A body that is as it should be.
    mutating func body(like template: JSON) -> Data {
        var json = template
        for _ in 0..<Int.random(in: 1...3, using: &numbers) { json = changed(json) }
        var text = String(decoding: json.data(), as: UTF8.self)
        for (mark, replacement) in Self.marks { text.replace("\"\(mark)\"", with: replacement) }
        return Data(text.utf8)
    }

    private mutating func changed(_ value: JSON) -> JSON {
        guard numbers.chance(85) else { return anything() }
        switch value {
        case .object(var members):
            let names = members.keys.sorted() + (numbers.chance(10) ? [text()] : [])
            guard let name = names.randomElement(using: &numbers) else { return anything() }
            members[name] = numbers.chance(20) ? nil : changed(members[name] ?? .null)
            return .object(members)
        case .array(var items):
            guard let index = items.indices.randomElement(using: &numbers) else { return [anything()] }
            items[index] = changed(items[index])
            return .array(items)
        default: return anything()
        }
    }

    private mutating func anything() -> JSON {
        switch Int.random(in: 0..<10, using: &numbers) {
        case 0: .null
        case 1: .bool(numbers.chance(50))
        case 2: .integer([0, 1, -1, 1 << 40].randomElement(using: &numbers) ?? 0)
        case 3, 4: .text(Self.marks.keys.sorted().randomElement(using: &numbers) ?? "")
        case 5: [.text(text()), .text(text())]
        case 6: .object([text(): .text(text())])
        case 7: .array(Array(repeating: .text("Order/p1"), count: 2000))
        default: .text(text())
        }
    }

    /// A text as the value of a query's member.
    mutating func text() -> String { Self.texts.randomElement(using: &numbers) ?? "" }
}
