import AccessorBodies
import Foundation
import ModelCompiler
import Testing

@Suite("Bodies of managed members")
struct BodyTests {
    private func compile(_ text: String, models: [URL] = []) -> CompiledSources {
        ManagedSources(module: "App", files: [], models: models).compile(texts: [
            ("Person.swift", "import CoreData\n" + text)
        ])
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let members: String
        let error: String
        var testDescription: String { members }
    }

    @Test(
        "What can't be generated is an error at its place that says what to do",
        arguments: [
            Case(
                members: "@NSManaged var home: Address?",
                error:
                    "3:16: error: the type of home can't be told: there is no type Address in this target or in what the file imports; import the module that declares it, or write the accessors yourself"
            ),
            Case(
                members: "@NSManaged var done: () -> Void",
                error: "3:16: error: the type of done can't be told: it is a function type"),
            Case(
                members: "@NSManaged var name",
                error: "3:16: error: the type of the managed property name has to be written"),
            Case(
                members: "@NSManaged func refresh()",
                error: "3:17: error: refresh is none of the methods that Core Data provides (addToX,"),
            Case(
                members: "@NSManaged func addToX(_ value: Int32)",
                error: "3:17: error: addToX can't have these parameters; members are"),
            Case(
                members: "private enum Kind: Int16 { case a }; @NSManaged var kind: Kind",
                error: "3:53: error: the type of kind is private to its file, where generated code can't name it"),
        ])
    func errors(_ broken: Case) throws {
        let compiled = compile("class Person: NSManagedObject {\n\(broken.members)\n}")
        let error = try #require(compiled.errors.first)
        #expect(error.hasPrefix("Person.swift:" + broken.error), "\(error)")
        #expect(compiled.errors.count == 1)
    }

    @Test("A managed member of a generic class is an error")
    func genericClass() {
        let compiled = compile("class Box<T>: NSManagedObject { @NSManaged var name: String? }")
        #expect(compiled.errors.count == 1 && compiled.errors[0].contains("generic class Box"))
    }

