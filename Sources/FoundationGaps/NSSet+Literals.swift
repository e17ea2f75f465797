import Foundation

/// What gives `NSSet` literals: `player.addToTeams([celtics, lakers])`.
///
/// A class can't get a `required` initialiser from outside; it can get one from a protocol that it conforms to.
public protocol ArrayLiteralSet {}

extension NSSet: ArrayLiteralSet {}

extension ArrayLiteralSet {
    /// A set of the elements of an array literal.
    ///
    /// Makes an `NSSet`, `NSMutableSet` or `NSCountedSet`, and traps for another subclass: that one needs
    /// `init(array:)`.
    ///
    /// - Parameter elements: The members. Of equal ones the first stays; a counted set counts them.
    @_silgen_name("foundation_gaps_set_of_literal")
    public init(arrayLiteral elements: Any...)
}

extension ArrayLiteralSet {
    /// What ``init(arrayLiteral:)`` does. The initialiser would take every subclass for `NSSet`, which is what
    /// conforms; a method knows the class that it was called on, and is called in the same way.
    @_silgen_name("foundation_gaps_set_of_literal")
    public static func _set(arrayLiteral elements: __owned [Any]) -> Self {
        let set: NSSet
        switch ObjectIdentifier(self as Any.Type) {
        case ObjectIdentifier(NSSet.self): set = NSSet(array: elements)
        case ObjectIdentifier(NSMutableSet.self): set = NSMutableSet(array: elements)
        case ObjectIdentifier(NSCountedSet.self):
            // Foundation's init(array:) of counted sets counts nothing.
            set = NSCountedSet(capacity: elements.count)
            for element in elements { (set as? NSCountedSet)?.add(element) }
        default: preconditionFailure("\(self) can't be written as a literal; make it with init(array:).")
        }
        guard let own = set as? Self else {
            preconditionFailure("\(self) can't be written as a literal; make it with init(array:).")
        }
        return own
    }
}

extension NSSet: @retroactive ExpressibleByArrayLiteral {}
