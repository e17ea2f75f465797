/// A trigger of a store: what the database does by itself when rows of a table change.
package struct SQLTrigger: Equatable, Sendable {
    package enum Event: Equatable, Sendable {
        case insert, delete
        /// A change of one of these columns.
        case update(of: [String])

        /// How triggers of the event end their names.
        var suffix: String {
            switch self {
            case .insert: "INSERT"
            case .delete: "DELETE"
            case .update: "UPDATE"
            }
        }
    }

    /// What a trigger does.
    package enum Action: Equatable, Sendable {
        case run(SQLStatement)
        /// Tells which rows the trigger gave another value, so that their snapshots are read again.
        case tell(SQLTriggerNote)
    }

    package private(set) var name: String
    package let event: Event
    package let table: String
    /// Which rows fire it, in terms of the new row and the old row; nil: all.
    package let condition: SQLExpression?
    package let actions: [Action]
    /// Whether it is one connection's alone, and leaves no trace in the file.
    package var isTemporary = false

    /// - Parameter prefix: The name without the event.
    init(_ prefix: String, _ event: Event, on table: String, when condition: SQLExpression? = nil, do actions: [Action])
    {
        self.init(name: "\(prefix)_\(event.suffix)", event, on: table, when: condition, do: actions)
    }

    fileprivate init(
        name: String, _ event: Event, on table: String, when condition: SQLExpression?, do actions: [Action],
        isTemporary: Bool = false
    ) {
        self.name = name
        self.event = event
        self.table = table
        self.condition = condition
        self.actions = actions
        self.isTemporary = isTemporary
    }
}

/// What a trigger tells: in which rows of a table it set a derived attribute's column.
package struct SQLTriggerNote: Equatable, Sendable {
    /// Whether the rows are new.
    package let isInsert: Bool
    package let table: String
    package let attribute: String
    package let column: String
    package let conditions: [SQLExpression]
}

extension SQLTrigger {
    /// The same trigger with other expressions in it.
    package func replacing(condition: SQLExpression?, actions: [Action]) -> SQLTrigger {
        SQLTrigger(name: name, event, on: table, when: condition, do: actions, isTemporary: isTemporary)
    }
}

extension SQLTriggerNote {
    /// The same note with other conditions.
    package func replacing(conditions: [SQLExpression]) -> SQLTriggerNote {
        SQLTriggerNote(
            isInsert: isInsert, table: table, attribute: attribute, column: column, conditions: conditions)
    }
}

extension [SQLTrigger] {
    /// The same triggers. Where names differ in nothing but case, all but one get a digit.
    package var distinctlyNamed: [SQLTrigger] {
        var taken: Set<String> = []
        return map { trigger in
            var trigger = trigger
            trigger.takeName(in: &taken)
            return trigger
        }
    }
}

extension SQLTrigger {
    fileprivate mutating func takeName(in taken: inout Set<String>) {
        name = SQLNaming.unusedIgnoringCase(name, in: taken)
        taken.insert(name.uppercased())
    }
}
