import Foundation

/// Shows how far a migration is: as a bar on a terminal, or as lines where they are asked for.
final class MigrationWatch {
    private let tells: Bool
    private let bar: ProgressBar?
    private var lastDone = -1

    /// - Parameter tells: Whether each step is a line on standard error.
    init(tells: Bool) {
        self.tells = tells
        bar = tells ? nil : ProgressBar("Migrating", total: 1)
    }

    /// - Parameter step: What is done next; nil at the end.
    func note(_ step: () -> String?, done: Int, of total: Int) {
        bar?.advance(to: done, of: total)
        guard tells, done != lastDone, let text = step() else { return }
        lastDone = done
        report("\(done + 1) of \(total): \(TextTable.singleLine(text))")
    }

    func finish() { bar?.finish() }
}
