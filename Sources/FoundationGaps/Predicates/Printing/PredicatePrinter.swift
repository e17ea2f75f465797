import Foundation

/// Writes trees in the format language, as Apple's framework prints them, with the parentheses that reading them back
/// needs.
struct PredicatePrinter {
    private(set) var text = ""

    static func text(of predicate: NSPredicate) -> String {
        var printer = PredicatePrinter()
        printer.print(predicate)
        return printer.text
    }

    mutating func write(_ part: String) {
        text += part
    }

    // MARK: Predicates

    mutating func print(_ predicate: NSPredicate) {
        if let compound = predicate.plainCompound {
            print(compound)
        } else if let comparison = predicate as? NSComparisonPredicate {
            print(comparison)
        } else if let truth = predicate.constantTruth {
            write(truth ? "TRUEPREDICATE" : "FALSEPREDICATE")
        } else {
            write("BLOCKPREDICATE(\(type(of: predicate)))")
        }
    }

    private mutating func print(_ compound: NSCompoundPredicate) {
        let parts = compound.subpredicates
        switch (compound.compoundPredicateType, parts.count) {
        case (.and, 0): write("TRUEPREDICATE")
        case (.or, 0): write("FALSEPREDICATE")
        case (.not, _):
            write("NOT ")
            printInner(parts[0])
        case (_, 1): print(parts[0])
        case (let type, _):
            for (index, part) in parts.enumerated() {
                if index > 0 { write(type == .and ? " AND " : " OR ") }
                printInner(part)
            }
        }
    }

    /// A part of a compound predicate: compounds inside compounds stand in parentheses.
    private mutating func printInner(_ predicate: NSPredicate) {
        if let inner = predicate.plainCompound, inner.compoundPredicateType == .not || inner.subpredicates.count > 1 {
            write("(")
            print(predicate)
            write(")")
        } else if let inner = predicate.plainCompound, let only = inner.subpredicates.first {
            printInner(only)
        } else {
            print(predicate)
        }
    }

    private mutating func print(_ comparison: NSComparisonPredicate) {
        switch comparison.comparisonPredicateModifier {
        case .direct: break
        case .all: write("ALL ")
        case .any: write("ANY ")
        }
        print(comparison.leftExpression)
        write(" ")
        write(comparison.customSelector?.description ?? comparison.predicateOperatorType.symbol)
        let letters = NSComparisonPredicate.Options.letters.filter { comparison.options.contains($0.option) }
        if !letters.isEmpty { write("[\(String(letters.map(\.letter)))]") }
        write(" ")
        print(comparison.rightExpression)
    }
}
