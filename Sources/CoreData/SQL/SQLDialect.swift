/// How one kind of database writes what the tree leaves open.
package protocol SQLDialect: Sendable {
    /// The most parameters that a statement may have.
    var maximumParameters: Int { get }

    func placeholder(_ number: Int) -> String
    /// The identifier, quoted where it needs to be.
    func identifier(_ name: String) -> String
    func name(of routine: SQLRoutine) -> String
    func name(of storage: SQLStorage) -> String

    func writeMembership(of expression: SQLExpression, in values: [SQLValue], to writer: inout SQLWriter)
    func writeText(
        _ text: SQLExpression, _ relation: SQLTextRelation, _ part: SQLExpression, to writer: inout SQLWriter)
    func writeUnindexed(_ expression: SQLExpression, to writer: inout SQLWriter)
    func writeOrder(_ order: SQLOrder, to writer: inout SQLWriter)
    func writeLimit(_ limit: Int?, offset: Int?, to writer: inout SQLWriter)
}
