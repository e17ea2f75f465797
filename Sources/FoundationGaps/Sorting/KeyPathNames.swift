import Foundation
import Synchronization

/// The names of the properties that Swift key paths go through.
///
/// Swift on Linux knows no names for computed properties, which those of managed objects are. Code that can find them
/// out registers a resolver; stored properties of structs and final classes need none.
package enum KeyPathNames {
    package typealias Resolver = @Sendable (AnyKeyPath) -> String?

    private static let resolvers = Mutex<[Resolver]>([])

    /// Adds a resolver, asked before those registered earlier.
    package static func register(_ resolver: @escaping Resolver) {
        resolvers.withLock { $0.insert(resolver, at: 0) }
    }

    /// The key path as key-value coding writes it, `team.name`; nil if it can't be found out.
    package static func name(of keyPath: AnyKeyPath) -> String? {
        let known = resolvers.withLock { $0 }
        for resolver in known {
            if let name = resolver(keyPath) { return name }
        }
        return nameOfStoredProperties(keyPath)
    }

    /// Like ``name(of:)``, for where nothing but a name will do.
    package static func requiredName(of keyPath: AnyKeyPath) -> String {
        guard let name = name(of: keyPath) else {
            fatalError(
                """
                The property names of the key path \(keyPath) can't be found out: it goes through a property that is \
                computed, but not by a data model. Write the key as a string, or sort and filter in memory.
                """)
        }
        return name
    }

    /// Reads the key path's description, `\City.location.latitude`, which names stored properties only.
    private static func nameOfStoredProperties(_ keyPath: AnyKeyPath) -> String? {
        let description = String(reflecting: keyPath)
        let root = "\\\(type(of: keyPath).rootType)"
        guard description.hasPrefix(root + ".") else { return nil }
        let names = description.dropFirst(root.count + 1).split(separator: ".", omittingEmptySubsequences: false)
        let keys = names.map { $0.trimmingSuffix { $0 == "?" || $0 == "!" } }
        return keys.allSatisfy(isIdentifier) ? keys.joined(separator: ".") : nil
    }

    private static func isIdentifier(_ name: Substring) -> Bool {
        !name.isEmpty && name != "self" && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }
}

extension Substring {
    fileprivate func trimmingSuffix(while belongsToSuffix: (Character) -> Bool) -> Substring {
        var rest = self
        while let last = rest.last, belongsToSuffix(last) { rest.removeLast() }
        return rest
    }
}
