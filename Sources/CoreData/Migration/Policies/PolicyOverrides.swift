import FoundationGaps

/// What a class of migration policies overrides, so that objects need not be looked at for what does nothing.
enum PolicyOverrides {
    /// Whether a class may override `createRelationships(forDestination:in:manager:)`.
    static func relates(_ type: NSEntityMigrationPolicy.Type) -> Bool {
        if type == NSEntityMigrationPolicy.self { return false }
        guard let relatingWord else { return true }
        return ClassWords(type)[relatingWord] != ClassWords(NSEntityMigrationPolicy.self)[relatingWord]
    }

    private static let relatingWord = ClassWords.difference(
        of: RelatingProbe.self, from: NSEntityMigrationPolicy.self, plain: PlainProbe.self)
}

private final class PlainProbe: NSEntityMigrationPolicy {}

private final class RelatingProbe: NSEntityMigrationPolicy {
    override func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws { try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager) }
}
