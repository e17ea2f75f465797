import SwiftSources

/// What a build gets from a target's sources.
package struct CompiledSources: Sendable {
    /// The Swift file.
    package var code: String
    /// What can't be generated, and what is doubtful.
    var diagnostics: [SourceDiagnostic]

    /// One line each, as build systems read them: `path:line:column: error: sentence`.
    package var errors: [String] { lines(.error) }
    package var warnings: [String] { lines(.warning) }

    /// Generates the bodies that managed classes leave to Core Data, and the table of their other members.
    ///
    /// - Parameters:
    ///   - sources: the sources of the target.
    ///   - library: the declarations that names in them may refer to.
    ///   - entities: what the models say of classes.
    package init(_ sources: [ScannedSource], of library: ModuleLibrary, entities: EntityTable) {
        let planner = BodyPlanner(library: library, entities: entities)
        var plan = planner.plan()
        plan.aliases = AmbiguousNames.aliases(for: sources, usesCoreData: !entities.generatedClasses.isEmpty)
        // What may be left out of the build is left to the compiler to report.
        let conditional = planner.diagnostics.filter { $0.severity == .error && !$0.conditions.isEmpty }
        code = BodyEmitter.file(plan, problems: conditional)
        diagnostics = planner.diagnostics.filter { !conditional.contains($0) }
    }

    private func lines(_ severity: SourceDiagnostic.Severity) -> [String] {
        diagnostics.filter { $0.severity == severity }.map(\.description)
    }
}
