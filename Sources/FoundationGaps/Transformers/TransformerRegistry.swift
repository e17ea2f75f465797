import Foundation
import Synchronization

/// The transformers by name, for the whole process.
enum TransformerRegistry {
    /// Unchecked: transformers are used on every thread and hold no changing state, as their class demands.
    private struct Transformers: @unchecked Sendable {
        var byName: [NSValueTransformerName: ValueTransformer]
    }

    private static let transformers = Mutex(
        Transformers(byName: [
            .negateBooleanTransformerName: NegateBooleanTransformer(),
            .isNilTransformerName: IsNilTransformer(),
            .isNotNilTransformerName: IsNotNilTransformer(),
            .unarchiveFromDataTransformerName: UnarchiveFromDataTransformer(),
            .keyedUnarchiveFromDataTransformerName: UnarchiveFromDataTransformer(),
            .secureUnarchiveFromDataTransformerName: NSSecureUnarchiveFromDataTransformer(),
        ]))

    static var names: [NSValueTransformerName] { transformers.withLock { Array($0.byName.keys) } }

    static func set(_ transformer: ValueTransformer?, for name: NSValueTransformerName) {
        let boxed = Transformers(byName: transformer.map { [name: $0] } ?? [:])
        transformers.withLock { $0.byName[name] = boxed.byName[name] }
    }

    static func transformer(for name: NSValueTransformerName) -> ValueTransformer? {
        if let registered = registered(name) { return registered }
        guard let made = transformerClass(named: name.rawValue)?.make() else { return nil }
        set(made, for: name)
        return made
    }

    private static func registered(_ name: NSValueTransformerName) -> ValueTransformer? {
        let found = transformers.withLock { Transformers(byName: $0.byName.filter { $0.key == name }) }
        return found.byName[name]
    }

    /// The class of the name, or of the name in the module that the program is called after.
    private static func transformerClass(named name: String) -> ValueTransformer.Type? {
        guard name.isTypeName else { return nil }
        let program = ProcessInfo.processInfo.processName.replacing("-", with: "_")
        let candidates = name.contains(".") ? [name] : [name, "\(program).\(name)"]
        return candidates.lazy.compactMap { NSClassFromString($0) as? ValueTransformer.Type }.first
    }
}

extension String {
    /// Whether the text is `Name` or `Module.Name`: all that may be looked up by a name from outside.
    var isTypeName: Bool {
        let parts = split(separator: ".", omittingEmptySubsequences: false)
        return parts.count <= 2 && count <= 255
            && parts.allSatisfy { part in
                guard let first = part.first, first == "_" || first.isLetter else { return false }
                return part.allSatisfy { $0 == "_" || $0.isLetter || $0.isNumber }
            }
    }
}
