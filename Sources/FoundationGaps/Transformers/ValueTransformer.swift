import Foundation

/// A conversion of values that a data model can name, as Cocoa's `NSValueTransformer`.
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
/// Transformers are asked on whichever thread a value is needed: they hold no state that changes.
open class ValueTransformer: NSObject {
    public override init() { super.init() }

    /// The registered transformer of a name.
    ///
    /// Where none is registered, a class of that name is looked for, `HexColorTransformer` in the program's own module
    /// or `Module.HexColorTransformer` elsewhere; an instance of it is registered under the name. Nil if there is no
    /// such class either.
    public convenience init?(forName name: NSValueTransformerName) {
        guard let transformer = TransformerRegistry.transformer(for: name) else { return nil }
        self.init(found: transformer)
    }

    /// Not for use by others: the way from a metatype to its class's own `init()`.
    public convenience init(_foundationGaps: Void) { self.init() }

    /// The class of what ``transformedValue(_:)`` gives.
    open class func transformedValueClass() -> AnyClass { NSObject.self }

    /// Whether ``reverseTransformedValue(_:)`` can be called. True unless overridden.
    open class func allowsReverseTransformation() -> Bool { true }

    /// The value transformed; the value itself unless overridden.
    open func transformedValue(_ value: Any?) -> Any? { value }

    /// The value that was transformed, from the result.
    ///
    /// Unless overridden it transforms once more, which is right for what is its own opposite; it traps if the class
    /// does not allow to reverse it.
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

    /// Registers a transformer under a name; nil removes the name.
    open class func setValueTransformer(_ transformer: ValueTransformer?, forName name: NSValueTransformerName) {
        TransformerRegistry.set(transformer, for: name)
    }

    /// The names of all registered transformers, the standard ones among them.
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
    /// A metatype value can only call `required` initialisers, and requiring one would break classes with an `init()` of
    /// their own. The convenience initialiser's allocating entry calls that, so it is reached by its symbol.
    @_silgen_name("$s14FoundationGaps16ValueTransformerC011_foundationB0ACyt_tcfC")
    static func make() -> ValueTransformer
}
