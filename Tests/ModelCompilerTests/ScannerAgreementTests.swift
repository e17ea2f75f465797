import Foundation
import Testing

@testable import SwiftSources

/// Compares what the scanner finds with what the compiler's own parser finds, over every kind of source that is at
/// hand.
@Suite("The scanner and the compiler's parser")
struct ScannerAgreementTests {
    /// This package's sources, and those of its dependencies: some in every run, all in a full one.
    private static let files: [URL] = {
        let folders = ["Sources", "Tests", "Examples", "Plugins", ".build/checkouts"].map {
            package.appending(path: $0)
        }
        let all = folders.flatMap { folder in
            let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
            return names.filter { $0.hasSuffix(".swift") }.sorted().map { folder.appending(path: $0) }
        }
        let isFull = ProcessInfo.processInfo.environment["COREDATA_FULL_TESTS"] != nil
        return isFull ? all : Array(all.shuffled().prefix(40))
    }()

    @Test("They find the same types, extensions and properties")
    func declarations() throws {
        var compared = 0
        for file in Self.files {
            let bytes = Array(try Data(contentsOf: file))
            guard let parsed = try ParsedSource(file) else { continue }
            compared += 1
            let scanned = SourceScanner.scan(bytes, path: file.path)
            // The compiler's parser leaves out what no condition lets in; the scanner finds that too.
            let isWhole =
                scanned.scopes.allSatisfy(\.conditions.isEmpty)
                && !String(decoding: bytes, as: UTF8.self).contains("#if")
            let types = scanned.scopes.compactMap(\.spelling).sorted()
            let properties = Set(scanned.properties.filter { !$0.isStatic }.map { ParsedSource.Property($0) })
            if isWhole {
                #expect(types == parsed.types.sorted(), "\(file.path)")
            } else {
                #expect(Set(types).isSuperset(of: parsed.types), "\(file.path)")
            }
            let missing = parsed.properties.subtracting(properties)
            #expect(missing.isEmpty, "\(file.path)")
            if isWhole { #expect(properties.subtracting(parsed.properties).isEmpty, "\(file.path)") }
        }
        #expect(compared > Self.files.count * 9 / 10)
    }
}

/// What the compiler's parser finds.
private struct ParsedSource {
    struct Property: Hashable {
        var name: String
        var offset: Int
        var isSettable: Bool
    }

    private(set) var types: [String] = []
    private(set) var properties: Set<Property> = []

    /// - Returns: Nil where the compiler's dump is not what it should be: of some literals it makes no JSON.
    init?(_ file: URL) throws {
        let command =
            "exec swiftc -frontend -dump-parse -dump-ast-format json -swift-version 6 -enable-bare-slash-regex"
        // A source may be for another compiler, which goes to standard error; what was parsed counts all the same.
        let result = try run("/bin/sh", ["-c", command + " \"$0\" 2>/dev/null", file.path])
        guard let tree = try? JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any] else {
            return nil
        }
        walk(tree["items"], isInClass: false)
    }

    private static let keywords = [
        "class_decl": "class", "struct_decl": "struct", "enum_decl": "enum", "extension_decl": "extension",
    ]

    private mutating func walk(_ items: Any?, isInClass: Bool) {
        for node in items as? [[String: Any]] ?? [] {
            guard let kind = node["_kind"] as? String else { continue }
            if let keyword = Self.keywords[kind] {
                let name = (node["extended_type"] as? String).map(Self.plainName) ?? name(of: node)
                types.append("\(keyword) \(name)")
                walk(node["members"], isInClass: keyword == "class" || keyword == "extension")
            } else if kind == "var_decl", isInClass, node["static"] == nil, let property = property(node) {
                properties.insert(property)
            }
        }
    }

    private func property(_ node: [String: Any]) -> Property? {
        guard let range = node["range"] as? [String: Any], let offset = range["start"] as? Int else { return nil }
        let accessors = node["accessors"] as? [[String: Any]] ?? []
        let isReadOnly =
            accessors.contains { $0["get"] != nil || $0["read"] != nil || $0["_read"] != nil }
            && !accessors.contains { $0["set"] != nil || $0["modify"] != nil || $0["_modify"] != nil }
        return Property(name: name(of: node), offset: offset, isSettable: node["let"] == nil && !isReadOnly)
    }

    /// `Array` for `[Int]`, `Set` for `Set<Int>`.
    private static func plainName(_ type: String) -> String {
        if type.hasSuffix("?") { return "Optional" }
        if type.hasPrefix("[") { return type.contains(":") ? "Dictionary" : "Array" }
        return String(type.prefix { $0 != "<" })
    }

    private func name(of node: [String: Any]) -> String {
        let base = (node["name"] as? [String: Any])?["base_name"] as? [String: Any]
        return base?["name"] as? String ?? ""
    }
}

extension ParsedSource.Property {
    fileprivate init(_ scanned: ScannedProperty) {
        self.init(name: scanned.name, offset: scanned.offset, isSettable: scanned.isSettable)
    }
}

extension ScannedScope {
    /// As the compiler's dump has it; nil for what it calls otherwise.
    fileprivate var spelling: String? {
        let name = path.last ?? ""
        return switch kind {
        case .class: "class \(name)"
        case .struct: "struct \(name)"
        case .enum: "enum \(name)"
        case .protocol, .alias: nil
        case .extension: "extension \(path.joined(separator: "."))"
        }
    }
}
