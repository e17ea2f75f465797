import Foundation

/// A bar that grows in place on a terminal; elsewhere only its last state is printed.
struct ProgressBar {
    let label: String
    let total: Int
    private let isTerminal = isatty(STDOUT_FILENO) == 1
    private let width = 30

    func show(_ done: Int) {
        let isComplete = done == total
        guard isTerminal || isComplete else { return }
        let filled = total == 0 ? width : width * done / total
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        print("   \(label)  \(bar)  \(done) of \(total)", terminator: isTerminal && !isComplete ? "\r" : "\n")
        fflush(nil)
    }
}
