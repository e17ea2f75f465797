import FoundationGaps
import ModelArchive
import ModelDocument

/// All that can be found out about a model by looking at it: what `Model.diagnostics` finds, and what takes a parser of
/// predicates or a compiler of models.
package enum ModelLint {
    /// The findings in the document's order.
    package static func diagnostics(of model: Model) -> [Model.Diagnostic] {
        var found = model.diagnostics
        var checker = FormatChecker(model)
        checker.run()
        found += checker.found
        if !found.contains(where: { $0.severity == .error }) { found += compilingDiagnostics(of: model) }
        return found.sorted(by: Model.Diagnostic.precedes)
    }

    /// What nothing else tells of a model that can't be compiled.
    private static func compilingDiagnostics(of model: Model) -> [Model.Diagnostic] {
        do {
            _ = try ModelArchive.write(model.compiled(), as: .file)
            _ = try VersionHashes(model)
            return []
        } catch {
            let cocoa = error as NSError
            return [Model.Diagnostic(.uncompilable, cocoa.localizedDescription, at: .model)]
        }
    }
}
