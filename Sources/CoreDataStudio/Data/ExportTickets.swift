import Foundation

/// Exports that the page has asked for and the browser has not fetched yet.
///
/// A browser saves a download to disk as it comes, but sends no header of ours with it. So the page first asks for a
/// ticket, by a request with all proofs. A ticket is good for one download within a minute.
struct ExportTickets {
    private static let life = Duration.seconds(60)
    private static let most = 16
    private var waiting: [(ticket: String, request: ExportRequest, until: ContinuousClock.Instant)] = []

    mutating func add(_ request: ExportRequest) -> String {
        let ticket = Guard.secret()
        waiting.append((ticket, request, ContinuousClock.now + Self.life))
        waiting = waiting.suffix(Self.most)
        return ticket
    }

    /// What a ticket is for; it is good no more.
    mutating func take(_ ticket: String) -> ExportRequest? {
        waiting.removeAll { $0.until < ContinuousClock.now }
        guard let index = waiting.firstIndex(where: { Guard.areEqual($0.ticket, ticket) }) else { return nil }
        return waiting.remove(at: index).request
    }
}
