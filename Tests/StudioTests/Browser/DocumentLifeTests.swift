import Foundation
import ModelDocument
import Testing

/// What happens around the document: versions, crashes, a second window, code.
extension BrowserTests {
    @Suite struct DocumentLifeTests {
        @Test func aVersionIsAddedComparedAndMadeCurrent() async throws {
            try await Editor.use(StudioSamples.league) { editor in
                let page = editor.page
                try await page.click("#versions")
                try await page.wait(for: "dialog")
                try await page.click(try await button("Add Version", editor))
                try await page.wait(
                    until: "document.querySelector('#version').selectedOptions[0].textContent === 'League 2'",
                    "the new version")
                try await editor.settle()
                try await editor.open("Laptop")
                try await page.press("Delete")
                try await editor.settle()
                try await page.click("#versions")
                try await page.click(".version-row:first-of-type input")
                try await page.click(try await button("Compare", editor))
                try await page.wait(for: ".change.removed")
                #expect(try await page.text(".compare-list").contains("Laptop"))
                try await page.click("#compare-graph")
                try await page.wait(for: ".compare-pane .entity.removed")
                try await page.click("[aria-label=\"Close comparison\"]")
                try await page.click("#versions")
                try await page.click(try await button("Make Current", editor))
                try await editor.settle()
                try await editor.save()
                let list = try Data(contentsOf: editor.studio.document.appending(path: ".xccurrentversion"))
                #expect(String(decoding: list, as: UTF8.self).contains("League 2.xcdatamodel"))
                #expect(try Model(contents: editor.contents("League 2")).entity(named: "Laptop") == nil)
                #expect(try Model(contents: editor.contents("League")).entity(named: "Laptop") != nil)
            }
        }

        @Test func whatACrashLeftIsOfferedAndRecovered() async throws {
            try await Editor.use(StudioSamples.league, expecting: "Failed to load") { editor in
                let page = editor.page
                let before = try editor.contents()
                try await TableHands(editor).addEntity("Stadium")
                try await JournalFiles.wait(below: editor.studio.folder, for: "Stadium")
                try editor.studio.crashAndRestart()
                try await page.open(editor.studio.address)
                try await page.wait(for: "#banner-recovery")
                #expect(try await !editor.names("Entities").contains("Stadium"))
                try await page.click("#banner-recovery .primary")
                try await editor.settle()
                #expect(try await editor.names("Entities").contains("Stadium"))
                #expect(try editor.contents() == before)
                try await editor.save()
                #expect(try Model(contents: editor.contents()).entity(named: "Stadium") != nil)
            }
        }

        @Test func whatIsDoneInOneWindowIsSeenInTheOther() async throws {
            try await Editor.use(StudioSamples.league) { editor in
                let page = try await editor.page.browser.newPage()
                try await page.open(editor.studio.address)
                try await page.wait(for: ".item")
                let other = Editor(page: page, studio: editor.studio)
                try await TableHands(editor).addEntity("Stadium")
                _ = try await other.item("Stadium")
                try await TableHands(other).addEntity("Referee")
                _ = try await editor.item("Referee")
                try await other.open("Team")
                try await page.fill(".editor input[aria-label=\"Name of uniformColor\"]", "shirtColor")
                try await page.wait(for: "dialog")
                try await page.press("Enter")
                try await other.settle()
                try await editor.open("Team")
                try await editor.page.wait(for: ".editor input[aria-label=\"Name of shirtColor\"]")
                #expect(page.log.lines == [])
            }
        }

        @Test func classesAreGeneratedIntoAFolderAndSnippetsShown() async throws {
            try await Editor.use(StudioSamples.league) { editor in
                let page = editor.page
                try await editor.open("GreenTeams")
                try await page.wait(
                    until: "document.querySelector('.snippet')?.textContent.includes('context.fetch')", "the snippet")
                try await page.press("k", .control)
                try await page.type("generate classes")
                try await page.press("Enter")
                try await page.wait(for: "dialog.dialog")
                try await page.click(try await button("Generate", editor))
                try await page.wait(for: ".toast")
                let files = try FileManager.default.contentsOfDirectory(
                    atPath: editor.studio.folder.appending(path: "Generated").path)
                #expect(files.contains("Player+CoreDataClass.swift"))
            }
        }

        private func button(_ title: String, _ editor: Editor) async throws -> String {
            let find =
                "[...document.querySelectorAll('dialog button')].findIndex((button) => button.textContent === '\(title)')"
            try await editor.page.wait(until: "\(find) >= 0", title)
            let index = Int(try await editor.page.read(find).number ?? 0)
            return "dialog .dialog-actions button:nth-of-type(\(index + 1))"
        }
    }
}
