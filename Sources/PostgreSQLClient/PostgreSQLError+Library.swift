import CPostgreSQL

extension PostgreSQLError {
    /// The letters by which libpq names the parts of a report. Its header has them as macros that Swift does not see.
    private enum Field: Character {
        case severity = "V", localizedSeverity = "S", sqlState = "C", message = "M", detail = "D", hint = "H"
        case position = "P", schema = "s", table = "t", column = "c", constraint = "n"
    }

    /// What a result reports.
    init(result: OpaquePointer) {
        func text(_ field: Field) -> String? {
            let code = Int32(field.rawValue.asciiValue ?? 0)
            return PQresultErrorField(result, code).map { String(cString: $0) }
        }
        let whole = PQresultErrorMessage(result).map { Self.trimmed(String(cString: $0)) } ?? ""
        let severity = text(.severity) ?? text(.localizedSeverity)
        self.init(Self.endsSession(severity) ? .connectionLost : .server, text(.message) ?? whole)
        if message.isEmpty { message = "The server reported an error without a message." }
        self.severity = severity
        sqlState = text(.sqlState)
        detail = text(.detail)
        hint = text(.hint)
        schema = text(.schema)
        table = text(.table)
        column = text(.column)
        constraint = text(.constraint)
        position = text(.position).flatMap { Int($0) }
    }

    /// What libpq says about a connection that broke.
    static func lost(_ connection: OpaquePointer) -> Self {
        let text = PQerrorMessage(connection).map { trimmed(String(cString: $0)) } ?? ""
        return Self(.connectionLost, text.isEmpty ? "The connection to the server is lost." : text)
    }

    /// After such an error the server closes the connection.
    private static func endsSession(_ severity: String?) -> Bool { severity == "FATAL" || severity == "PANIC" }

    static func trimmed(_ text: String) -> String {
        var text = Substring(text)
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}

extension PostgreSQLError {
    /// Why a connection could not be opened, from libpq's report in its wordy form.
    ///
    /// libpq has no function that gives the SQLSTATE of a connection that failed. The wordy form has it in the text:
    ///
    ///     connection to server at "db", port 5432 failed: FATAL:  28P01: password authentication failed for user "a"
    ///     LOCATION:  auth_failed, auth.c:338
    init(connectionReport: String) {
        let lines = connectionReport.split(separator: "\n").filter { !$0.hasPrefix("LOCATION:") }
        self.init(.connectionFailed, Self.trimmed(lines.joined(separator: "\n")))
        // Behind a severity there are two spaces.
        if let match = message.firstMatch(of: #/:\s\s([0-9A-Z]{5}): /#) {
            sqlState = String(match.1)
            message.replaceSubrange(match.range, with: ": ")
        }
        if message.isEmpty { message = "No connection to the server could be opened." }
    }
}
