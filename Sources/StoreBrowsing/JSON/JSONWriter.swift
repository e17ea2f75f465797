/// Writes JSON in the forms of Python's `json.dumps` with sorted keys.
package struct JSONWriter: Sendable {
    /// How values are set apart.
    package enum Layout: Sendable {
        /// One line without blanks: `separators=(",", ":")`.
        case compact
        /// A line per member, two blanks a level: `indent=2`.
        case indented
    }

    package var layout: Layout
    /// Whether everything beyond ASCII is escaped, as by `ensure_ascii=True`.
    package var escapesNonASCII: Bool

    package init(layout: Layout, escapesNonASCII: Bool = false) {
        (self.layout, self.escapesNonASCII) = (layout, escapesNonASCII)
    }

    package func string(_ value: JSONValue) -> String {
        var out = ""
        write(value, to: &out, depth: 0)
        return out
    }

    private func write(_ value: JSONValue, to out: inout String, depth: Int) {
        switch value {
        case .null: out += "null"
        case .bool(let flag): out += flag ? "true" : "false"
        case .int(let number): out += String(number)
        case .double(let number): out += number.pythonRepresentation
        case .string(let text): write(text, to: &out)
        case .array(let items):
            writeList(items, "[", "]", to: &out, depth: depth) { item, out in
                write(item, to: &out, depth: depth + 1)
            }
        case .object(let members):
            let sorted = members.sorted { $0.key.precedesByCodePoint($1.key) }
            writeList(sorted, "{", "}", to: &out, depth: depth) { member, out in
                write(member.key, to: &out)
                out += layout == .compact ? ":" : ": "
                write(member.value, to: &out, depth: depth + 1)
            }
        }
    }

    private func writeList<Item>(
        _ items: [Item], _ open: String, _ close: String, to out: inout String, depth: Int,
        _ writeItem: (Item, inout String) -> Void
    ) {
        out += open
        for (index, item) in items.enumerated() {
            if index > 0 { out += "," }
            breakLine(in: &out, depth: depth + 1)
            writeItem(item, &out)
        }
        if !items.isEmpty { breakLine(in: &out, depth: depth) }
        out += close
    }

    private func breakLine(in out: inout String, depth: Int) {
        guard layout == .indented else { return }
        out += "\n" + String(repeating: "  ", count: depth)
    }

    private func write(_ text: String, to out: inout String) {
        out += "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            case "\u{8}": out += "\\b"
            case "\u{C}": out += "\\f"
            case _ where SafeText.isHarmful(scalar) || (escapesNonASCII && scalar.value > 0x7E):
                out += SafeText.escape(scalar)
            default: out.unicodeScalars.append(scalar)
            }
        }
        out += "\""
    }
}
