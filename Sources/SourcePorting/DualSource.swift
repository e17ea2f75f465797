import Foundation
import SwiftSources

/// A Swift source rewritten once, so that it compiles with an Objective-C runtime and without one.
///
/// Attributes are kept under a condition; what has a spelling that means the same in both worlds gets that:
///
/// ```swift
/// #if canImport(ObjectiveC)
/// @objc(Player)
/// #endif
/// public class Player: NSManagedObject {
/// ```
///
/// What is under such a condition already stays as it is: rewriting twice changes nothing. Observers of notifications
/// get closures in the place of selectors. What has to be changed by hand is told: see ``remarks``.
package struct DualSource: Sendable {
    /// A place that has to be changed by hand.
    package struct Remark: Hashable, Sendable {
        /// The line in the original, from 1.
        package var line: Int
        /// What to do, as a sentence.
        package var message: String
    }

    /// The source as it came.
    package let original: String
    /// The source rewritten.
    package let text: String
    package let remarks: [Remark]

    package init(_ original: String) {
        self.original = original
        let bytes = Array(original.utf8)
        let (closures, lines) = ObserverCalls(bytes).rewritten()
        var rewriter = DualRewriter(PortableSource(String(decoding: closures, as: UTF8.self), path: ""))
        text = rewriter.rewritten()
        let left = rewriter.remarks.map { Remark(line: lines[$0.line - 1], message: $0.message) }
        remarks = (left + PortingNeeds(bytes).remarks).enumerated().sorted {
            ($0.element.line, $0.offset) < ($1.element.line, $1.offset)
        }.map(\.element)
    }
}

/// Rewrites a source line by line.
private struct DualRewriter {
    private let bytes: [UInt8]
    private let occurrences: [PortableSource.Occurrence]
    private(set) var remarks: [DualSource.Remark] = []

    init(_ source: PortableSource) {
        bytes = Array(source.original.utf8)
        occurrences = source.occurrences.filter { !$0.isGuarded }
    }

    mutating func rewritten() -> String {
        var (output, start, number) = ([UInt8](), 0, 1)
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: .lineFeed).map { $0 + 1 } ?? bytes.count
            output += line(start..<end, number)
            (start, number) = (end, number + 1)
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// What a line becomes.
    private mutating func line(_ range: Range<Int>, _ number: Int) -> [UInt8] {
        let here = occurrences.filter { range.contains($0.range.lowerBound) }
        var (kept, attributes, position) = ([UInt8](), [String](), range.lowerBound)
        for occurrence in here {
            let original = String(decoding: bytes[occurrence.range], as: UTF8.self)
            guard occurrence.range.upperBound <= range.upperBound else {
                remark(number, "\(original) goes over more than one line; write it on one")
                continue
            }
            switch occurrence.kind {
            case .attribute:
                let before = bytes[position..<occurrence.range.lowerBound]
                guard Self.isOnlyAttributes(kept + before) else {
                    remark(
                        number, "\(original) stands behind something else than attributes; put it on a line of its own")
                    continue
                }
                kept += before
                attributes.append(original)
                position =
                    bytes[occurrence.range.upperBound..<range.upperBound].firstIndex { $0 != .blank }
                    ?? range.upperBound
            case .keyPath:
                kept += bytes[position..<occurrence.range.lowerBound] + Array(occurrence.replacement.utf8)
                position = occurrence.range.upperBound
            case .selector:
                guard occurrence.replacement.isComparison else {
                    remark(
                        number,
                        "\(original) has no spelling for both worlds; put its statement under #if canImport(ObjectiveC)"
                    )
                    continue
                }
                kept += bytes[position..<occurrence.range.lowerBound] + Array(occurrence.replacement.doublyQuoted.utf8)
                position = occurrence.range.upperBound
            }
        }
        kept += bytes[position..<range.upperBound]
        return Self.condition(attributes, before: kept)
    }

    private mutating func remark(_ line: Int, _ message: String) {
        remarks.append(.init(line: line, message: message))
    }

    /// Puts attributes under a condition before the rest of their line.
    private static func condition(_ attributes: [String], before line: [UInt8]) -> [UInt8] {
        guard !attributes.isEmpty else { return line }
        let indent = String(decoding: line.prefix { $0 == .blank || $0 == .tab }, as: UTF8.self)
        let lines = ["#if canImport(ObjectiveC)", attributes.joined(separator: " "), "#endif"]
        let head = Array(lines.map { indent + $0 + "\n" }.joined().utf8)
        if line.allSatisfy(\.isSpace) { return head }
        // Where the attributes were the line's end, no blank is left behind.
        let end = line.reversed().prefix { $0.isSpace && $0 != .blank }.reversed()
        let content = line.dropLast(end.count).reversed().drop { $0 == .blank }.reversed()
        return head + content + end
    }

    /// Whether a declaration may still begin after this: with blanks and attributes, no more.
    private static func isOnlyAttributes(_ bytes: [UInt8]) -> Bool {
        var lexer = SwiftLexer(bytes)
        var token = lexer.next()
        while token.kind != .end {
            guard token.kind == .punctuation, token.byte == UInt8(ascii: "@") else { return false }
            token = lexer.next()
            guard token.kind == .identifier else { return false }
            token = lexer.next()
            if token.kind == .punctuation, token.byte == UInt8(ascii: "("), token.isAdjacent {
                lexer.skipGroup()
                token = lexer.next()
            }
        }
        return true
    }
}

extension String {
    /// Whether this makes a selector of one of Foundation's comparisons. Their names are the same everywhere.
    fileprivate var isComparison: Bool {
        ["compare:", "caseInsensitiveCompare:", "localizedCompare:", "localizedCaseInsensitiveCompare:"]
            .contains { self == "Selector(\"\($0)\")" } || self == "Selector(\"localizedStandardCompare:\")"
    }

    /// With parentheses, by which Apple's compiler knows that the text is meant.
    fileprivate var doublyQuoted: String { replacing("(\"", with: "((\"").replacing("\")", with: "\"))") }
}

extension UInt8 {
    fileprivate static let blank = UInt8(ascii: " ")
    fileprivate static let tab = UInt8(ascii: "\t")
    fileprivate var isSpace: Bool { self == .blank || self == .tab || self == .lineFeed || self == UInt8(ascii: "\r") }
}
