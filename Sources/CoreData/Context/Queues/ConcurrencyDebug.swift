import FoundationGaps

/// Whether every use of a context and its objects is checked for being on the context's queue.
///
/// As with Apple's framework, the argument `-com.apple.CoreData.ConcurrencyDebug 1` turns it on; so does an environment
/// variable of that name. Without it nothing is checked, and nothing is paid.
enum ConcurrencyDebug {
    static let isOn = LaunchSetting.integer("com.apple.CoreData.ConcurrencyDebug") > 0
}

/// Settings that a program's user gives when it is started.
enum LaunchSetting {
    /// The number behind `-name` on the command line, or that of the environment variable of that name; 0 for none.
    static func integer(_ name: String) -> Int {
        let arguments = CommandLine.arguments
        if let place = arguments.firstIndex(of: "-" + name), place + 1 < arguments.count {
            return number(arguments[place + 1])
        }
        return ProcessInfo.processInfo.environment[name].map(number) ?? 0
    }

    private static func number(_ text: String) -> Int {
        Int(text) ?? (["yes", "true"].contains(text.lowercased()) ? 1 : 0)
    }
}

extension NSManagedObjectContext {
    /// Traps where the caller is not on the context's queue, if that is to be checked.
    func checkQueue() {
        guard ConcurrencyDebug.isOn, queueType.rawValue != 0, !queue.isCurrent else { return }
        let which = queueType == .mainQueueConcurrencyType ? "main-queue" : "private-queue"
        preconditionFailure(
            "CoreData concurrency violation: the \(which) context\(name.map { " \"\($0)\"" } ?? "") or one of its objects was used outside of the context's queue; wrap the use in perform { } or performAndWait { }, and hand objectIDs to other queues instead of objects."
        )
    }
}
