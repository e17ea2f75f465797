/// A statement that a connection runs in front of others, in the same round trip.
package struct PostgreSQLPreamble {
    let text: String
    let values: PostgreSQLParameters
    /// Gets the statement's result. If it throws, the request throws that, and gives none of its own results.
    let check: (PostgreSQLResult) throws -> Void

    package init(
        _ text: String, _ values: PostgreSQLParameters = PostgreSQLParameters(),
        check: @escaping (PostgreSQLResult) throws -> Void = { _ in }
    ) {
        (self.text, self.values, self.check) = (text, values, check)
    }

    /// Sets the session's settings for one transaction; nil if there are none.
    init?(transactionSettings settings: [String: String]) throws {
        if settings.isEmpty { return nil }
        var values = PostgreSQLParameters()
        var calls: [String] = []
        for (name, value) in settings.sorted(by: { $0.key < $1.key }) {
            calls.append("set_config($\(values.count + 1), $\(values.count + 2), true)")
            try values.append(text: name)
            try values.append(text: value)
        }
        self.init("SELECT " + calls.joined(separator: ", "), values)
    }
}

extension PostgreSQLConnection {
    /// Runs `body`. Each of its requests outside of a transaction begins with the preamble.
    ///
    /// A statement behind the preamble sees at least what the server had when it ran the preamble.
    package func withPreamble<T>(_ preamble: PostgreSQLPreamble, _ body: () throws -> T) rethrows -> T {
        let before = self.preamble
        defer { self.preamble = before }
        self.preamble = preamble
        return try body()
    }

    /// Queues what comes before the first command of a transaction: its BEGIN, settings, the caller's preamble.
    func queueBegin() throws {
        switch transactionState {
        case .toBegin(let text):
            transactionState = .running
            exchange.hasPreamble = true
            try sent(sendBegin(text), .begin)
            if let settings { try queue(settings) }
        case .none where !exchange.hasPreamble:
            exchange.hasPreamble = true
            if let settings { try queue(settings) }
            if let preamble { try queue(preamble) }
        case .none, .running, .committed: break
        }
    }

    private func queue(_ preamble: PostgreSQLPreamble) throws {
        try queue(statementToPrepare(preamble.text, preamble.values), preamble.values, as: .preamble(preamble))
    }
}
