import FoundationGaps

/// An object that is told of changes of managed objects.
///
/// ```swift
/// final class Display: KeyValueObserver {
///     func observeValue(
///         forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
///         context: UnsafeMutableRawPointer?
///     ) {
///         label.text = change?[.newKey] as? String
///     }
/// }
/// ```
///
/// Give it to ``NSManagedObject/addObserver(_:forKeyPath:options:context:)``. On Apple's platforms every `NSObject` has
/// the method, and classes override it. Here a class conforms, and writes it without `override`.
public protocol KeyValueObserver: AnyObject {
    /// Called when an observed value changed.
    ///
    /// - Parameters:
    ///   - keyPath: As it was given to `addObserver`.
    ///   - object: The object that is observed.
    ///   - change: What was asked for: see `NSKeyValueChangeKey`.
    ///   - context: As it was given to `addObserver`.
    func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?)
}
