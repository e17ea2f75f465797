import Foundation

/// How one kind of database writes what the trees leave open.
package protocol SQLDialect: Sendable {
    /// The most parameters that a statement may have.
    var maximumParameters: Int { get }

    // MARK: Names and values

    /// A parameter, each with the number after the last one's.
    func placeholder(_ number: Int) -> String
    /// A parameter that stands in the text before, or whose number does not follow the last one's.
    func repeatedPlaceholder(_ number: Int) -> String
    /// The identifier, quoted where it needs to be.
    func identifier(_ name: String) -> String
    /// A constant in the statement's text.
    func literal(_ value: SQLValue) -> String
    /// A decimal number as the database compares it best.
    ///
    /// - Parameter digits: The number in plain digits, without an exponent.
    func decimal(_ digits: String) -> SQLValue
    /// The data of an attribute with external storage, as a row has them in itself.
    func external(_ data: Data) -> SQLValue
    func name(of routine: SQLRoutine) -> String
    func name(of storage: SQLStorage) -> String
    func name(of type: SQLColumnType) -> String
    /// With which type a table gets a column of a schema.
    func type(of column: SQLTableColumn) -> SQLColumnType

    // MARK: Expressions

    /// A condition that always holds, or never.
    func truth(_ flag: Bool) -> String
    /// Between two values: whether they are equal, or both null.
    var wordForSame: String { get }
    /// The function of two values that gives the first one, or the second where the first is null.
    var wordForIfNull: String { get }
    /// The function that gives the greater of two values.
    var wordForGreater: String { get }
    func writeMembership(of expression: SQLExpression, in values: [SQLValue], to writer: inout SQLWriter)
    func writeMembership(of expression: SQLExpression, in keys: SQLKeyList, to writer: inout SQLWriter)
    func writeText(
        _ text: SQLExpression, _ relation: SQLTextRelation, _ part: SQLExpression, to writer: inout SQLWriter)
    func writeSearch(_ value: SQLSearchValue, of search: SQLSearch, to writer: inout SQLWriter)
    func writeUnindexed(_ expression: SQLExpression, to writer: inout SQLWriter)

    // MARK: Statements

    /// What stands behind a select in the place of a table: a name for it, where the database asks for one.
    var aliasOfSelect: String { get }
    func writeOrder(_ order: SQLOrder, to writer: inout SQLWriter)
    func writeLimit(_ limit: Int?, offset: Int?, to writer: inout SQLWriter)
    func writeLookup(_ lookup: SQLRowLookup, to writer: inout SQLWriter)
    func writeInsert(_ insert: SQLInsert, to writer: inout SQLWriter)

    // MARK: Definitions

    func writeIndexColumn(_ column: SQLIndexColumn, to writer: inout SQLWriter)
    func writeSpatialTable(_ table: SQLSpatialTable, to writer: inout SQLWriter)
    func writeSearch(_ statement: SQLSearchStatement, to writer: inout SQLWriter)
    func writeTrigger(_ trigger: SQLTrigger, to writer: inout SQLWriter)
    func writeTriggerRemoval(_ name: String, on table: String, to writer: inout SQLWriter)
}
