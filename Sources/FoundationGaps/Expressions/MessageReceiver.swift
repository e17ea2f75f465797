/// An object that says by itself what some names mean in `FUNCTION(object, "name:", …)`.
///
/// It is asked before the functions that are registered for all receivers.
package protocol MessageReceiver: AnyObject {
    /// What a name means.
    ///
    /// - Parameter name: The name with its colons.
    /// - Returns: Nil for a name that the object does not know. The function gets as many arguments as the name has
    ///   colons.
    func function(named name: String) -> (([Any?]) throws -> Any?)?

    /// What a name means for the value of one of the object's keys, in `FUNCTION(object.key, "name:", …)`.
    ///
    /// - Returns: Nil for a name that means the same for all values.
    func function(named name: String, of key: String) -> (([Any?]) throws -> Any?)?
}

extension MessageReceiver {
    package func function(named name: String, of key: String) -> (([Any?]) throws -> Any?)? { nil }
}
