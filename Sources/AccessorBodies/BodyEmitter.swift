import SwiftSources
/// Spells a plan of bodies as Swift. The same plan always gives the same text.
struct BodyEmitter {
    private var output = SwiftText()

    /// The whole generated file.
    static func file(_ plan: BodyPlan, problems: [SourceDiagnostic]) -> String {
        var emitter = BodyEmitter()
        emitter.output.line(
            "// Generated from the sources of \(plan.module): what its managed classes leave to Core Data.")
        emitter.output.line("// Edit the classes, not this file: the next build writes it anew.")
        problems.forEach { emitter.problem($0) }
        guard !plan.classes.isEmpty || !plan.aliases.isEmpty else { return emitter.output.text }
        emitter.imports(plan.imports)
        emitter.aliases(plan.aliases)
        plan.classes.forEach { emitter.bodies($0) }
        emitter.registration(plan)
        return emitter.output.text
    }

    /// An error that holds in some configurations only: the compiler knows in which.
    private mutating func problem(_ problem: SourceDiagnostic) {
        conditional(problem.conditions) {
            $0.line("#sourceLocation(file: \(SwiftNames.literal(problem.path)), line: \(problem.line))")
            $0.line("#\(problem.severity.rawValue)(\(SwiftNames.literal(problem.sentence)))")
            $0.line("#sourceLocation()")
        }
    }

    private mutating func imports(_ modules: [String]) {
        output.line()
        output.line("import CoreData")
        output.line("import Foundation")
        for module in modules {
            conditional(["canImport(\(module))"]) { $0.line("import \(module)") }
        }
    }

    /// Foundation has classes of these names too.
    private mutating func aliases(_ names: [String]) {
        guard !names.isEmpty else { return }
        for name in names {
            output.line()
            switch name {
            case AmbiguousNames.classLookup:
                output.comment("Foundation's finds a class of this module by its full name alone.")
                output.line("@_disfavoredOverload")
                output.line("nonisolated func \(name)(_ name: String) -> AnyClass? { _managedClass(named: name) }")
            case AmbiguousNames.compound:
                output.comment("Foundation's prints, compares and copies wrongly.")
                output.line("typealias \(name) = _\(name)")
            default:
                output.comment("Foundation has a class of this name that can't be made.")
                output.line("public typealias \(name) = _\(name)")
            }
        }
    }

    private mutating func conditional(_ conditions: [String], _ body: (inout SwiftText) -> Void) {
        output.conditional(conditions, body)
    }

    // MARK: - One class

    private mutating func bodies(_ bodies: ClassBodies) {
        guard !bodies.functions.isEmpty else { return }
        output.line()
        output.line("// MARK: - \(bodies.spelling)")
        output.line()
        conditional(bodies.conditions) { text in
            text.block("private nonisolated enum _\(bodies.identifier)Keys") { block in
                for key in bodies.keys {
                    let slot = key.slot.map { ", slot: \($0)" } ?? ""
                    let constant = "ManagedKey(\(SwiftNames.literal(key.name))\(slot))"
                    block.line("static let \(SwiftNames.escaped(key.name)) = \(constant)")
                }
            }
            text.line()
            text.block("nonisolated extension \(bodies.extended)") { block in
                bodies.functions.forEach { block.body($0, below: bodies.conditions) }
            }
        }
    }

    // MARK: - Members

    private mutating func registration(_ plan: BodyPlan) {
        let named = plan.classes.filter {
            !$0.members.isEmpty || !$0.registeredNames.isEmpty || !$0.methods.isEmpty
        }
        guard !named.isEmpty else { return }
        output.line()
        output.line("// MARK: - Registration")
        output.line()
        output.line("#if compiler(>=6.3) && os(Linux)")
        for bodies in named where !bodies.members.isEmpty {
            conditional(bodies.conditions) { $0.indented { $0.members(of: bodies) } }
        }
        for bodies in named where !bodies.methods.isEmpty {
            conditional(bodies.conditions) { $0.indented { $0.functions(of: bodies) } }
        }
        output.indented { text in
            text.comment(
                "Runs when the program is loaded: the runtime finds classes by their names, and members by their keys.")
            text.line("@used @section(\".init_array\")")
            let name = "_register\(plan.module.identifier)Members"
            text.block("nonisolated private let \(name): @convention(c) () -> Void =") { block in
                for bodies in named {
                    block.conditional(bodies.conditions) { $0.registration(of: bodies, in: plan.module) }
                }
            }
        }
        output.line("#endif")
    }
}

