/// What blocks on a queue work for: a context.
///
/// A queue only has to know which users wait for each other, and how messages name them.
protocol QueueUser: AnyObject {
    /// A name for messages.
    var name: String? { get }
    /// How many questions the user is asking the user above it, one within the other.
    var questionsToParent: Int { get }
    /// The user that this one asks: a context's parent.
    var userAbove: (any QueueUser)? { get }
}
