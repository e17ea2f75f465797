import SwiftSources

/// Spells a plan as Swift. The same plan always gives the same text.
struct SwiftEmitter {
    private var output = SwiftText()

    /// The whole generated file.
    static func file(_ plan: FilePlan) -> String {
        var emitter = SwiftEmitter()
        emitter.head(plan)
        guard !plan.classes.isEmpty else { return emitter.output.text }
        emitter.imports(plan.otherModules)
        plan.classes.forEach { emitter.managedClass($0) }
        emitter.registration(plan)
        return emitter.output.text
    }

    /// A file for each class, and one that registers them all.
    static func files(_ plan: FilePlan) -> [GeneratedFile] {
        guard !plan.classes.isEmpty else { return [] }
        var files = plan.classes.map { managedClass in
            let kind = managedClass.form == .definition ? "CoreDataClass" : "CoreDataProperties"
            return GeneratedFile(name: "\(managedClass.name)+\(kind).swift", plan) { $0.managedClass(managedClass) }
        }
        files.append(
            GeneratedFile(name: "\(plan.modelName)+CoreDataRegistration.swift", plan) { $0.registration(plan) })
        return files
    }

    /// The file of one class of a plan, without what says where it comes from.
    static func classFile(_ managedClass: ClassPlan, _ plan: FilePlan) -> GeneratedFile {
        var emitter = SwiftEmitter()
        emitter.imports(plan.otherModules)
        emitter.managedClass(managedClass)
        let kind = managedClass.form == .definition ? "CoreDataClass" : "CoreDataProperties"
        let text = emitter.output.text.drop { $0.isNewline }
        return GeneratedFile(name: "\(managedClass.name)+\(kind).swift", text: String(text))
    }

    /// One file of a folder of generated code.
    fileprivate static func text(of plan: FilePlan, _ content: (inout SwiftEmitter) -> Void) -> String {
        var emitter = SwiftEmitter()
        emitter.head(plan)
        emitter.imports(plan.otherModules)
        content(&emitter)
        return emitter.output.text
    }

    /// The line by which a file says which model it was generated from.
    static func firstLine(modelName: String) -> String { "// Generated from \(modelName).xcdatamodeld, version " }

    private mutating func head(_ plan: FilePlan) {
        output.line(Self.firstLine(modelName: plan.modelName) + "\"\(plan.versionName)\".")
        output.line("// Edit the model, not this file: the next build writes it anew.")
    }

    private mutating func imports(_ otherModules: [String]) {
        output.line()
        output.line("import CoreData")
        output.line("import Foundation")
        for module in otherModules {
            output.line("#if canImport(\(module))")
            output.indented { $0.line("import \(module)") }
            output.line("#endif")
        }
    }

    // MARK: - One class

    private mutating func managedClass(_ plan: ClassPlan) {
        let name = SwiftNames.escaped(plan.name)
        output.line()
        output.line("// MARK: - \(plan.name)")
        output.line()
        switch plan.form {
        case .definition:
            output.comment(
                plan.documentation,
                "An object of the \(plan.isAbstract ? "abstract entity" : "entity") `\(plan.entity)`.")
            output.block("public nonisolated class \(name): \(plan.superclass)") { $0.members(of: plan) }
        case .accessors:
            output.comment("The properties of the entity `\(plan.entity)`.")
            output.block("nonisolated extension \(name)") { $0.members(of: plan) }
        }
        if plan.requestPlace == .resultExtension {
            output.line()
            output.requestExtension(of: plan)
        }
        if plan.isIdentifiable {
            output.line()
            output.line("nonisolated extension \(name): Identifiable {}")
        }
    }

    // MARK: - Registration

    private mutating func registration(_ plan: FilePlan) {
        output.line()
        output.line("// MARK: - Registration")
        output.line()
        output.line("#if compiler(>=6.3) && os(Linux)")
        output.indented {
            $0.comment("Runs when the program is loaded: the runtime finds the model's classes by their names.")
            $0.line("@used @section(\".init_array\")")
            $0.block("nonisolated private let _register\(plan.identifier): @convention(c) () -> Void =") { block in
                for managedClass in plan.classes {
                    let names =
                        "\(SwiftNames.literal(managedClass.name)), module: \(SwiftNames.literal(managedClass.module))"
                    let scalars = managedClass.properties.filter(\.isNumber).map { SwiftNames.literal($0.name) }
                    let list = scalars.isEmpty ? "" : ", scalars: [\(scalars.joined(separator: ", "))]"
                    block.line("_registerManagedClass(\(names), \(SwiftNames.escaped(managedClass.name)).self\(list))")
                }
            }
        }
        output.line("#endif")
    }
}

extension GeneratedFile {
    fileprivate init(name: String, _ plan: FilePlan, _ content: (inout SwiftEmitter) -> Void) {
        self.init(name: name, text: SwiftEmitter.text(of: plan, content))
    }
}

extension FilePlan {
    /// The model's name as part of a Swift identifier.
    fileprivate var identifier: String {
        String(String.UnicodeScalarView(modelName.unicodeScalars.map { $0.properties.isXIDContinue ? $0 : "_" }))
    }
}

extension PropertyPlan {
    /// Whether the property's type is a number that can't be nil.
    fileprivate var isNumber: Bool {
        switch kind {
        case .value(let type): ["Bool", "Int16", "Int32", "Int64", "Double", "Float"].contains(type)
        case .timeInterval: true
        case .transformable, .toOne, .toMany, .members, .fetched: false
        }
    }
}
