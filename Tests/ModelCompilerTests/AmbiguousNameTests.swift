import Foundation
import ModelCompiler
import Testing

@Suite("Names that Foundation and CoreData have")
struct AmbiguousNameTests {
    private func code(_ texts: String...) -> String {
        let files = texts.enumerated().map { (path: "File\($0.offset).swift", text: $0.element) }
        return ManagedSources(module: "App", files: []).compile(texts: files).code
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
