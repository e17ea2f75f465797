import CoreData

extension PostgreSQLQuery {
    /// The statement with its values in the place of their numbers: to be read, or to be run by a person.
    ///
    /// The framework itself sends values beside the text.
    var wholeText: String {
        text.replacing(#/\$([0-9]+)::/#) { match in
            guard let number = Int(match.1), parameters.indices.contains(number - 1) else { return String(match.0) }
            return parameters[number - 1].literal + "::"
        }
    }
}

extension PostgreSQLParameter {
    /// The value as a statement has it.
    fileprivate var literal: String {
        let all = values.map { literal(of: $0) }
        return isArray ? "ARRAY[\(all.joined(separator: ", "))]" : all.first ?? "NULL"
    }

    private func literal(of value: SQLValue) -> String {
        switch (value, type) {
        case (.int(let number), .boolean): number == 0 ? "FALSE" : "TRUE"
        case (.double(let seconds), .timestamp): Self.date(seconds)
        case (.blob(let data), .uuid) where data.count == 16:
            "'\(data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }.uuidString)'"
        case (.double(let number), _) where !number.isFinite: "'\(number)'"
        default: PostgreSQLDialect().literal(value)
        }
    }

    /// A date that no column can have is before or after all of them.
    private static func date(_ seconds: Double) -> String {
        guard let microseconds = PostgreSQLTime.microseconds(seconds) else {
            return seconds < 0 ? "'-infinity'" : "'infinity'"
        }
        return "(timestamptz '2000-01-01 00:00:00+00' + interval '\(microseconds) microseconds')"
    }
}
