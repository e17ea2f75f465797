/// Swift source under construction: lines, indented by four spaces a level.
package struct SwiftText {
    package private(set) var text = ""
    private var level = 0

    package init() {}

    /// Adds a line at the current level, or an empty line.
    package mutating func line(_ content: String = "") {
        if !content.isEmpty { text += String(repeating: "    ", count: level) + content }
        text += "\n"
    }

    /// Adds `head {`, what `body` adds one level deeper, and `}`.
    package mutating func block(_ head: String, _ body: (inout SwiftText) -> Void) {
        line(head + " {")
        level += 1
        body(&self)
        level -= 1
        line("}")
    }

    /// Adds what `body` adds, one level deeper.
    package mutating func indented(_ body: (inout SwiftText) -> Void) {
        level += 1
        body(&self)
        level -= 1
    }

    /// Adds what the model's author says and, in a paragraph of its own, a sentence of ours.
    package mutating func comment(_ documentation: [String], _ summary: String) {
        for content in documentation { line(content.isEmpty ? "///" : "/// " + content) }
        if !documentation.isEmpty { line("///") }
        comment(summary)
    }

    /// Adds a line of documentation.
    package mutating func comment(_ content: String) { line("/// " + content) }
}
