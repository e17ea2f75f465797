import RandomSeeds
import Testing

@testable import SwiftSources

@Suite("The scanner of sources")
struct ScannerTests {
    private func scan(_ text: String) -> ScannedSource { SourceScanner.scan(Array(text.utf8), path: "A.swift") }

    private func properties(_ members: String) -> [String] {
        scan("class A {\n\(members)\n}").properties.map(\.name)
    }

    @Test("Comments and literals of every form hide what looks like code")
    func literals() {
        let names = properties(
            #####"""
            // var a: Int
            /* var b: Int /* nested } */ var c: Int */
            var d = "var e: Int }"
            var f = """
                }
                var g: Int "quoted" \("}" + "\("{")")
                """
            var h = #"\("}"# + ##"# }"##
            var i = #"\#("}")"#
            var j = /}"/
            var k = #/ } " /#
            var l = 4 / 2 / 1
            let `class` = "\\"
            var n = "a" ; var o = "b"
            """#####)
        #expect(names == ["d", "f", "h", "i", "j", "k", "l", "class", "n", "o"])
    }

    @Test("Initial values of every shape end where the next declaration begins")
    func initialValues() {
        let names = properties(
            """
            var a = { () -> Int in var x = 1; return x }()
            var b = a
                + 2
                as Int
            lazy var c: [String: Int] = ["var": 1, "let": 2], d = Dictionary<String, Int>(), e: Int
            var f = a ? b : c
            @objc var g = 1 { didSet { var y = 2 } }
            var h: Int { get { 1 } set { var z = newValue } }
            var i = if true { 1 } else { 2 }
            static var j = 1; class var k: Int { 2 }
            var (l, m) = (1, 2)
            weak var n: A?
            private(set) public var o: Int = .init()
            """)
        #expect(
            names.filter { !["j", "k"].contains($0) } == [
                "a", "b", "c", "d", "e", "f", "g", "h", "i", "l", "m", "n", "o",
            ])
    }

    @Test("What can be set is known by its accessors, whatever stands before them")
    func accessors() {
        let source = scan(
            """
            class A {
                let a: Int, b = 2
                var c: Int { 1 }, d: Int { return 2 }
                var e: Int { @inline(__always) get { 1 } nonmutating set {} }
                var f: Int { get { 1 } }
                var g: Int { _read { yield h } _modify { yield &h } }
                var h = 1 { willSet {} didSet {} }
                var i: Int { get async throws { 1 } }
                var j: Int { let get = 1; return get }
            }
            """)
        #expect(source.properties.filter(\.isSettable).map(\.name) == ["e", "g", "h"])
        #expect(source.properties.filter(\.isOutOfReach).map(\.name) == ["i"])
    }

    @Test("A type is read as it is written")
    func types() throws {
        let source = scan(
            """
            class A {
                var a: Int?, b: [String: [Date]]!, c: Set<Outer.Inner>, d: (Int, name: String)
                var e: any P, f: (Int) async throws -> Void, g: P & Q, h: A.Type, i: Foundation.Date?
                var j, k: Bool
            }
            """)
        let types = Dictionary(uniqueKeysWithValues: source.properties.map { ($0.name, $0.type) })
        #expect(types["a"] == .optional(.named("Int")))
        #expect(types["b"] == .optional(.dictionary(.named("String"), .array(.named("Date")))))
        #expect(
            types["c"]
                == .named([.init(name: "Set", arguments: [.named([.init(name: "Outer"), .init(name: "Inner")])])]))
        #expect(
            types["d"]
                == .tuple([.init(label: nil, type: .named("Int")), .init(label: "name", type: .named("String"))]))
        #expect(types["e"] == .existential(.named("P")))
        #expect(types["f"] == .other("a function type"))
        #expect(types["g"] == .other("a composition of protocols"))
        #expect(types["h"] == .other("a metatype"))
        #expect(types["i"] == .optional(.named([.init(name: "Foundation"), .init(name: "Date")])))
        #expect(types["j"] == .named("Bool") && types["k"] == .named("Bool"))
    }

    @Test("A tuple pattern declares each of its names, with its part of the type")
    func tuplePatterns() {
        let source = scan(
            """
            final class A {
                let (a, b) = (1, [2, 3].map { ($0, $0) }), c = 4, (i, j) = (5, 6)
                private var (d, (_, `case`), second: e): (Int, (Bool, [Date]), second: String) = make()
                let (f): Double
                static let (g, h) = (1, 2)
                var after: Int { let (x, y) = (1, 2); return x + y }
            }
            """)
        #expect(source.properties.map(\.name) == ["a", "b", "c", "i", "j", "d", "case", "e", "f", "g", "h", "after"])
        #expect(source.properties.filter(\.isStatic).map(\.name) == ["g", "h"])
        #expect(source.properties.filter(\.isSettable).map(\.name) == ["d", "case", "e"])
        #expect(source.properties.filter { $0.access == .private }.map(\.name) == ["d", "case", "e"])
        let types = Dictionary(uniqueKeysWithValues: source.properties.map { ($0.name, $0.type) })
        #expect(types["a"] == .some(nil) && types["d"] == .named("Int") && types["case"] == .array(.named("Date")))
        #expect(types["e"] == .named("String") && types["f"] == .named("Double"))
    }

    @Test("Conditions are kept with what stands under them, also around an attribute alone")
    func conditions() {
        let source = scan(
            """
            #if canImport(ObjectiveC)
            @objc(Person)
            #endif
            class A {
                var always: Int
                #if os(iOS) || DEBUG // a comment
                var a: Int
                #elseif X
                var b: Int
                #else
                    #if Y
                    var c: Int
                    #endif
                #endif
            }
            """)
        #expect(source.scopes.map(\.objcName) == ["Person"])
        #expect(source.scopes.map(\.conditions) == [[]])
        #expect(
            source.properties.map(\.conditions) == [
                [], ["(os(iOS) || DEBUG)"], ["!(os(iOS) || DEBUG)", "(X)"], ["!(os(iOS) || DEBUG)", "!(X)", "(Y)"],
            ])
    }

    @Test("What only Apple's platforms compile is known to be left out here", .enabled(if: isLinux))
    func excludedConditions() {
        for condition in [
            "(os(iOS))", "(canImport(UIKit))", "(os(iOS) || os(macOS))", "(DEBUG && os(iOS))", "!(os(Linux))",
        ] {
            #expect(BuildCondition.excludes([condition]), "\(condition)")
        }
        for condition in ["(DEBUG)", "!(os(iOS))", "(os(iOS) || DEBUG)", "(swift(>=6))", "(canImport(Foundation))"] {
            #expect(!BuildCondition.excludes([condition]), "\(condition)")
        }
    }

    @Test("Members belong to the types and extensions around them")
    func scopes() {
        let source = scan(
            """
            import struct Foundation.Date
            @_exported public import Shop
            extension Outer.Middle where T: P {
                public class Inner<T>: Base<T>, P where T: Q { var a: Int; class func f() { class Local { var x: Int } } }
                var b: Int
            }
            struct S { var notRecorded: Int }
            actor Worker { var c: Int }
            typealias Alias<T> = [T]
            """)
        #expect(
            source.scopes.map(\.path) == [
                ["Outer", "Middle"], ["Outer", "Middle", "Inner"], ["S"], ["Worker"], ["Alias"],
            ])
        #expect(source.scopes[1].genericParameters == ["T"])
        #expect(source.properties.map(\.name) == ["a", "b", "c"])
        #expect(source.properties.map(\.scope) == [1, 0, 3])
        #expect(
            source.imports == [.init(module: "Foundation", isExported: false), .init(module: "Shop", isExported: true)])
    }

    @Test("Nothing in a damaged or unfinished source makes the scanner stop or trap")
    func damage() {
        let text = """
            import A
            @objc(x) class A<T: B>: C, D { @NSManaged var a, b: [String: (Int, c: D?)]! = { "\\(x)" }() ; func f(_ a: Int) -> B {} }
            #if X
            extension A { var c: Int { get throws { 1 } } }
            #endif
            """
        let bytes = Array(text.utf8)
        for end in bytes.indices { _ = SourceScanner.scan(Array(bytes[..<end]), path: "") }
        var random = SeededGenerator(seed: 7)
        for _ in 0..<2000 {
            var damaged = bytes
            for _ in 0..<3 {
                damaged[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = SourceScanner.scan(damaged, path: "")
            _ = PortableSource(String(decoding: damaged, as: UTF8.self), path: "").text
        }
    }
}

#if os(Linux)
    private let isLinux = true
#else
    private let isLinux = false
#endif
