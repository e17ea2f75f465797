import Foundation
import PostgreSQLClient
import PostgreSQLServer
import Testing

@Suite("Notifications")
struct NotificationTests {
    private func pair() throws -> (PostgreSQLConnection, PostgreSQLConnection) {
        let url = try PostgreSQLServer.shared.newDatabase()
        return (try connect(url), try connect(url))
    }

    @Test
    func notificationsOfAnotherConnectionArrive() throws {
        let (listener, sender) = try pair()
        try listener.listen(to: "changes of \"shelf\"")
        let wait = Background { try listener.waitForNotifications(timeout: .seconds(10)) }
        try sender.execute("NOTIFY \"changes of \"\"shelf\"\"\", 'Größe 1'")
        let found = try wait.value
        #expect(
            found == [
                PostgreSQLNotification(
                    channel: "changes of \"shelf\"", payload: "Größe 1", processID: sender.processID)
            ])
        #expect(try listener.notifications().isEmpty)
    }

    @Test
    func notificationsThatArriveDuringRequestsAreKept() throws {
        let (listener, sender) = try pair()
        try listener.listen(to: "changes")
        for number in 1...3 {
            try sender.execute("SELECT pg_notify('changes', $1)", values { try $0.append(text: "\(number)") })
        }
        _ = try listener.number("SELECT 1::int8")
        #expect(try eventually { try listener.waitForNotifications(timeout: .zero).map(\.payload).last == "3" })
    }

    @Test
    func theWaitEndsAtItsTimeout() throws {
        let (listener, _) = try pair()
        let start = Date()
        #expect(try listener.waitForNotifications(timeout: .milliseconds(50)).isEmpty)
        #expect(Date().timeIntervalSince(start) >= 0.05)
    }

    @Test
    func anotherThreadEndsTheWait() throws {
        let (listener, _) = try pair()
        let start = Date()
        let wait = Background { try listener.waitForNotifications(timeout: .seconds(30)) }
        usleep(20_000)
        listener.wake()
        #expect(try wait.value.isEmpty)
        listener.wake()
        #expect(try listener.waitForNotifications(timeout: .seconds(30)).isEmpty)
        #expect(Date().timeIntervalSince(start) < 10)
        #expect(try listener.number("SELECT 1::int8") == 1)
    }

    @Test
    func aSessionThatEndsWhileNotificationsAreWaitedForIsALostConnection() throws {
        let (listener, sender) = try pair()
        let wait = Background { try listener.waitForNotifications(timeout: .seconds(30)) }
        usleep(20_000)
        try sender.execute("SELECT pg_terminate_backend($1)", values { $0.append(int32: listener.processID) })
        #expect(wait.error?.isConnectionLost == true)
    }
}
