/// What managed objects have so that generic code can make them: `T(context: context)`. Only `NSManagedObject` conforms to it.
///
/// A class's own initialiser would have to be `required`, and then every class of an app that declares `init(context:)` itself
/// would have to say so, too. An initialiser of a protocol asks nothing of classes.
public protocol ContextInsertable {}
