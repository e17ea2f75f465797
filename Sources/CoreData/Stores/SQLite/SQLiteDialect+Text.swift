extension SQLiteDialect {
    /// Writes a comparison of strings byte for byte.
    ///
    /// A prefix of a column becomes a range, which an index answers; UTF-8 sorts as its code points do.
    package func writeText(
        _ text: SQLExpression, _ relation: SQLTextRelation, _ part: SQLExpression, to writer: inout SQLWriter
    ) {
        switch relation {
        case .beginsWith:
            if case .column = text, case .value(.text(let prefix)) = part, let bound = Self.successor(of: prefix) {
                writeRange(text, from: prefix, below: bound, to: &writer)
            } else {
                writePiece(of: text, start: "1", matching: part, to: &writer)
            }
        case .endsWith: writePiece(of: text, start: nil, matching: part, to: &writer)
        case .contains:
            writer.call("instr", [text, part])
            writer.write(" > 0")
        }
    }

    private func writeRange(_ text: SQLExpression, from low: String, below high: String, to writer: inout SQLWriter) {
        writer.operand(text)
        writer.write(" >= ")
        writer.bind(.text(low))
        writer.write(" AND ")
        writer.operand(text)
        writer.write(" < ")
        writer.bind(.text(high))
    }

    /// Writes `substr(text, start, length) = part`; without a start the piece is the last one.
    private func writePiece(
        of text: SQLExpression, start: String?, matching part: SQLExpression, to writer: inout SQLWriter
    ) {
        writer.write("substr(")
        writer.expression(text)
        writer.write(", ")
        if let start { writer.write(start) } else { writeLength(of: part, sign: "-", to: &writer) }
        writer.write(", ")
        writeLength(of: part, sign: "", to: &writer)
        writer.write(") = ")
        writer.operand(part)
    }

    private func writeLength(of part: SQLExpression, sign: String, to writer: inout SQLWriter) {
        if case .value(.text(let text)) = part {
            let count = Int64(text.unicodeScalars.count)
            writer.bind(.int(sign.isEmpty ? count : -count))
        } else {
            writer.write(sign)
            writer.call("length", [part])
        }
    }

    /// The least string above all that begin with the prefix; nil where there is none.
    static func successor(of prefix: String) -> String? {
        var scalars = Array(prefix.unicodeScalars)
        while let last = scalars.popLast() {
            // Between U+D7FF and U+E000 lie the surrogates, which are no characters.
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            guard let scalar = UnicodeScalar(next) else { continue }
            scalars.append(scalar)
            return String(String.UnicodeScalarView(scalars))
        }
        return nil
    }
}
