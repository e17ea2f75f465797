import Foundation
import FoundationGaps
import MappingDocument

extension MappingModel.PropertyMapping {
    /// Sets the value's expression, as a document holds it.
    ///
    /// ```swift
    /// try mapping.setValueExpression("FUNCTION($entityPolicy, \"initialsOf:\", $source.name)")
    /// ```
    ///
    /// - Parameter format: The expression; nil for none.
    /// - Throws: `CocoaError.fileWriteUnknown` (512) with a sentence where the format can't be parsed.
    package mutating func setValueExpression(_ format: String?) throws {
        guard let format else { return valueExpressionData = nil }
        do {
            var writer = ArchivedPredicateWriter(builder: KeyedArchiveBuilder(), selfReference: nil)
            let root = try writer.add(NSExpression.parse(format))
            valueExpressionData = writer.builder.data(root: root)
        } catch let error as PredicateFormatError {
            throw unwritableValue(
                "The mapping of “\(name)” has a wrong format “\(error.format)”: \(whole: error.message) (column \(error.column))."
            )
        }
    }
}
