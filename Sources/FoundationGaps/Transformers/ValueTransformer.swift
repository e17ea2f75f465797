import Foundation

/// A conversion of values that a data model can name. Foundation on Linux lacks the class.
///
/// A subclass says what it gives, and whether it can be reversed:
///
/// ```swift
/// final class HexColorTransformer: ValueTransformer {
///     override class func transformedValueClass() -> AnyClass { NSData.self }
///     override class func allowsReverseTransformation() -> Bool { true }
///     override func transformedValue(_ value: Any?) -> Any? { (value as? Color)?.hex.data(using: .utf8) }
///     override func reverseTransformedValue(_ value: Any?) -> Any? { (value as? Data).flatMap(Color.init(hex:)) }
/// }
/// ValueTransformer.setValueTransformer(HexColorTransformer(), forName: NSValueTransformerName("HexColor"))
/// ```
///
/// A transformable attribute with `valueTransformerName` "HexColor" then has a `Color`, and its row the data. Register
/// the name before the store is used: a name without a transformer traps. A value without data makes the save fail with
/// `NSManagedObjectValidationError` (1550).
///
/// Transformers are asked on whichever thread a value is needed, also on several at a time. So they hold no state that
/// changes.
open class ValueTransformer: NSObject {
    /// Makes a transformer. It has no name until it is registered.
    public override init() { super.init() }

    /// The registered transformer of a name.
    ///
    /// ```swift
    /// let secure = ValueTransformer(forName: .secureUnarchiveFromDataTransformerName)
    /// ```
    ///
    /// If none is registered, a class of that name is looked for: `HexColorTransformer` in the program's own module, or
    /// `Module.HexColorTransformer` elsewhere. An instance of it is registered under the name. Nil if the class does
    /// not exist either, or is no transformer.
    public convenience init?(forName name: NSValueTransformerName) {
        guard let transformer = TransformerRegistry.transformer(for: name) else { return nil }
        self.init(found: transformer)
    }

    /// Not for use by others: the way from a metatype to its class's own `init()`.
    public convenience init(_foundationGaps: Void) { self.init() }

    /// The class of what ``transformedValue(_:)`` gives; `NSObject` unless overridden.
    ///
    /// For a transformable attribute this is `NSData`. It is information for callers; nothing is checked by it here.
    open class func transformedValueClass() -> AnyClass { NSObject.self }

    /// Whether ``reverseTransformedValue(_:)`` can be called. True unless overridden.
    ///
    /// A transformer for a transformable attribute must allow it, since a store reads values by it.
    open class func allowsReverseTransformation() -> Bool { true }

    /// The value transformed; the value itself unless overridden.
    ///
    /// For a transformable attribute, override it to give the `Data` for a row. It is not called for nil there, which
    /// is stored as NULL.
    open func transformedValue(_ value: Any?) -> Any? { value }

    /// The value that was transformed, from the result.
    ///
    /// Unless overridden it calls ``transformedValue(_:)``, which is right for a conversion that is its own opposite.
    /// Traps if the class does not allow to reverse it, and does not override this method.
    open func reverseTransformedValue(_ value: Any?) -> Any? {
        guard type(of: self).allowsReverseTransformation() else {
            fatalError(
                """
                \(type(of: self)) can't be reversed: it doesn't allow reverse transformation. Ask \
                allowsReverseTransformation() first, or override it and reverseTransformedValue(_:).
                """)
        }
        return transformedValue(value)
    }

    /// Registers a transformer under a name, for the whole process; nil removes the name.
    ///
    /// A later transformer replaces an earlier one. Register at the start of the program, before a store is used. It
    /// may be called on any thread.
    open class func setValueTransformer(_ transformer: ValueTransformer?, forName name: NSValueTransformerName) {
        TransformerRegistry.set(transformer, for: name)
    }

    /// The names of all registered transformers, the six standard ones among them. The order is not defined.
    open class func valueTransformerNames() -> [NSValueTransformerName] { TransformerRegistry.names }
}

// MARK: An initialiser that returns a registered instance

/// A convenience initialiser can't return another object, but one that a protocol's extension declares can.
protocol FoundTransformer {}

extension FoundTransformer {
    init?(found transformer: ValueTransformer) {
        guard let transformer = transformer as? Self else { return nil }
        self = transformer
    }
}

extension ValueTransformer: FoundTransformer {}

// MARK: Instances by metatype

extension ValueTransformer {
    /// `init(_foundationGaps:)` of the very class that it is called on.
    ///
    /// A metatype value can only call `required` initialisers, and requiring one would break classes with an `init()`
    /// of their own. The convenience initialiser's allocating entry calls that, so it is reached by its symbol.
    @_silgen_name("$s14FoundationGaps16ValueTransformerC011_foundationB0ACyt_tcfC")
    static func make() -> ValueTransformer
}
