import ModelCompiler
import SwiftSources
import Testing

@Suite("Sources without Objective-C")
struct PortableSourceTests {
    private func portable(_ text: String) -> String { PortableSource(text, path: "A.swift").text }

    @Test("The name of a class stays, where the compiler takes it and a macro sees it")
    func classNames() {
        #expect(
            portable("@objc(Person)\npublic class Person: NSManagedObject {}")
                == "@_objcRuntimeName(Person)\npublic class Person: NSManagedObject {}")
        #expect(
            portable("@MainActor @objc(P) @Sample(1)\nfinal public class A {}")
                == "@MainActor @_objcRuntimeName(P) @Sample(1)\nfinal public class A {}")
        for other in ["class func make() {}", "protocol P {}", "enum E: Int {}", "var a = 1", "extension A {}"] {
            #expect(portable("@objc(P) \(other)") == "         \(other)")
        }
    }

    @Test("Attributes become blanks, line for line and column for column")
    func attributes() {
        #expect(
            portable("@objc\npublic class Person: NSManagedObject {\n    @objc dynamic var a: Int\n}")
                == "     \npublic class Person: NSManagedObject {\n          dynamic var a: Int\n}")
        #expect(
            portable("@objcMembers class A { @nonobjc func f() {} }") == "             class A { @nonobjc func f() {} }"
        )
        #expect(
            portable("@objc(addPlayersObject:)\n@NSManaged func addToPlayers(_ v: P)").hasSuffix(
                "\n@NSManaged func addToPlayers(_ v: P)"))
    }

    @Test(
        "A key path becomes its keys",
        arguments: [
            ("#keyPath(Person.name)", "name"), ("#keyPath(Person.team.name)", "team.name"), ("#keyPath(name)", "name"),
            ("#keyPath(Outer.Person.team.`class`)", "team.class"), ("#keyPath(\n  Person.name\n)", "name"),
        ])
    func keyPaths(source: String, keys: String) {
        let text = portable("let key = \(source); let next = 1")
        #expect(text.contains("\"\(keys)\""))
        #expect(
            text.split(separator: "\n", omittingEmptySubsequences: false).count == source.split(separator: "\n").count)
        if !source.contains("\n") { #expect(text.utf8.count == "let key = \(source); let next = 1".utf8.count) }
    }

    @Test(
        "A selector becomes its name",
        arguments: [
            ("#selector(NSString.localizedCaseInsensitiveCompare(_:))", "localizedCaseInsensitiveCompare:"),
            ("#selector(NSString.compare(_:))", "compare:"),
            ("#selector(NSString.localizedStandardCompare)", "localizedStandardCompare:"),
            ("#selector(contextDidSave(_:))", "contextDidSave:"), ("#selector(A.insert(_:at:))", "insert:at:"),
            ("#selector(A.move(with:))", "moveWith:"), ("#selector(A.set(value:))", "setWithValue:"),
            ("#selector(getter: A.name)", "name"), ("#selector(setter: A.name)", "setName:"),
            ("#selector(reload)", "reload"),
        ])
    func selectors(source: String, name: String) {
        #expect(portable("let s = \(source)").trimmingSuffix(" ") == "let s = Selector(\"\(name)\")")
    }

    @Test("Comments and strings stay; what a string interpolates is code")
    func literals() {
        let text = "// @objc\nlet a = \"@objc #keyPath(A.b)\""
        #expect(portable(text) == text)
        #expect(portable("let a = \"\\(#keyPath(A.b)) == 1\"") == "let a = \"\\(\"b\"          ) == 1\"")
    }

    @Test("What stands behind a check for Objective-C is left as it is")
    func guarded() {
        let text = "#if canImport(ObjectiveC)\n@objc(A)\n#endif\nclass A {}"
        let source = PortableSource(text, path: "A.swift")
        #expect(source.text == text)
        #expect(source.occurrences.map(\.isGuarded) == [true])
    }

    @Test("A copy for the build points the compiler to the original")
    func copy() {
        #expect(
            PortableSource("@objc class A {}", path: "/a \"b\".swift").copy
                == "#sourceLocation(file: \"/a \\\"b\\\".swift\", line: 1)\n      class A {}")
    }
}

extension String {
    fileprivate func trimmingSuffix(_ character: Character) -> String {
        var text = self
        while text.last == character { text.removeLast() }
        return text
    }
}
