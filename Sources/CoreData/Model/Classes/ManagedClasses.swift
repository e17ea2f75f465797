import FoundationGaps

/// Called when a program is loaded, before `main`, once per class that a model names and the module holds.
///
/// Generated code calls it; an app has no reason to.
/// - Parameters:
///   - name: The class's name in Swift, without its module.
///   - scalars: The modelled properties that the class declares as numbers which can't be nil.
public func _registerManagedClass(
    _ name: StaticString, module: StaticString, _ type: NSManagedObject.Type, scalars: [String] = []
) {
    ManagedClasses.shared.register(type, name: name.description, module: module.description)
    guard !scalars.isEmpty else { return }
    ManagedMemberTables.shared.register(type) { MemberTable(scalars: Set(scalars)) }
}

/// Finds the class of an entity by the name that the model gives.
final class ManagedClasses: @unchecked Sendable {
    // Unchecked: everything is under the lock.

    static let shared = ManagedClasses()

    private let lock = NSLock()
    private var qualified: [String: NSManagedObject.Type] = [:]
    private var bare: [String: NSManagedObject.Type] = [:]

    private init() {
        // All code that uses a managed class comes by here: from then on the names of its key paths are known.
        KeyPathNames.register { KeyPathProbe.shared.name(of: $0) }
    }

    func register(_ type: NSManagedObject.Type, name: String, module: String) {
        lock.withLock {
            qualified[module + "." + name] = type
            bare[name] = type
        }
    }

    /// The modules that registered classes.
    var modules: Set<String> {
        lock.withLock { Set(qualified.keys.compactMap { $0.split(separator: ".").first.map(String.init) }) }
    }

    /// The class of an entity's instances.
    ///
    /// A class that the program does not hold is replaced by `NSManagedObject`, as at Apple, with a warning on standard
    /// error.
    func type(of entity: NSEntityDescription) -> NSManagedObject.Type {
        let name = entity.managedObjectClassName ?? "NSManagedObject"
        if let type = type(named: name) { return type }
        let warning =
            "CoreData: warning: no class \(name) for the entity \(entity.name ?? "") in this program; using NSManagedObject.\n"
        FileHandle.standardError.write(Data(warning.utf8))
        return NSManagedObject.self
    }

    /// The class with this name: registered, or found among the program's types; nil where there is none.
    func type(named name: String) -> NSManagedObject.Type? {
        if name.isEmpty || name == "NSManagedObject" { return NSManagedObject.self }
        let plain = name.hasPrefix(".") ? String(name.dropFirst()) : name
        if let known = lock.withLock({ qualified[plain] ?? bare[plain] }) { return known }
        if let type = Foundation.NSClassFromString(plain) as? NSManagedObject.Type { return type }
        // A model that was not compiled does not say for which module its classes' names stand.
        guard !plain.contains(".") else { return nil }
        for module in ModelFolders.modulesBeside {
            if let type = Foundation.NSClassFromString(module + "." + plain) as? NSManagedObject.Type { return type }
        }
        return nil
    }
}
