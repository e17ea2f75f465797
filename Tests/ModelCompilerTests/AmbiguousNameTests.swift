import AccessorBodies
import Foundation
import ModelCompiler
import Testing

@Suite("Names that Foundation and CoreData have")
struct AmbiguousNameTests {
    private func code(_ texts: String...) -> String {
        let files = texts.enumerated().map { (path: "File\($0.offset).swift", text: $0.element) }
        return ManagedSources(module: "App", files: []).compile(texts: files).code
    }

    @Test("a file that imports Foundation alone counts, if another one imports CoreData")
    func foundationAlone() {
        let text = code("import Foundation\nlet wanted: NSExpression? = nil", "import CoreData")
        #expect(text.contains("public typealias NSExpression = _NSExpression\n"))
    }

    @Test("a target that looks for classes by name gets a function that finds the models' names")
    func classLookup() {
        let text = code("import Foundation\nlet type = NSClassFromString(\"Player\")", "import CoreData")
        #expect(
            text.contains(
                "@_disfavoredOverload\nnonisolated func NSClassFromString(_ name: String) -> AnyClass? { _managedClass(named: name) }\n"
            ))
        #expect(!code("import Foundation\nlet type = NSClassFromString(\"A\")").contains("_managedClass"))
    }

    @Test(
        "compound predicates get an internal alias, unless a class inherits from them or other modules may see the name",
        arguments: [
            ("let a = NSCompoundPredicate(notPredicateWithSubpredicate: b)", true),
            ("public class A {\n    var all: [NSCompoundPredicate] = []\n}", true),
            ("public func f() -> Int {\n    let a = b as? NSCompoundPredicate\n    return 1\n}", true),
            ("public var a = 1\nlet b: NSCompoundPredicate? = nil", true),
            ("@inline(__always) public func f() {}\n@MainActor func g(_ a: NSCompoundPredicate) {}", true),
            ("public extension Player { }\nextension Team {\n    func f(_ a: NSCompoundPredicate) {}\n}", true),
            ("class Mine: NSCompoundPredicate {}", false),
            ("public func f(\n    _ a: Int,\n    _ b: [NSCompoundPredicate]\n) {}", false),
            ("public extension Player {\n    var a: NSCompoundPredicate? { nil }\n}", false),
            ("extension Player {\n    package static let a: NSCompoundPredicate? = nil\n}", false),
            ("public protocol P {\n    func f() -> NSCompoundPredicate\n}", false),
            ("public enum E {\n    case one(NSCompoundPredicate)\n}", false),
            ("open class A {\n    open func f() -> NSCompoundPredicate { a }\n}", false),
            ("@inlinable public func f() { g(NSCompoundPredicate.self) }", false),
        ])
    func compounds(text: String, hasAlias: Bool) {
        let text = code("import Foundation\n" + text, "import CoreData")
        #expect(text.contains("\ntypealias NSCompoundPredicate = _NSCompoundPredicate\n") == hasAlias)
        #expect(!text.contains("public typealias"))
    }

    @Test("a target that mentions one gets an alias, once")
    func aliases() {
        let text = code(
            "import Foundation\nimport CoreData\nfunc age() -> NSExpression { NSExpression(forKeyPath: \"age\") }",
            "import CoreData\nlet wanted: NSExpression? = nil")
        #expect(text.components(separatedBy: "typealias").count == 2)
        #expect(text.contains("public typealias NSExpression = _NSExpression\n"))
    }

    @Test("a target that mentions none, does not import CoreData, or has its own gets no alias")
    func noAliases() {
        #expect(!code("import CoreData\nlet x = 1").contains("typealias"))
        #expect(!code("import Foundation\nlet x: NSExpression? = nil").contains("typealias"))
        #expect(!code("import CoreData\nclass NSExpression {}").contains("typealias"))
    }
}
