/// Whether every use of a context and its objects is checked for being on the context's queue.
///
/// As with Apple's framework, the argument `-com.apple.CoreData.ConcurrencyDebug 1` turns it on; so does an environment
/// variable of that name. Without it nothing is checked, and nothing is paid.
enum ConcurrencyDebug {
    static let isOn = LaunchSetting.integer("com.apple.CoreData.ConcurrencyDebug") > 0
}
