import FoundationGaps

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
