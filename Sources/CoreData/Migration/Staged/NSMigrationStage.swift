import FoundationGaps

/// One step of a staged migration. Use ``NSLightweightMigrationStage`` or ``NSCustomMigrationStage``.
open class NSMigrationStage: NSObject {
    /// A name for the app's own use, which errors and descriptions show. It is nil at first.
    open var label: String!

    /// The class and the label, for a log.
    open override var description: String { "<\(type(of: self))> (\(label ?? "no label"))" }
}
