import Foundation
import ModelDocument
import Testing

/// The page on which the conflicts of a merge are settled, as one uses it.
extension BrowserTests {
    @Suite struct MergeTests {
        private func use(
            width: Int = 1280, height: Int = 800, expecting complaint: String? = nil,
            _ change: (inout Model, inout Model) throws -> Void = { _, _ in },
            _ body: (Page, LiveMerge) async throws -> Void
        ) async throws {
            let merge = try LiveMerge(change)
            try await BrowserTurns.use(width: width, height: height) { page in
                try await page.open(merge.address)
                try await page.wait(for: ".merge-conflict")
                try await body(page, merge)
                #expect(page.log.lines.filter { complaint == nil || !$0.contains(complaint ?? "") } == [])
            }
        }

        private static let settled = "document.querySelectorAll('.merge-conflict.settled').length"

        @Test func conflictsAreSettledOneByOneWithTheMouse() async throws {
            try await use { page, merge in
                #expect(try await page.count(".merge-conflict") == 3)
                #expect(try await page.text("#progress") == "0 of 3 conflicts settled")
                #expect(try await page.read("document.getElementById('write').disabled").boolean == true)
                // The values that a side changed are marked.
                let salary = "[aria-label=\"Player.salary\"]"
                #expect(try await page.text("\(salary) tbody td:nth-of-type(2) ins") == "100")
                #expect(try await page.text("\(salary) tbody td:nth-of-type(3) ins") == "250")
                try await page.click("\(salary) th:nth-child(4) label")
                try await page.wait(until: "\(Self.settled) === 1")
                for _ in 0..<2 {
                    try await page.click(".merge-conflict:not(.settled) th:nth-child(3) label")
                    let before = try await page.read(Self.settled).number ?? 0
                    try await page.wait(until: "\(Self.settled) >= \(before)")
                    try await Task.sleep(for: .milliseconds(200))
                }
                try await page.wait(until: "\(Self.settled) === 3")
                try await page.click("#write")
                try await page.wait(for: ".merge-end")
                #expect(try await page.text("h1") == "The merged model is written")
                #expect(merge.end().status == 0)
                let model = try merge.merged()
                #expect(model[entity: "Player"]?[attribute: "salary"]?.defaultValueString == "250")
                #expect(model[entity: "Team"]?[relationship: "players"]?.deleteRule == .deny)
                #expect(model[entity: "Laptop"]?[attribute: "color"] == nil)
            }
        }

        @Test func theKeyboardAloneSettlesAll() async throws {
            try await use { page, merge in
                var reached: [String] = []
                for _ in 0..<30 {
                    if reached.last == "write" { break }
                    try await page.press("Tab")
                    let focused =
                        try await page.read(
                            "document.activeElement.type === 'radio' ? document.activeElement.name : document.activeElement.id"
                        ).string ?? ""
                    #expect(try await page.read(AccessibilityTests.isFocusSeen).boolean == true, "\(focused)")
                    if try await page.read("document.activeElement.type === 'radio'").boolean == true {
                        try await page.press(" ")
                        try await page.press("ArrowRight")
                        try await page.wait(
                            until: "document.activeElement.closest('.merge-conflict').classList.contains('settled')")
                    }
                    reached.append(focused)
                }
                #expect(reached.last == "write" && reached.contains("give-up"), "\(reached)")
                try await page.press("Enter")
                try await page.wait(for: ".merge-end")
                #expect(merge.end().status == 0)
                #expect(
                    try merge.merged()[entity: "Player"]?[attribute: "salary"]?.defaultValueString == "250")
            }
        }

        @Test func givingUpIsAskedForAndTellsGit() async throws {
            try await use { page, merge in
                try await page.click("#all-theirs")
                try await page.wait(until: "\(Self.settled) === 3")
                try await page.click("#give-up")
                try await page.wait(for: "dialog")
                try await page.press("Escape")
                try await page.wait(until: "!document.querySelector('dialog')")
                try await page.click("#give-up")
                try await page.wait(for: "dialog .destructive")
                try await page.click("dialog .destructive")
                try await page.wait(for: ".merge-end")
                #expect(merge.end().status == 1)
            }
        }

        @Test(arguments: [false, true]) func thePagePassesTheRules(isDark: Bool) async throws {
            let names = ["<b>bold</b>", "\u{202E}turned", "a \"quote\""]
            try await use { ours, theirs in
                for (index, name) in names.enumerated() {
                    ours[entity: "Player"]?[attribute: "email"]?.regularExpressionString = name
                    theirs[entity: "Team"]?[attribute: "uniformColor"]?.defaultValueString = "\(index)"
                }
                theirs[entity: "Player"]?[attribute: "email"]?.regularExpressionString = names.joined()
            } _: { page, _ in
                try await page.setDark(isDark)
                #expect(try await page.read(AccessibilityTests.rules).strings == [])
                #expect(try await page.count(".merge-conflict") == 4)
                #expect(try await page.count(".merge-conflict b") == 0)
                try await page.click("#all-ours")
                try await page.wait(until: "\(Self.settled) === 4")
                #expect(try await page.read(AccessibilityTests.rules).strings == [])
                try await picture(page, "merge-\(isDark ? "dark" : "light")")
                try await page.resize(width: 720, height: 800)
                #expect(try await page.read("document.documentElement.scrollWidth <= innerWidth").boolean == true)
                try await picture(page, "merge-\(isDark ? "dark" : "light")-narrow")
            }
        }

        /// Keeps a picture where the environment asks for one.
        private func picture(_ page: Page, _ name: String) async throws {
            guard ProcessInfo.processInfo.environment["COREDATA_SCREENSHOTS"] != nil,
                let folder = ProcessInfo.processInfo.environment["COREDATA_FAILURES"]
            else { return }
            try await page.rest()
            try await page.screenshot().write(to: URL(filePath: folder).appending(path: "\(name).png"))
        }
    }
}
