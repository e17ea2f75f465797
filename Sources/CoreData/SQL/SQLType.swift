/// What a SQL expression's value means, so that constants beside it are bound as it is stored and results are delivered
/// as the model says.
package enum SQLType: Equatable, Sendable {
    case integer(SQLIntegerWidth)
    case boolean
    case double
    case float
    case decimal
    case string
    /// Seconds since 2001.
    case date
    case data
    /// Data that may lie in a file of its own, with a leading byte in the row.
    case externalData
    case uuid
    case uri
    /// Data that the attribute's transformer made: the slot with this index of the entity with this number.
    case transformable(entity: Int32, slot: Int)
    /// The URI of an object, as text.
    case objectID
    /// The key of an object of the entity with this number, or one below it.
    case object(entity: Int32)
    /// A `Z_ENT`.
    case entity
    case unknown

    package var isNumeric: Bool {
        switch self {
        case .integer, .boolean, .double, .float, .decimal: true
        default: false
        }
    }

    package var isText: Bool { self == .string || self == .uri }
}

package enum SQLIntegerWidth: UInt8, Sendable {
    case bits16, bits32, bits64
}

/// An expression and what its value means.
package struct SQLTerm: Equatable, Sendable {
    package var expression: SQLExpression
    package var type: SQLType
    /// The attribute that the value is of, where it is one of a row.
    package var origin: SQLOrigin?

    package init(_ expression: SQLExpression, _ type: SQLType) {
        self.expression = expression
        self.type = type
    }
}

/// The row and the attribute that a value is of.
package struct SQLOrigin: Equatable, Sendable {
    /// The row's key.
    let key: SQLExpression
    /// The number of its entity in the model.
    let entity: Int32
    let slot: String
    let column: String
    /// Whether there may be no row: a to-one led to it.
    let isOptional: Bool
}

extension SQLType {
    /// The type of the attribute in a slot.
    package init(_ slot: PropertySlot, of layout: EntityLayout) {
        switch slot.kind {
        case .int16: self = .integer(.bits16)
        case .int32: self = .integer(.bits32)
        case .int64: self = .integer(.bits64)
        case .boolean: self = .boolean
        case .double: self = .double
        case .float: self = .float
        case .decimal: self = .decimal
        case .string: self = .string
        case .date: self = .date
        case .binary: self = slot.isExternal ? .externalData : .data
        case .uuid: self = .uuid
        case .uri: self = .uri
        case .transformable: self = .transformable(entity: layout.number, slot: slot.index)
        case .objectID: self = .objectID
        case .toOne: self = .object(entity: slot.destination)
        case .undefined, .composite, .toMany, .orderedToMany, .fetched: self = .unknown
        }
    }
}
