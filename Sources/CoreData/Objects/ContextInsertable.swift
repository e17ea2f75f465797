/// What managed objects have so that generic code can make them. Only `NSManagedObject` conforms to it.
///
/// ```swift
/// func make<T: NSManagedObject>(_ type: T.Type, count: Int) -> [T] {
///     (0..<count).map { _ in T(context: context) }
/// }
/// print(make(Player.self, count: 3).count)
/// ```
///
/// A class's own initialiser would have to be `required`. Then every class of an app that declares `init(context:)`
/// itself would have to be changed. An initialiser of a protocol demands nothing of classes.
public protocol ContextInsertable {}
