import FoundationGaps

/// Finds the classes of migration policies by the names that mappings give.
final class MigrationPolicies: @unchecked Sendable {
    // Unchecked: everything is under the lock; functions are only called, never changed.

    static let shared = MigrationPolicies()

    private let lock = NSLock()
    private var qualified: [String: NSEntityMigrationPolicy.Type] = [:]
    private var bare: [String: NSEntityMigrationPolicy.Type] = [:]
    private var functions: [ObjectIdentifier: [String: PolicyFunction]] = [:]

    func register(
        _ type: NSEntityMigrationPolicy.Type, name: String, module: String, _ functions: [String: PolicyFunction]
    ) {
        lock.withLock {
            qualified[module + "." + name] = type
            bare[name] = type
            self.functions[ObjectIdentifier(type), default: [:]].merge(functions) { _, new in new }
        }
    }

    /// The class with a name: registered, or found among the program's types.
    ///
    /// - Throws: `NSEntityMigrationPolicyError` (134170) if there is none, or if it is no policy.
    func type(named name: String?, of mapping: String) throws -> NSEntityMigrationPolicy.Type {
        guard let name, !name.isEmpty, name != "NSEntityMigrationPolicy" else { return NSEntityMigrationPolicy.self }
        let plain = name.hasPrefix(".") ? String(name.dropFirst()) : name
        if let known = lock.withLock({ qualified[plain] ?? bare[plain] }) { return known }
        let modules = ManagedClasses.shared.modules.sorted() + ModelFolders.modulesBeside
        let candidates = plain.contains(".") ? [plain] : [plain] + modules.map { "\($0).\(plain)" }
        let found: AnyClass? = candidates.lazy.compactMap { Foundation.NSClassFromString($0) }.first
        if let type = found as? NSEntityMigrationPolicy.Type { return type }
        throw NSError.cocoa(
            NSEntityMigrationPolicyError,
            found == nil
                ? "The program has no class \(plain), which is the migration policy of the mapping “\(mapping)”."
                : "The class \(plain), which the mapping “\(mapping)” names, is no NSEntityMigrationPolicy.",
            reason: "The name of the class comes from the mapping model: \(name).")
    }

    /// What a name means in `FUNCTION($entityPolicy, "name:", …)` for policies of a class.
    func function(_ name: String, of type: NSEntityMigrationPolicy.Type) -> PolicyFunction? {
        lock.withLock {
            guard !functions.isEmpty else { return nil }
            return sequence(first: type as AnyClass) { _getSuperclass($0) }.lazy
                .compactMap { self.functions[ObjectIdentifier($0)]?[name] }.first
        }
    }
}

/// A method of a policy that expressions call by its name.
typealias PolicyFunction = (NSEntityMigrationPolicy, PolicyArguments) throws -> Any?
