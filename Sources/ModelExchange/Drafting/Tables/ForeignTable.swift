/// A table of another program, as its catalogue or a script tells it.
struct ForeignTable: Hashable {
    struct Name: Hashable {
        var schema: String?
        var table: String

        var text: String { [schema, table].compactMap { $0 }.joined(separator: ".") }
    }

    struct Column: Hashable {
        var name: String
        var type: ForeignType
        var isNullable = true
        var standard: Default?
        /// Whether the database computes the value of other columns.
        var isGenerated = false
        var comment: String?
    }

    /// What a column has if nothing is said.
    enum Default: Hashable {
        case text(String)
        case number(String)
        case boolean(Bool)
        /// What the database computes at that time.
        case expression(String)
    }

    struct Reference: Hashable {
        var columns: [String]
        var target: Name
        /// Empty: the primary key.
        var targetColumns: [String] = []
        var deletion: Deletion = .refused
    }

    /// What becomes of a row when the row goes that it refers to.
    enum Deletion: Hashable { case refused, cascades, setsNull }

    struct Index: Hashable {
        struct Element: Hashable {
            var column: String
            var isAscending = true
        }

        var name: String
        var elements: [Element]
    }

    var name: Name
    var columns: [Column] = []
    var primaryKey: [String] = []
    var references: [Reference] = []
    var uniques: [[String]] = []
    var indexes: [Index] = []
    var comment: String?

    func column(_ name: String) -> Column? { columns.first { $0.name == name } }

    /// Whether no two rows can have the same values in these columns.
    func isUnique(_ names: [String]) -> Bool {
        let wanted = Set(names)
        return ([primaryKey] + uniques).contains { !$0.isEmpty && Set($0).isSubset(of: wanted) }
    }
}

/// The type of a column: its words in lower case, the numbers in brackets, and the values of an enumeration.
struct ForeignType: Hashable {
    var name: String
    var arguments: [Int] = []
    var values: [String] = []

    init(_ name: String, _ arguments: [Int] = [], values: [String] = []) {
        (self.name, self.arguments, self.values) = (name, arguments, values)
    }
}
