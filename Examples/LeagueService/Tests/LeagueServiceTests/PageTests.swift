import Foundation
import Testing

@testable import LeagueService

/// The web page, used by the mouse and the keyboard.
@Suite(
    "The page", .serialized, .timeLimit(.minutes(3)),
    .enabled(
        if: Browser.executable != nil || ProcessInfo.processInfo.environment["CI"] == "true",
        "Chromium is not installed."))
struct PageTests {
    /// Runs `body` with the page of a service on a new store.
    private func withPage(
        _ kind: TestedStore = .sqlite, _ body: @escaping @Sendable (Page, ServiceClient) async throws -> Void
    ) async throws {
        try await withService(kind, .live) { client in
            let browser = try await Browser.start()
            do {
                let page = try await browser.newPage()
                try await page.open("http://127.0.0.1:\(client.port)/")
                try await page.wait(until: "document.getElementById('live')?.dataset.state === 'live'")
                try await body(page, client)
                // A refused request is in the browser's log, too. Everything else is a mistake of the page.
                #expect(page.log.lines.filter { !$0.hasPrefix("Failed to load resource") } == [])
            } catch {
                await browser.close()
                throw error
            }
            await browser.close()
        }
    }

    @Test("Teams and players are added, changed and deleted; errors stand at their fields")
    func editing() async throws {
        try await withPage { page, client in
            try await page.click("#add-team")
            try await page.fill("#team-name", "Boston Celtics")
            try await page.wait(until: "!document.getElementById('team-dialog').open")
            try await page.wait(until: "document.querySelector('#team-rows .choose')?.innerText === 'Boston Celtics'")

            try await page.click("#add-player")
            try await page.wait(until: "document.getElementById('player-dialog').open")
            try await page.fill("#player-email", "wade at home")
            try await page.wait(for: "#player-email-flaw")
            #expect(try await page.text("#player-email-flaw") == "email is not in the form that it must have.")
            #expect(try await page.text("#player-firstName-flaw") == "firstName is a required value.")
            #expect(try await page.text("#player-team-flaw") == "team is a required value.")
            #expect(try await page.read("document.activeElement.id").string == "player-firstName")
            let described = "document.getElementById('player-email').getAttribute('aria-describedby')"
            #expect(try await page.read(described).string == "player-email-flaw")

            try await page.choose("#player-team", "Boston Celtics")
            try await enter("1000.5", "#player-salary", page)
            try await enter("Wade", "#player-lastName", page)
            try await enter("wade@celtics.example", "#player-email", page)
            try await page.fill("#player-firstName", "Dwyane")
            try await page.wait(until: "document.querySelector('#player-rows th')?.innerText === 'Dwyane Wade'")
            let saved = try await client.get("/players")["items"][0]
            #expect(saved["salary"] == .number(Decimal(string: "1000.5") ?? 0))

            try await page.click("#team-rows [aria-label='Delete Boston Celtics']")
            try await page.click("#delete-dialog .danger")
            try await page.wait(until: "document.querySelector('#delete-dialog .alert').innerText.includes('players')")
            try await page.click("#delete-dialog [data-action=cancel]")
            try await page.click("#player-rows [aria-label='Delete Dwyane Wade']")
            try await page.click("#delete-dialog .danger")
            try await page.wait(until: "document.querySelectorAll('#player-rows tr').length === 0")
            #expect(try await client.get("/players")["items"] == [])
        }
    }

    /// Types into a field, and does not save: a page that answers would move the other fields.
    private func enter(_ text: String, _ selector: String, _ page: Page) async throws {
        _ = try await page.read("document.querySelector(\(Page.quoted(selector))).select()")
        try await page.type(text)
        let value = "document.querySelector(\(Page.quoted(selector))).value"
        try await page.wait(until: "\(value) === \(Page.quoted(text))")
    }