    @Test("An error under a condition is left to the compiler, which knows whether the condition holds")
    func conditionalError() {
        let compiled = compile("class A: NSManagedObject {\n#if SOMETIMES\n@NSManaged var a: Missing?\n#endif\n}")
        #expect(compiled.errors.isEmpty)
        #expect(
            compiled.code.contains(
                "#if (SOMETIMES)\n#sourceLocation(file: \"Person.swift\", line: 4)\n#error(\"the type of a"))
    }

    @Test("Accessors repeat the conditions around their declarations")
    func conditions() {
        let code = compile(
            "class A: NSManagedObject {\n#if DEBUG\n@NSManaged var a: Int16\n#else\n@NSManaged var a: Int32\n#endif\n}"
        ).code
        #expect(code.contains("#if (DEBUG)\n    @_silgen_name(\"$s3App1AC1as5Int16Vvg\")"))
        #expect(code.contains("#if !(DEBUG)\n    @_silgen_name(\"$s3App1AC1as5Int32Vvg\")"))
    }

    @Test("A type that a condition chooses gives a definition for each choice")
    func conditionalType() {
        let code = compile(
            """
            #if WIDE
            typealias Number = Int64
            #else
            typealias Number = Int16
            #endif
            class A: NSManagedObject { @NSManaged var a: Number }
            """
        ).code
        #expect(code.contains("#if (WIDE)\n    @_silgen_name(\"$s3App1AC1as5Int64Vvg\")"))
        #expect(code.contains("#if !(WIDE)\n    @_silgen_name(\"$s3App1AC1as5Int16Vvg\")"))
    }

    @Test("With the model at hand keys have their slots, and a property that the entity lacks is a warning")
    func model() throws {
        let model = try TemporaryModel(
            """
            <entity name="Person" representedClassName="Person">
                <attribute name="age" attributeType="Integer 16"/><attribute name="name" attributeType="String"/>
            </entity>
            """)
        let compiled = compile(
            "class Person: NSManagedObject {\n@NSManaged var name: String?\n@NSManaged var nick: String?\n}",
            models: [model.url])
        #expect(compiled.code.contains("static let name = ManagedKey(\"name\", slot: 1)"))
        #expect(compiled.code.contains("static let nick = ManagedKey(\"nick\")"))
        #expect(
            compiled.warnings == [
                "Person.swift:4:16: warning: the entity of class Person has no property \"nick\" in the model"
            ])
    }

    @Test("Types of other targets and their models are found where the file imports them")
    func dependencies() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "module-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(
            "import CoreData\nopen class Base: NSManagedObject { public enum Kind: Int16 { case a } }\npublic struct Point {}"
                .utf8
        )
        .write(to: folder.appending(path: "Base.swift"))
        let sources = ManagedSources(
            module: "App", files: [], dependencies: [.init(module: "Shared", directory: folder)])
        let text =
            "class Sub: Base {\n@NSManaged var kind: Kind\n@NSManaged var point: Point?\nvar title: String { \"\" }\n}"
        let compiled = sources.compile(texts: [("A.swift", "import CoreData\nimport Shared\n" + text)])
        #expect(compiled.errors.isEmpty)
        #expect(compiled.code.contains("$s3App3SubC4kind6Shared4BaseC4KindOvg"))
        #expect(compiled.code.contains("$s3App3SubC5point6Shared5PointVSgvg"))
        #expect(compiled.code.contains("members.property(\"title\", get: { $0.title })"))
        let without = sources.compile(texts: [("A.swift", "import CoreData\n" + text)])
        #expect(without.errors.count == 2)
    }

    @Test("The same sources always give the same code")
    func stableOutput() {
        let text =
            "class A: NSManagedObject { @NSManaged var a: Int16 }\nclass B: A { @NSManaged var b: A?; var c: Int { 1 } }"
        let first = compile(text).code
        for _ in 0..<20 { #expect(compile(text).code == first) }
    }

    @Test("What a macro or a wrapper makes has a setter only if the compiler says so")
    func macros() {
        let code = compile(
            """
            class A: NSManagedObject {
                @Computed var a: Int
                @Computed private(set) var b: Int
                @MainActor var c = 1
                @Computed var d: Int { 1 }
                @NSCopying @objc var e: NSString?
                let f = 1
            }
            @Stored class B: NSManagedObject { var a: Int; var b: Int { get { 1 } set {} } }
            """
        ).code
        for line in [
            "members.property(\"a\", at: { \\.a })", "members.property(\"b\", get: { $0.b })",
            "members.property(\"c\", get: { $0.c }, set: { $0.c = $1 })", "members.property(\"d\", get: { $0.d })",
            "members.property(\"e\", isObjC: true, get: { $0.e }, set: { $0.e = $1 })",
            "members.property(\"f\", get: { $0.f })", "members.property(\"b\", get: { $0.b }, set: { $0.b = $1 })",
        ] {
            #expect(code.contains(line + "\n"), "\(line)\n\(code)")
        }
        #expect(code.components(separatedBy: "members.property(\"a\", at: { \\.a })").count == 3)
    }

    @Test("Classes that have nothing to do with Core Data are left alone")
    func otherClasses() {
        let code = compile("class A { var a = 1 }\nfinal class B: NSObject { var b = 2 }\nstruct C { var c = 3 }").code
        #expect(!code.contains("extension") && !code.contains("members."))
    }

    @Test("A migration policy is registered by its name, with the methods that expressions can call")
    func policies() {
        let compiled = compile(
            """
            open class BasePolicy: NSEntityMigrationPolicy {
                override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}
                func initials(of name: String) -> String { name }
                func joined(first: String?, _ last: String) throws -> String { last }
                func now() -> Date { Date() }
                private func hidden() -> Int { 1 }
                func later(_ value: Int) async -> Int { value }
                func change(_ value: inout Int) -> Int { value }
                func call(_ block: () -> Void) -> Int { 1 }
                func silent(_ value: Int) {}
                static func shared() -> Int { 1 }
            }
            final class LatePolicy: BasePolicy {}
            extension LatePolicy { func twice(_ number: NSNumber) -> Int { 2 * number.intValue } }
            class NoPolicy: NSObject { func value(_ number: Int) -> Int { number } }
            """)
        #expect(compiled.errors.isEmpty && compiled.warnings.isEmpty)
        let lines = compiled.code.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let functions = lines.filter { $0.hasPrefix("members.function") }
        #expect(
            functions == [
                #"members.function("initialsWithOf:") { policy, arguments in policy.initials(of: try arguments[0]) }"#,
                #"members.function("initialsOf:") { policy, arguments in policy.initials(of: try arguments[0]) }"#,
                #"members.function("joinedWithFirst::") { policy, arguments in try policy.joined(first: try arguments[0], try arguments[1]) }"#,
                #"members.function("joinedFirst::") { policy, arguments in try policy.joined(first: try arguments[0], try arguments[1]) }"#,
                #"members.function("now") { policy, _ in policy.now() }"#,
                #"members.function("twice:") { policy, arguments in policy.twice(try arguments[0]) }"#,
            ])
        let registrations = lines.filter { $0.hasPrefix("_register") }
        #expect(
            registrations == [
                #"_registerMigrationPolicy("BasePolicy", module: "App", BasePolicy.self, _BasePolicyFunctions)"#,
                #"_registerMigrationPolicy("LatePolicy", module: "App", LatePolicy.self, _LatePolicyFunctions)"#,
            ])
    }
}
