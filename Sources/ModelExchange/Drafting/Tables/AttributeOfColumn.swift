import Foundation
import ModelDocument

/// The attribute that a column becomes.
struct AttributeOfColumn {
    var attribute: Model.Attribute
    /// What was decided, without the name of the column at the start.
    private(set) var notes: [String] = []

    init(_ column: ForeignTable.Column, name: String) {
        let type = Self.type(of: column.type)
        attribute = Model.Attribute(name: name, type: type.type)
        attribute.isOptional = column.isNullable
        if let note = type.note { notes.append(note) }
        if column.isGenerated { notes.append("is computed by the database; the attribute is a plain one") }
        addBounds(column.type)
        if !column.type.name.hasSuffix("[]") { addDefault(column.standard) }
        if let comment = column.comment { attribute.userInfo.add("documentation", comment) }
        if attribute.type.hasScalars { attribute.usesScalarValueType = attribute.defaultValueString != nil }
    }

    // MARK: Types

    private static func type(of foreign: ForeignType) -> (type: Model.AttributeType, note: String?) {
        if !foreign.values.isEmpty { return (.string, nil) }
        let words = Set(foreign.name.split(separator: " ").map(String.init))
        if foreign.name.hasSuffix("[]") {
            return (.string, "is a list (\(foreign.name)), and became a text: give it an entity of its own")
        }
        for (type, names) in names where !words.isDisjoint(with: names) {
            if type == .boolean, words.contains("bit"), foreign.arguments.first ?? 1 > 1 { return (.binary, nil) }
            if type == .boolean, words.contains("tinyint"), foreign.arguments.first != 1 { return (.integer16, nil) }
            if type == .decimal, foreign.arguments.count == 2 || foreign.arguments.isEmpty { return (.decimal, nil) }
            if type == .decimal, let digits = foreign.arguments.first {
                return (digits < 10 ? .integer32 : .integer64, nil)
            }
            if words.contains("unsigned"), type == .integer32 { return (.integer64, nil) }
            return (type, type == .date ? nil : remark(words))
        }
        let shown = foreign.name.isEmpty ? "no type" : "the type \(foreign.name)"
        return (
            foreign.name.isEmpty ? .binary : .string,
            "has \(shown), and became \(foreign.name.isEmpty ? "data" : "a text")"
        )
    }

    private static func remark(_ words: Set<String>) -> String? {
        if !words.isDisjoint(with: ["json", "jsonb", "xml", "hstore"]) { return "holds a document, and became a text" }
        if !words.isDisjoint(with: ["time", "timetz", "interval", "year"]) {
            return "is no point in time (\(words.sorted().joined(separator: " "))), and became a text or a number"
        }
        return nil
    }

    /// The first line that has one of a type's words counts.
    private static let names: [(type: Model.AttributeType, names: Set<String>)] = [
        (.boolean, ["boolean", "bool", "bit", "tinyint"]),
        (.uuid, ["uuid", "uniqueidentifier", "guid"]),
        (.date, ["timestamp", "timestamptz", "datetime", "date", "datetime2", "smalldatetime"]),
        (
            .string,
            ["interval", "json", "jsonb", "xml", "hstore", "citext", "inet", "cidr", "macaddr", "time", "timetz"]
        ),
        (.integer16, ["smallint", "int2", "smallserial", "serial2", "year"]),
        (.integer64, ["bigint", "int8", "bigserial", "serial8"]),
        (.integer32, ["int", "integer", "int4", "mediumint", "serial", "serial4"]),
        (.decimal, ["numeric", "decimal", "dec", "money", "number", "fixed"]),
        (.float, ["float4"]),
        (.double, ["double", "float", "float8", "real"]),
        (
            .string,
            [
                "text", "varchar", "char", "character", "nvarchar", "nchar", "bpchar", "clob", "tinytext", "mediumtext",
                "longtext", "name", "string", "enum", "set",
            ]
        ),
        (.binary, ["blob", "bytea", "binary", "varbinary", "tinyblob", "mediumblob", "longblob", "image"]),
    ]

    // MARK: Bounds and defaults

    private mutating func addBounds(_ type: ForeignType) {
        if !type.values.allSatisfy(\.canBeInDocuments) {
            notes.append("is one of several texts with characters that no document can hold, which were left out")
        } else if !type.values.isEmpty {
            let choices = type.values.map { NSRegularExpression.escapedPattern(for: $0) }
            attribute.regularExpressionString = choices.joined(separator: "|")
            notes.append("is one of \(type.values.map { "“\($0)”" }.joined(separator: ", ")), which is its pattern")
        } else if attribute.type == .string, let length = type.arguments.first, length > 0,
            ["char", "character", "bpchar", "nchar"].contains(where: { type.name.contains($0) })
        {
            attribute.maxValueString = String(length)
        }
        if type.name.contains("unsigned"), attribute.type.hasScalars, attribute.type != .boolean {
            attribute.minValueString = "0"
        }
    }

    private mutating func addDefault(_ standard: ForeignTable.Default?) {
        guard let standard else { return }
        if case .expression(let text) = standard {
            notes.append("has the default \(text), which a model can't have")
        } else if let text = Self.text(of: standard, for: attribute.type) {
            if text.canBeInDocuments {
                attribute.defaultValueString = text
            } else {
                notes.append("has a default with characters that no document can hold, and was left out")
            }
        } else {
            notes.append("has a default that is no \(attribute.type.phrase), and was left out")
        }
    }

    private static func text(of standard: ForeignTable.Default, for type: Model.AttributeType) -> String? {
        switch (standard, type) {
        case (.boolean(let flag), .boolean): flag ? "YES" : "NO"
        case (.boolean(let flag), .integer16), (.boolean(let flag), .integer32), (.boolean(let flag), .integer64):
            flag ? "1" : "0"
        case (.number(let text), .boolean), (.text(let text), .boolean): boolean(text)
        case (.number(let text), .integer16): Int16(text).map(String.init)
        case (.number(let text), .integer32): Int32(text).map(String.init)
        case (.number(let text), .integer64): Int64(text).map(String.init)
        case (.text(let text), .integer16): Int16(text).map(String.init)
        case (.text(let text), .integer32): Int32(text).map(String.init)
        case (.text(let text), .integer64): Int64(text).map(String.init)
        case (.number(let text), .double), (.number(let text), .float), (.text(let text), .double),
            (.text(let text), .float):
            isNumber(text) ? text : nil
        case (.number(let text), .decimal), (.text(let text), .decimal):
            isNumber(text) && Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) != nil ? text : nil
        case (.text(let text), .string), (.number(let text), .string): text
        case (.text(let text), .uuid): UUID(uuidString: text)?.uuidString
        default: nil
        }
    }

    private static func isNumber(_ text: String) -> Bool { Double(text)?.isFinite == true }

    private static func boolean(_ text: String) -> String? {
        switch text.lowercased() {
        case "1", "t", "true", "y", "yes", "on": "YES"
        case "0", "f", "false", "n", "no", "off": "NO"
        default: nil
        }
    }
}

extension Model.AttributeType {
    /// Whether generated classes can declare a scalar.
    var hasScalars: Bool {
        switch self {
        case .integer16, .integer32, .integer64, .double, .float, .boolean: true
        default: false
        }
    }

    /// The type in a sentence.
    var phrase: String {
        switch self {
        case .integer16, .integer32, .integer64: "integer"
        case .decimal, .double, .float: "number"
        case .string: "text"
        case .boolean: "Boolean"
        case .date: "date"
        case .uuid: "UUID"
        case .uri: "URI"
        default: "data"
        }
    }
}