    @Test("What others save is shown at once", arguments: TestedStore.withHistory)
    func live(_ kind: TestedStore) async throws {
        try await withPage(kind) { page, client in
            let team = try await client.team("Kyoto Cranes")
            let player = try await client.player("Amara", "Kimura", in: team)
            try await page.wait(until: "document.querySelector('#player-rows tr')?.innerText.includes('Kyoto Cranes')")
            _ = try await client.send(
                .patch, "/teams/\(team["id"].text)", ["name": "Porto Anchors"], version: team["version"].text)
            try await page.wait(until: "document.querySelector('#player-rows tr')?.innerText.includes('Porto Anchors')")

            // Another client changes the player while the dialog is open.
            try await page.click("#player-rows [aria-label='Edit Amara Kimura']")
            try await page.wait(until: "document.getElementById('player-dialog').open")
            _ = try await client.send(
                .patch, "/players/\(player["id"].text)", ["lastName": "Abara"], version: player["version"].text)
            try await page.fill("#player-email", "a@cranes.example")
            try await page.wait(until: "!document.querySelector('#player-dialog [data-action=current]').hidden")
            try await page.click("#player-dialog [data-action=current]")
            try await page.wait(until: "document.getElementById('player-lastName').value === 'Abara'")
            try await page.fill("#player-email", "a@cranes.example")
            try await page.wait(
                until: "document.querySelector('#player-rows tr')?.innerText.includes('a@cranes.example')")
            _ = try await client.send(.delete, "/players/\(player["id"].text)", version: "*")
            try await page.wait(until: "document.querySelectorAll('#player-rows tr').length === 0")
        }
    }

    @Test("Values are texts, never HTML, and no script runs but the page's own")
    func values() async throws {
        try await withPage { page, client in
            let name = "<img src=x onerror=alert(1)>"
            let team = try await client.make(
                "teams", ["name": .text(name), "uniformColor": "red;background:url(http://127.0.0.1:1/x)"])
            try await client.player("<script>window.hacked = 1</script>", "\"><b>", in: team)
            try await page.wait(until: "document.querySelectorAll('#player-rows tr').length === 1")
            #expect(try await page.text("#team-rows .choose") == name)
            #expect(try await page.count("main img, main script, main b") == 0)
            #expect(try await page.read("window.hacked === undefined").boolean == true)
            let own = try await client.send(.get, "/")
            #expect(own.headers[.contentSecurityPolicy]?.contains("script-src 'self';") == true)
            #expect(own.text.range(of: "<script(?![^>]*src=)|onclick=|style=", options: .regularExpression) == nil)
        }
    }

    @Test("Every control has a name, and the page fits a phone in light and dark")
    func accessibility() async throws {
        try await withPage { page, client in
            let team = try await client.team("Boston Celtics")
            try await client.player("Dwyane", "Wade", in: team)
            try await page.wait(until: "document.querySelectorAll('#player-rows tr').length === 1")
            let nameless = """
                [...document.querySelectorAll("button, input, select")].filter((control) =>
                    !(control.labels?.length || control.getAttribute("aria-label") || control.innerText.trim()
                        || control.textContent.trim())).map((control) => control.outerHTML)
                """
            #expect(try await page.read(nameless).strings == [])
            for isDark in [false, true] {
                try await page.setDark(isDark)
                for (color, paper) in [
                    ("--text", "--surface"), ("--quiet", "--paper"), ("--error", "--error-soft"),
                    ("--on-accent", "--accent"),
                ] {
                    let contrast = try await page.read(Self.contrast(color, paper)).number ?? 0
                    #expect(contrast >= 4.5, "\(color) on \(paper), dark: \(isDark)")
                }
            }
            try await page.resize(width: 360, height: 740)
            #expect(try await page.read("document.documentElement.scrollWidth <= 360").boolean == true)
        }
    }

    /// The contrast of two custom properties, as WCAG measures it.
    private static func contrast(_ color: String, _ paper: String) -> String {
        """
        (() => {
            const style = getComputedStyle(document.documentElement);
            const light = (name) => {
                const digits = style.getPropertyValue(name).trim().slice(1);
                const parts = [0, 2, 4].map((at) => parseInt(digits.slice(at, at + 2), 16) / 255)
                    .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
                return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
            };
            const [low, high] = [light("\(color)"), light("\(paper)")].sort((one, other) => one - other);
            return (high + 0.05) / (low + 0.05);
        })()
        """
    }
}
