import Foundation

/// The objects in Foundation's collections as they were put in.
///
/// On Linux `object(forKey:)` and `object(at:)` give a Swift dictionary in the place of an `NSMutableDictionary`: a
/// copy, and what is set in it is lost. Reflection shows the objects themselves.
enum StoredObjects {
    /// The value of a key.
    static func value(in dictionary: NSDictionary, forKey key: String) -> Any? {
        let name = key as NSString
        for child in Mirror(reflecting: dictionary).children {
            if let pair = child.value as? (key: NSObject, value: AnyObject), pair.key.isEqual(name) {
                return pair.value
            }
        }
        return dictionary.object(forKey: key)
    }

    /// The members of an `NSArray`, `NSSet` or `NSOrderedSet`; nil for everything else.
    static func members(of collection: Any) -> [Any]? {
        let object = instance(in: collection)
        guard object is NSArray || object is NSSet || object is NSOrderedSet, let object else { return nil }
        let children = Mirror(reflecting: object).children.map(\.value)
        let count = (object as? any KeyValueCollection)?.keyValueCount
        // A subclass may show something else.
        return children.count == count ? children : (object as? any KeyValueCollection)?.keyValueMembers
    }
}
