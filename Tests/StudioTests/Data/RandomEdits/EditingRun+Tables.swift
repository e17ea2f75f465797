import Foundation

@testable import CoreDataStudio

// What the tables of the file have, as a program reads them that has nothing of this package.

extension EditingRun {
    /// Expects that the tables have what the store has to have, and nothing beside it.
    func checkTables() throws {
        let run = try StudioProcess.run(
            URL(filePath: "/usr/bin/env"), ["sqlite3", "-readonly", store.url.path] + Self.statements)
        let lines = run.output.split(separator: "\n")
        guard run.status == 0, lines.first == "ok" else { throw fail("the tables can't be read: \(run.output)") }
        let found = try ShopWorld(tables: lines.dropFirst().map { try JSON.read(Data($0.utf8)) })
        var wanted = stored
        for (fact, value) in wanted.facts {
            if case .value(_, let key) = fact { wanted.facts[fact] = .text(ShopTables.column(value.text, key)) }
        }
        try expectEqual(wanted, found) { fact, list in
            wanted[fact].list == list ? nil : "the tables have \(list), not \(wanted[fact].list)"
        }
        tally.count("files read")
    }

    private static let statements =
        ["PRAGMA integrity_check"] + ShopTables.values + ShopTables.relationships
}

/// Statements whose rows are facts as JSON: a kind, an object, a key, and how it is.
enum ShopTables {
    private static let tables = ["Order", "Line", "Product", "Tag"]
    private static let bytes = ["photo", "code"]
    private static let texts = ["name", "remark", "city", "page", "shelf.room", "shelf.row"]

    /// The values of each table, with the entities of the rows.
    static let values = tables.flatMap { table in
        let rows = "FROM Z\(table.uppercased()) AS r JOIN Z_PRIMARYKEY AS e ON e.Z_ENT = r.Z_ENT"
        let keys = (WideShop.attributes(of: table) + (table == "Product" ? WideShop.attributes(of: "Voucher") : []))
        return ["SELECT json_array('entity', \(id("e.Z_NAME", "r.Z_PK")), '', e.Z_NAME) \(rows)"]
            + Set(keys.map(\.key)).sorted().map { key in
                let column = "Z" + key.uppercased().replacing(".", with: "_")
                let value = bytes.contains(key) ? "hex(\(column))" : column
                return "SELECT json_array('value', \(id("e.Z_NAME", "r.Z_PK")), '\(key)', \(value)) \(rows) "
                    + "WHERE \(column) IS NOT NULL"
            }
    }

    /// The columns that lead to other rows, and the tables that join rows; members come in their order.
    static let relationships = [
        "SELECT json_array('link', 'Line/p' || Z_PK, 'order', 'Order/p' || ZORDER) FROM ZLINE",
        "SELECT json_array('link', 'Line/p' || l.Z_PK, 'product', \(id("e.Z_NAME", "l.ZPRODUCT"))) "
            + "FROM ZLINE AS l JOIN Z_PRIMARYKEY AS e ON e.Z_ENT = l.Z4_PRODUCT WHERE l.ZPRODUCT IS NOT NULL",
        "SELECT json_array('order', 'Order/p' || ZORDER, 'lines', 'Line/p' || Z_PK) FROM ZLINE ORDER BY Z_FOK_ORDER",
        "SELECT json_array('member', 'Order/p' || Z_3ORDERS, 'tags', 'Tag/p' || Z_6TAGS) FROM Z_3TAGS",
        "SELECT json_array('member', 'Tag/p' || Z_6TAGS, 'products', \(id("e.Z_NAME", "p.Z_PK"))) \(products)",
        "SELECT json_array('order', 'Tag/p' || Z_6TAGS, 'products', \(id("e.Z_NAME", "p.Z_PK"))) \(products) "
            + "ORDER BY Z_FOK_4PRODUCTS",
    ]

    private static let products =
        "FROM Z_4TAGS LEFT JOIN ZPRODUCT AS p ON p.Z_PK = Z_4PRODUCTS LEFT JOIN Z_PRIMARYKEY AS e ON e.Z_ENT = p.Z_ENT"

    private static func id(_ entity: String, _ key: String) -> String { "\(entity) || '/p' || \(key)" }

    /// A value as its column has it.
    static func column(_ text: String?, _ key: String) -> String? {
        guard let text else { return nil }
        switch key {
        case "code": return text.replacing("-", with: "")
        // A small value stands in the row, behind a byte that says so.
        case "photo": return "01" + (Data(base64Encoded: text) ?? Data()).map { String(format: "%02X", $0) }.joined()
        case "isPaid": return text == "true" ? "1.0" : "0.0"
        default: return texts.contains(key) ? text : Double(text).map { "\($0)" }
        }
    }
}

extension ShopWorld {
    /// - Parameter tables: The rows of the statements.
    init(tables: [JSON]) throws {
        for row in tables {
            let parts = row.array ?? []
            let (id, key) = (parts[1].text ?? "", parts[2].text ?? "")
            let value = parts[3].text ?? ""
            switch parts[0].text {
            case "entity": entities[id] = value
            case "value": facts[.value(id, key)] = .text(Self.text(parts[3]))
            case "link": facts[.link(id, key)] = .text(value)
            case "member": facts[.member(id, key, value)] = .flag(true)
            default: facts[.order(id, key)] = .list(self[.order(id, key)].list + [value])
            }
        }
    }

    private static func text(_ value: JSON) -> String? {
        switch value {
        case .integer(let number): "\(Double(number))"
        case .number(let number): "\(number)"
        default: value.text
        }
    }
}
