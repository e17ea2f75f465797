/// The words that are no keys unless `#` stands before them.
enum ReservedWords {
    private static let words: Set<String> = [
        "AND", "OR", "IN", "NOT", "ALL", "ANY", "SOME", "NONE", "LIKE", "CASEINSENSITIVE", "CI", "MATCHES", "CONTAINS",
        "BEGINSWITH", "ENDSWITH", "BETWEEN", "NULL", "NIL", "SELF", "TRUE", "YES", "FALSE", "NO", "FIRST", "LAST",
        "SIZE",
        "ANYKEY", "SUBQUERY", "CAST", "TRUEPREDICATE", "FALSEPREDICATE", "FETCH", "FUNCTION", "TERNARY", "UNION",
        "INTERSECT", "MINUS",
    ]

    static func contains(_ word: String) -> Bool {
        words.contains(word.uppercased())
    }

    /// The key as it is written in a format.
    static func escaped(_ key: String) -> String {
        contains(key) ? "#" + key : key
    }
}
