import Foundation
import FoundationGaps
import MappingDocument

extension MappingModel.PropertyMapping {
    /// The format of the value's expression; nil where the document has none.
    ///
    /// - Throws: `CocoaError.fileReadCorruptFile` (259) with a sentence where the archive is damaged.
    package var valueExpression: String? {
        get throws { try valueExpressionData.map(ArchivedPredicateReader.expressionFormat) }
    }

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

extension ArchivedPredicateReader {
    /// The format of an expression that is an archive of its own.
    ///
    /// - Throws: `CocoaError.fileReadCorruptFile` (259) with a sentence where the data is none.
    static func expressionFormat(_ data: Data) throws -> String {
        let classes = Self.classes.union(ArchivedObject.collectionClasses).union(ModelReader.valueClasses)
            .union(["NSString", "NSMutableString"])
        let archive = try KeyedArchive(data, allowing: classes)
        guard let root = try archive.root().object else {
            throw corruptArchive("The keyed archive holds no expression.")
        }
        return try ArchivedPredicateReader(archive: archive).expressionFormat(root)
    }
}
