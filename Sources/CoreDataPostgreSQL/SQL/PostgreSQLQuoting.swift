/// Texts between marks that do not occur in them: the bodies of functions, and blocks of statements.
///
/// A body names schemas, tables and columns, and any of these names may have `$$` in it.
///
/// ```swift
/// PostgreSQLQuoting.body("BEGIN RETURN NULL; END")                  // $$ BEGIN RETURN NULL; END $$
/// PostgreSQLQuoting.body("BEGIN DELETE FROM \"a$$b\"; END")         // $body$ BEGIN DELETE FROM "a$$b"; END $body$
/// ```
enum PostgreSQLQuoting {
    /// The body of a function.
    static func body(_ text: String) -> String { quoted(text, by: ["", "body"]) }

    /// A statement that runs others, which may have bodies of functions in them.
    static func block(_ statements: String) -> String { "DO " + quoted("BEGIN \(statements) END", by: ["both"]) }

    /// - Parameter words: What the marks have between their `$`, the first choice first.
    private static func quoted(_ text: String, by words: [String]) -> String {
        var words = words[...]
        var number = 1
        while true {
            let mark = "$\(words.popFirst() ?? "body\(number)")$"
            // Byte by byte: a mark behind a `$` makes one character of both. The spaces keep the text's end and the
            // mark behind it from being another mark.
            if !text.utf8.contains(mark.utf8) { return "\(mark) \(text) \(mark)" }
            number += 1
        }
    }
}
