import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A bar in the last line of the terminal that grows while a command works, and is gone when it ends.
///
/// It is drawn on standard error, only where that is a terminal, and only where the command's rows do not go to the
/// terminal, too. It appears when a command takes longer than a tenth of a second, and is drawn ten times a second at
/// most.
final class ProgressBar {
    private let title: String
    private var total: Int
    /// Every row counts. Exclusive access is not checked at run time: counting runs no other code.
    @exclusivity(unchecked) private var done = 0
    private var lastDrawn = ContinuousClock.now

    /// Whether a bar stands in the terminal's last line, which a message has to clear first.
    private static let isShown = Mutex(false)

    /// - Parameters:
    ///   - title: What is being done.
    ///   - sink: Where the command's rows go to.
    ///   - total: How much there is to do; it is asked only where the bar can be seen.
    /// - Returns: nil where there is no terminal to draw on, or nothing to do.
    init?(_ title: String, besides sink: RowOptions, total: () throws -> Int) {
        guard Self.isTerminal, sink.output != nil || isatty(STDOUT_FILENO) != 1 else { return nil }
        // What can't be counted can't be read either: the command itself says why.
        guard let total = try? total(), total > 0 else { return nil }
        self.title = title
        self.total = total
    }

    /// The bar of a command that prints nothing while it works.
    ///
    /// - Returns: nil where there is no terminal to draw on.
    init?(_ title: String, total: Int) {
        guard Self.isTerminal else { return nil }
        (self.title, self.total) = (title, total)
    }

    private static var isTerminal: Bool {
        isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    deinit { finish() }

    /// Notes that some of the work is done.
    @inline(__always)
    func advance(_ count: Int = 1) {
        done += count
        // Reading the clock costs more than a row.
        if done & 127 < count { draw() }
    }

    /// Notes how much of the work is done, and how much there is as it is known now.
    func advance(to count: Int, of total: Int) {
        (done, self.total) = (count, total)
        draw()
    }

    /// Removes the bar.
    func finish() { Self.clear() }

    /// Removes a bar from the terminal's last line; the next one is drawn below what is written meanwhile.
    static func clear() {
        let wasShown = isShown.withLock { shown in
            defer { shown = false }
            return shown
        }
        if wasShown { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
    }

    private func draw() {
        let now = ContinuousClock.now
        guard now - lastDrawn >= .milliseconds(100) else { return }
        lastDrawn = now
        let line = Self.line(title, done: done, of: total, width: Terminal.width(of: STDERR_FILENO) ?? 80)
        FileHandle.standardError.write(Data(("\r" + line + "\u{1B}[K").utf8))
        Self.isShown.withLock { $0 = true }
    }

    /// The bar as text that fits a terminal.
    static func line(_ title: String, done: Int, of total: Int, width: Int) -> String {
        let done = min(done, total)
        let percent = total == 0 ? 100 : Int(Double(done) / Double(total) * 100)
        let numbers = "\(percent) %  \(done) of \(total)"
        // The last column stays free: some terminals begin a new line behind it.
        let room = min(40, width - 1 - title.count - numbers.count - 4)
        guard room >= 8 else { return TextWidth.cut("\(title)  \(numbers)", to: max(1, width - 1)) }
        let filled = total == 0 ? room : Int(Double(done) / Double(total) * Double(room))
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: room - filled)
        return "\(title)  \(bar)  \(numbers)"
    }
}
