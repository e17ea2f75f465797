import CoreData
import Foundation
import Testing

/// Texts with several lines, and long ones: looking at them changes nothing, and editing keeps what one does not type.
extension BrowserTests {
    @Suite struct DataTextTests {
        private static let texts = ["a\nb", "a\r\nb\r\n", "a\rb", "a\r\nb\nc\rd"]

        /// A shop whose first orders have those remarks.
        private static func shop(_ remarks: [String]) throws -> (SampleStore, OtherProgram) {
            let store = try SampleStore.shop()
            let program = try OtherProgram(store.url)
            try program.change { context in
                for (index, text) in remarks.enumerated() {
                    try context.order(index + 1)?.setValue(text, forKey: "remark")
                }
            }
            return (store, program)
        }

        /// How many objects have changes, after all that was asked is answered.
        private func changes(_ page: Page) async throws -> Double? {
            try await page.read(
                """
                import('/assets/scripts/net/api.js').then(async ({get, turns}) => {
                    await turns();
                    return (await get('store/changes')).count;
                })
                """
            ).number
        }

        private func editCell(_ row: Int, _ window: DataWindow) async throws {
            try await window.page.click(try await window.cell(row, "remark"))
            try await window.page.press("F2")
            try await window.page.wait(
                until: "document.activeElement?.matches('dialog[open] textarea, .cell-editor')", "the field")
        }

        private func save(_ page: Page) async throws {
            try await page.press("s", .control)
            try await page.wait(until: "document.querySelector('#document-state').textContent === 'All saved'")
        }

        /// Each text has a mark that was typed, and is otherwise as it was.
        private func expectMarks(_ program: OtherProgram) throws {
            for (index, text) in Self.texts.enumerated() {
                let now = try program.read { try $0.order(index + 1)?.value(forKey: "remark") } as? String
                #expect(now?.contains("!") == true && now?.replacing("!", with: "") == text, "\(now ?? "")")
            }
        }

        @Test func aCellWithSeveralLinesIsLeftAsItIsUnlessOneTypes() async throws {
            let (store, program) = try Self.shop(Self.texts)
            try await DataWindow.use(store, edits: true) { window in
                let page = window.page
                try await window.open("Order")
                for row in Self.texts.indices {
                    for key in ["Escape", "Tab", "Keep"] {
                        try await editCell(row, window)
                        #expect(try await page.count("dialog[open] textarea") == 1, "row \(row)")
                        switch key {
                        case "Escape": try await page.press("Escape")
                        case "Tab":
                            try await page.press("Tab")
                            try await page.press("Escape")
                        default: try await page.click("dialog[open] .primary")
                        }
                        try await page.wait(until: "!document.querySelector('dialog')")
                        #expect(try await changes(page) == 0, "row \(row), \(key)")
                    }
                }
                // One tabs through a row that has such a text.
                try await page.click(try await window.cell(1, "number"))
                try await page.press("F2")
                try await page.wait(for: ".cell-editor")
                while try await page.count("dialog[open]") == 0 {
                    try await page.press("Tab")
                    try await page.wait(
                        until: "document.activeElement?.matches('dialog[open] textarea, .cell-editor')", "the next cell"
                    )
                }
                try await page.press("Escape")
                try await page.wait(until: "!document.querySelector('dialog')")
                #expect(try await changes(page) == 0)
            }
            for (index, text) in Self.texts.enumerated() {
                #expect(try program.read { try $0.order(index + 1)?.value(forKey: "remark") } as? String == text)
            }
        }

        @Test func whatIsTypedIntoSeveralLinesLeavesTheOtherLineEndsAsTheyAre() async throws {
            let (store, program) = try Self.shop(Self.texts)
            try await DataWindow.use(store, edits: true) { window in
                let page = window.page
                try await window.open("Order")
                for row in Self.texts.indices {
                    try await editCell(row, window)
                    try await page.type("!")
                    try await page.click("dialog[open] .primary")
                    try await page.wait(until: "!document.querySelector('dialog')")
                    try await page.wait(
                        until: "document.querySelector('#document-state').textContent.startsWith('\(row + 1) ')")
                }
                try await save(page)
                try expectMarks(program)
            }
        }

        @Test func theInspectorsFieldsAreLeftAsTheyAreUnlessOneTypes() async throws {
            let (store, program) = try Self.shop(Self.texts)
            try await DataWindow.use(store, edits: true) { window in
                let page = window.page
                try await window.open("Order")
                func show(_ row: Int) async throws {
                    try await page.click(try await window.cell(row, "number"))
                    try await page.wait(
                        until: "document.querySelector('#object-id')?.textContent === 'Order/p\(row + 1)'")
                    try await page.click("#value-remark")
                    try await page.wait(until: "document.activeElement?.id === 'value-remark'")
                }
                for row in Self.texts.indices {
                    try await show(row)
                    try await page.press("Tab")
                    try await page.wait(until: "document.activeElement?.id !== 'value-remark'")
                    #expect(try await changes(page) == 0, "row \(row)")
                }
                for row in Self.texts.indices {
                    try await show(row)
                    try await page.type("!")
                    try await page.press("Tab")
                    try await page.wait(
                        until: "document.querySelector('#document-state').textContent.startsWith('\(row + 1) ')")
                }
                try await save(page)
                try expectMarks(program)
            }
        }

        @Test func aTextOfFiveMegabytesIsEditedAsAWholeAndALongerOneIsLeftAlone() async throws {
            let line = String(repeating: "0123456789", count: 1_000) + "\r\n"
            let (long, tooLong) = (
                "\u{FEFF}" + String(repeating: line, count: 520), String(repeating: line, count: 900)
            )
            let (store, program) = try Self.shop([long, tooLong])
            try await DataWindow.use(store, edits: true) { window in
                let page = window.page
                try await window.open("Order")
                try await editCell(0, window)
                try await page.press("a", .control)
                try await page.press("ArrowRight")
                try await page.type("!")
                try await page.click("dialog[open] .primary")
                try await page.wait(until: "document.querySelector('#document-state').textContent === '1 not saved'")
                try await save(page)
                #expect(try program.read { try $0.order(1)?.value(forKey: "remark") } as? String == long + "!")
                try await page.click(try await window.cell(1, "remark"))
                try await page.press("F2")
                try await page.wait(for: ".toast.error")
                #expect(try await page.text(".toast.error").contains("remark of Order/p2 has more than 8 MB"))
                #expect(try await page.count("dialog") == 0)
                #expect(try await changes(page) == 0)
            }
            #expect(try program.read { try $0.order(2)?.value(forKey: "remark") } as? String == tooLong)
        }
    }
}