extension SwiftText {
    fileprivate mutating func conditional(_ conditions: [String], _ body: (inout SwiftText) -> Void) {
        guard !conditions.isEmpty else { return body(&self) }
        line("#if " + conditions.joined(separator: " && "))
        body(&self)
        line("#endif")
    }

    fileprivate mutating func body(_ function: ClassBodies.Function, below conditions: [String]) {
        conditional(function.conditions.filter { !conditions.contains($0) }) {
            $0.line("@_silgen_name(\(SwiftNames.literal(function.symbol)))")
            $0.line(
                "\(function.access)dynamic final func \(function.name)\(function.signature) { \(function.body) }")
        }
    }

    fileprivate mutating func members(of bodies: ClassBodies) {
        let parameter = "_ members: inout ManagedMembers<\(bodies.extended)>"
        block("@Sendable nonisolated private func _\(bodies.identifier)Members(\(parameter))") { block in
            for member in bodies.members {
                block.conditional(member.conditions.filter { !bodies.conditions.contains($0) }) {
                    $0.line("members." + member.call)
                }
            }
        }
        line()
    }

    fileprivate mutating func functions(of bodies: ClassBodies) {
        let parameter = "_ members: inout PolicyMembers<\(bodies.extended)>"
        block("@Sendable nonisolated private func _\(bodies.identifier)Functions(\(parameter))") { block in
            for method in bodies.methods {
                block.conditional(method.conditions.filter { !bodies.conditions.contains($0) }) { text in
                    for selector in method.selectors {
                        text.line("members.function(\(SwiftNames.literal(selector))) { \(method.call) }")
                    }
                }
            }
        }
        line()
    }

    private mutating func policyRegistration(of bodies: ClassBodies, in module: String) {
        let fill = bodies.methods.isEmpty ? "" : ", _\(bodies.identifier)Functions"
        // An extension in a module of its own adds to a class that is registered elsewhere.
        for name in bodies.registeredNames.isEmpty ? [bodies.spelling] : bodies.registeredNames {
            let names = "\(SwiftNames.literal(name)), module: \(SwiftNames.literal(module))"
            line("_registerMigrationPolicy(\(names), \(bodies.extended).self\(fill))")
        }
    }

    fileprivate mutating func registration(of bodies: ClassBodies, in module: String) {
        if bodies.isPolicy { return policyRegistration(of: bodies, in: module) }
        for name in bodies.registeredNames {
            let names = "\(SwiftNames.literal(name)), module: \(SwiftNames.literal(module))"
            line("_registerManagedClass(\(names), \(bodies.extended).self)")
        }
        if !bodies.members.isEmpty {
            line("_registerManagedMembers(\(bodies.extended).self, _\(bodies.identifier)Members)")
        }
    }
}

extension ClassBodies.Member {
    fileprivate var call: String {
        let name = SwiftNames.literal(key)
        let member = SwiftNames.escaped(key)
        switch kind {
        case .property(let access, let isObjC):
            let objC = isObjC ? ", isObjC: true" : ""
            switch access {
            case .readOnly: return "property(\(name)\(objC), get: { $0.\(member) })"
            case .readWrite: return "property(\(name)\(objC), get: { $0.\(member) }, set: { $0.\(member) = $1 })"
            case .decidedByMacro: return "property(\(name)\(objC), at: { \\.\(member) })"
            }
        case .validation(let method):
            return "validation(\(name)) { try $0.\(SwiftNames.escaped(method))($1) }"
        case .scalar: return "scalar(\(name))"
        }
    }
}
