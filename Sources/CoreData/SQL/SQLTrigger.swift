/// A trigger of a store: what the database does by itself when rows of a table change.
struct SQLTrigger: Equatable {
    enum Event: Equatable {
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

    private(set) var name: String
    let event: Event
    let table: String
    /// Which rows fire it, in terms of `NEW` and `OLD`; nil: all.
    let condition: String?
    let statements: [String]

    /// - Parameter prefix: The name without the event.
    init(_ prefix: String, _ event: Event, on table: String, when condition: String? = nil, do statements: [String]) {
        name = "\(prefix)_\(event.suffix)"
        self.event = event
        self.table = table
        self.condition = condition
        self.statements = statements
    }

    /// The statement that makes the trigger.
    ///
    /// - Parameter isTemporary: Whether it is this connection's alone, and leaves no trace in the file.
    func creation(isTemporary: Bool = false) -> String {
        let event =
            switch event {
            case .insert: "INSERT"
            case .delete: "DELETE"
            case .update(let columns): "UPDATE OF \(columns.map { SQLSchema.name($0) }.joined(separator: ", "))"
            }
        let condition = condition.map { " WHEN \($0)" } ?? ""
        return "CREATE \(isTemporary ? "TEMP " : "")TRIGGER \(SQLSchema.name(name)) AFTER \(event) "
            + "ON \(SQLSchema.name(table)) FOR EACH ROW\(condition) "
            + "BEGIN \(statements.map { $0 + ";" }.joined(separator: " ")) END"
    }
}

extension [SQLTrigger] {
    /// The same triggers. Where names differ in nothing but case, all but one get a digit.
    var distinctlyNamed: [SQLTrigger] {
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
