/// Whether the condition of an `#if` can hold in this build, as far as the platform alone decides it.
///
/// Flags of the command line do not matter here: generated code repeats the conditions. But what only Apple's
/// platforms compile need not be understood elsewhere.
package struct BuildCondition {
    private var lexer: SwiftLexer
    private var token: SwiftLexer.Token

    /// Whether code under these conditions is certainly left out.
    package static func excludes(_ conditions: [String]) -> Bool {
        conditions.contains { condition in
            var parser = BuildCondition(condition)
            return parser.disjunction() == false
        }
    }

    private init(_ text: String) {
        lexer = SwiftLexer(Array(text.utf8))
        token = lexer.next()
    }

    private mutating func advance() { token = lexer.next() }

    private func at(_ character: Unicode.Scalar) -> Bool {
        token.kind == .punctuation && token.byte == UInt8(truncatingIfNeeded: character.value)
    }

    // Nil: not known here.

    private mutating func disjunction() -> Bool? {
        var result = conjunction()
        while at("|") {
            advance()
            advance()
            let other = conjunction()
            result = result == true || other == true ? true : result == nil || other == nil ? nil : false
        }
        return result
    }

    private mutating func conjunction() -> Bool? {
        var result = negation()
        while at("&") {
            advance()
            advance()
            let other = negation()
            result = result == false || other == false ? false : result == nil || other == nil ? nil : true
        }
        return result
    }

    private mutating func negation() -> Bool? {
        if at("!") {
            advance()
            return negation().map { !$0 }
        }
        if at("(") {
            advance()
            defer { advance() }
            return disjunction()
        }
        return atom()
    }

    private mutating func atom() -> Bool? {
        let name = lexer.text(token)
        advance()
        guard at("(") else { return ["true": true, "false": false][name] ?? nil }
        advance()
        let argument = lexer.text(token)
        while !at(")"), token.kind != .end { advance() }
        advance()
        return Self.platform(name, argument)
    }

    private static func platform(_ test: String, _ argument: String) -> Bool? {
        #if os(Linux)
            switch test {
            case "os": argument == "Linux"
            case "targetEnvironment": false
            case "canImport": appleModules.contains(argument) ? false : nil
            default: nil
            }
        #else
            nil
        #endif
    }

    private static let appleModules: Set<String> = [
        "AppKit", "CloudKit", "Cocoa", "Combine", "CoreGraphics", "CoreLocation", "CoreSpotlight", "Darwin", "MapKit",
        "ObjectiveC", "SwiftUI", "SwiftData", "UIKit", "WatchKit", "WidgetKit",
    ]
}
