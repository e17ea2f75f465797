import FoundationGaps

/// An object that is told of changes of others by `observeValue(forKeyPath:of:change:context:)`.
///
/// On Apple's platforms every `NSObject` has this method, to be overridden. Elsewhere a class says that it has it by
/// conforming, and writes it without `override`.
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
