import CPostgreSQL

extension PostgreSQLPool {
    /// What a caller may do that has waited for its turn.
    private enum Turn {
        case use(IdleConnection)
        case open
        case closed
    }

    /// Takes a connection that works.
    func take(_ timeout: Duration) throws -> PostgreSQLConnection {
        let now = ContinuousClock.now
        if let connection = takeAtOnce(now) { return connection }
        let limit = now + timeout
        switch try waitForTurn(limit, timeout) {
        case .closed: throw Self.closed
        case .use(let idle):
            if works(idle) { return idle.connection }
            idle.connection.close()
        case .open: break
        }
        // The caller has its place by now.
        do {
            return try open(limit)
        } catch {
            contents.change { $0.inUse -= 1 }
            throw error
        }
    }

    /// The connection that was given back a moment ago, if no caller waits: it is not looked at.
    private func takeAtOnce(_ now: ContinuousClock.Instant) -> PostgreSQLConnection? {
        contents.withLock { contents in
            guard contents.waiting.isEmpty, contents.inUse < options.limit, let last = contents.idle.last,
                now - last.since < min(Self.moment, options.idleLimit)
            else { return nil }
            contents.inUse += 1
            return contents.idle.removeLast().connection
        }
    }

    /// A look at a connection takes the system a hundredth of this.
    private static var moment: Duration { .microseconds(100) }

    /// Waits for a place among the connections in use.
    private func waitForTurn(_ limit: ContinuousClock.Instant, _ timeout: Duration) throws -> Turn {
        let ticket = contents.withLock { contents in
            contents.lastTicket += 1
            contents.waiting.append(contents.lastTicket)
            return contents.lastTicket
        }
        let turn = contents.wait(until: limit) { contents in self.turn(of: ticket, &contents) }
        if let turn { return turn }
        let inUse = contents.change { contents in
            contents.waiting.removeAll { $0 == ticket }
            return contents.inUse
        }
        throw PostgreSQLError(
            .poolExhausted,
            "No connection became free within \(timeout.text): \(inUse) of at most \(options.limit) are in use.")
    }

    private func turn(of ticket: UInt64, _ contents: inout Contents) -> Turn? {
        if contents.isClosed {
            contents.waiting.removeAll { $0 == ticket }
            return .closed
        }
        guard contents.waiting.first == ticket, contents.inUse < max(1, options.limit) else { return nil }
        contents.waiting.removeFirst()
        contents.inUse += 1
        // The one that was used last: the other ones may be closed by the server in time.
        return contents.idle.popLast().map { .use($0) } ?? .open
    }

    private func works(_ idle: IdleConnection) -> Bool {
        guard idle.connection.isOpen() else { return false }
        if ContinuousClock.now - idle.since <= options.idleLimit { return true }
        return (try? idle.connection.ping(timeout: options.testTimeout)) != nil
    }

    /// Opens a connection. Tries again for a while if the server can't be reached, or does not accept one yet.
    private func open(_ limit: ContinuousClock.Instant) throws -> PostgreSQLConnection {
        let last = min(limit, .now + options.reconnectLimit)
        var pause = options.firstPause
        while true {
            do {
                return try openOnce(limit)
            } catch let error as PostgreSQLError where error.mayConnectLater {
                let next = ContinuousClock.now + pause * Double.random(in: 0.5...1)
                if next > last { throw error }
                // A closed pool ends the pause.
                if contents.wait(until: next, { $0.isClosed ? true : nil }) != nil { throw Self.closed }
                pause = min(pause * 2, options.longestPause)
            }
        }
    }

    private func openOnce(_ limit: ContinuousClock.Instant) throws -> PostgreSQLConnection {
        var options = options.connection
        options.connectTimeout = min(options.connectTimeout, max(limit - .now, .milliseconds(1)))
        let connection = try PostgreSQLConnection(connectionString, options: options)
        do {
            try prepare(connection)
        } catch {
            connection.close()
            throw error
        }
        return connection
    }

    /// Takes a connection back. One that broke, or that is not at rest, is thrown away.
    func giveBack(_ connection: PostgreSQLConnection) {
        let isAtRest = connection.rest()
        let isKept = contents.change { contents in
            contents.inUse -= 1
            guard isAtRest, !contents.isClosed else { return false }
            contents.idle.append(IdleConnection(connection: connection, since: .now))
            return true
        }
        if !isKept { connection.close() }
    }

    private static var closed: PostgreSQLError { PostgreSQLError(.poolClosed, "The pool of connections is closed.") }
}

extension PostgreSQLConnection {
    /// Ends what a caller may have left. False if the connection is of no more use.
    fileprivate func rest() -> Bool {
        openRows?.close()
        deadline = nil
        guard state == .ready, !exchange.isActive, !isInTransaction else { return false }
        return PQtransactionStatus(handle) == PQTRANS_IDLE
    }
}
