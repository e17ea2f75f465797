import Foundation
import Testing

@testable import LeagueService

private let screenshotFolder = ProcessInfo.processInfo.environment["LEAGUE_SCREENSHOTS"]

/// Pictures of the page, to look at. They are made if the environment says where they go:
/// `LEAGUE_SCREENSHOTS=FOLDER swift test --filter ScreenshotTests`.
@Suite("Screenshots", .enabled(if: screenshotFolder != nil, "LEAGUE_SCREENSHOTS names no folder."))
struct ScreenshotTests {
    @Test("The lists and a dialog with errors, light and dark")
    func pictures() async throws {
        try await withService(.sqlite, .live) { client in
            for (name, color) in [("Boston Celtics", "Green"), ("Kyoto Cranes", "White"), ("Porto Anchors", "Navy")] {
                let team = try await client.make("teams", ["name": .text(name), "uniformColor": .text(color)])
                for last in ["Kimura", "Wade", "Yamada"] {
                    try await client.make(
                        "players",
                        [
                            "firstName": "Ada", "lastName": .text("\(last) of \(name.prefix(5))"), "team": team["id"],
                            "salary": 1_250_000, "dateOfBirth": "1999-04-25", "email": "ada@league.example",
                        ])
                }
            }
            let browser = try await Browser.start()
            for isDark in [false, true] {
                let page = try await browser.newPage(width: 1280, height: 720)
                try await page.setDark(isDark)
                try await page.open("http://127.0.0.1:\(client.port)/")
                try await page.wait(until: "document.querySelectorAll('#player-rows tr').length === 9")
                let name = isDark ? "dark" : "light"
                try await write(page, "league-\(name)")
                try await page.click("#add-player")
                try await page.wait(until: "document.getElementById('player-dialog').open")
                try await page.fill("#player-email", "ada at home")
                try await page.wait(for: "#player-email-flaw")
                try await write(page, "league-\(name)-errors")
            }
            await browser.close()
        }
    }

    private func write(_ page: Page, _ name: String) async throws {
        let folder = URL(fileURLWithPath: screenshotFolder ?? "")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try await page.screenshot().write(to: folder.appending(path: "\(name).png"))
    }
}
