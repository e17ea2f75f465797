import Foundation

/// A class that only compiles with Objective-C, in a file that knows nothing of Core Data: a copy of it is compiled.
@objc(OldSweetness)
public class Sweetness: NSObject {
    @objc dynamic var grams = 3

    /// Foundation's own class of this name can't be made.
    func doubled() -> NSExpression {
        let grams: NSExpression = NSExpression(forConstantValue: grams)
        return NSExpression(forFunction: "add:to:", arguments: [grams, grams])
    }

    /// Foundation's own class of this name prints wrongly.
    func not(_ predicate: NSPredicate) -> NSPredicate { NSCompoundPredicate(notPredicateWithSubpredicate: predicate) }

    /// Managed classes have the names that the model gives them.
    static func type(named name: String) -> AnyClass? { NSClassFromString(name) }
}
