import ModelDocument

/// Something that is wrong with a mapping model, where it is, and what could be done about it.
package struct MappingProblem: Sendable, Hashable {
    package enum Code: String, Sendable, Hashable, CaseIterable {
        case missingModel = "missing-model"
        case repeatedName = "repeated-name"
        case unknownEntity = "unknown-entity"
        case abstractDestination = "abstract-destination"
        case wrongType = "wrong-type"
        case missingPolicy = "missing-policy"
        case wrongFilter = "wrong-filter"
        case unknownProperty = "unknown-property"
        case repeatedProperty = "repeated-property"
        case damagedExpression = "damaged-expression"
        case unknownKey = "unknown-key"
        case unknownVariable = "unknown-variable"
        case unknownFunction = "unknown-function"
        case unknownMapping = "unknown-mapping"
        case wrongValue = "wrong-value"
        case unsureKey = "unsure-key"
        case missingValue = "missing-value"
        case lostObjects = "lost-objects"
        case lostValues = "lost-values"
        case unknownStatement = "unknown-statement"
    }

    package enum Severity: String, Sendable, Hashable {
        /// The migration would fail.
        case error
        /// The migration may fail, or objects are lost.
        case warning
        /// Worth knowing.
        case note
    }

    /// What a problem is about, of a mapping model, an entity mapping or a property mapping.
    package enum Field: String, Sendable, Hashable {
        case name, source, destination, type, policy, filter, expression, sourceMapping, sourceKeyPath
        case sourceModel, destinationModel
    }

    /// What makes a problem go away.
    package enum Fix: Sendable, Hashable {
        /// A mapping for an entity of the source model.
        case mapEntity(String)
        /// A mapping for a property of the destination entity.
        case mapProperty(String)
        /// An expression in the place of the one that there is.
        case setExpression(String)
        /// The property mapping goes.
        case remove
    }

    package var code: Code
    package var severity: Severity
    package var message: String
    /// The identifier of the document's object; nil for the mapping model itself.
    package var element: String?
    package var field: Field?
    package var fix: Fix?
}

extension MappingProblem {
    /// Tells of something that a document says, and that has no effect.
    package init(_ statement: UnknownStatement) {
        self.init(
            code: .unknownStatement, severity: .note, message: statement.message, element: statement.objectID)
    }
}
