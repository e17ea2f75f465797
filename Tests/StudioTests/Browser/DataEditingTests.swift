import CoreData
import Foundation
import Testing

/// Objects that are changed in the data browser, by the mouse and the keyboard.
extension BrowserTests {
    @Suite struct DataEditingTests {
        @Test func aValueIsTypedIntoItsCellUndoneAndSaved() async throws {
            let store = try SampleStore.shop()
            try await DataWindow.use(store, edits: true) { window in
                let page = window.page
                try await window.open("Order")
                #expect(try await page.text("#document-state") == "All saved")
                try await page.click(try await window.cell(2, "remark"))
                try await page.press("Enter")
                try await page.wait(for: ".cell-editor")
                try await page.type("by bike")
                try await page.press("Enter")
                try await window.shows("by bike", 2, "remark")
                #expect(try await page.text("#document-state") == "1 not saved")
                #expect(try await page.count(".grid-row[data-state=updated]") == 1)
                // Tab goes on to the next cell, Escape gives up.
                try await page.click(try await window.cell(3, "number"))
                try await page.press("F2")
                try await page.fillCell("44", "Tab")
                try await window.shows("44", 3, "number")
                try await page.wait(for: ".cell-editor")
                try await page.press("Escape")
                try await page.wait(until: "!document.querySelector('.cell-editor')")
                try await page.press("z", .control)
                try await window.shows("4", 3, "number")
                try await page.press("z", [.control, .shift])
                try await window.shows("44", 3, "number")
                try await page.press("s", .control)
                try await page.wait(until: "document.querySelector('#document-state').textContent === 'All saved'")
                try await window.shows("by bike", 2, "remark")
                try await page.wait(until: "!document.querySelector('.grid-row[data-state=updated]')")
            }
            let program = try OtherProgram(store.url)
            #expect(try program.read { try $0.order(3)?.value(forKey: "remark") } as? String == "by bike")
            #expect(try program.read { try $0.order(44) } != nil)
            #expect(try store.files().keys.contains { $0.contains("Shop backup") })
        }

        @Test func aSaveHasWhatWasTypedJustBeforeThoughItsRequestIsSlow() async throws {
            let store = try SampleStore.shop()
            try await DataWindow.use(store, edits: true) { window in
                let page = window.page
                try await window.open("Order")
                try await page.click(try await window.cell(2, "remark"))
                try await page.press("Enter")
                try await page.fillCell("by bike", "Enter")
                try await window.shows("by bike", 2, "remark")
                _ = try await page.read(
                    """
                    (() => {
                        const send = window.fetch;
                        window.fetch = async (...request) => {
                            if (String(request[0]).endsWith('store/edit')) await new Promise((go) => { setTimeout(go, 700); });
                            return send(...request);
                        };
                    })()
                    """)
                try await page.click(try await window.cell(2, "number"))
                try await page.press("Enter")
                try await page.fillCell("33", "Enter")
                try await page.press("s", .control)
                try await page.wait(until: "document.querySelector('#document-state').textContent === 'All saved'")
            }
            let program = try OtherProgram(store.url)
            #expect(try program.read { try $0.order(33)?.value(forKey: "remark") } as? String == "by bike")
        }

        @Test func aTextThatIsNoValueStaysToBeMendedAndSaysWhy() async throws {
            let store = try SampleStore.shop()
            try await DataWindow.use(store, edits: true, expecting: "400 (Bad Request)") { window in
                let page = window.page
                try await window.open("Order")
                try await page.click(try await window.cell(1, "number"))
                try await page.press("Enter")
                try await page.fillCell("many", "Enter")
                try await page.wait(for: "#refusal")
                #expect(try await page.text("#refusal").contains("whole number"))
                #expect(try await page.value(".cell-editor") == "many")
                try await page.fillCell("22", "Enter")
                try await window.shows("22", 1, "number")
                #expect(try await page.count("#refusal") == 0)
            }
        }

        @Test func anObjectIsMadeWithTheKeyboardAloneAndItsRulesAreToldAtTheField() async throws {
            let store = try SampleStore.shop()
            try await DataWindow.use(store, edits: true) { window in
                let page = window.page
                try await window.open("Product")
                try await page.click(try await window.cell(0, "name"))
                try await page.press("Insert")
                try await page.wait(for: ".grid-row[data-state=inserted][aria-selected=true]")
                try await page.wait(for: ".value-row .field-error")
                try await page.press("s", .control)
                try await page.wait(for: ".change-list .field-error")
                #expect(try await page.text(".toast.error").contains("breaks a rule"))
                try await page.fill("#value-name", "Dates")
                try await page.wait(until: "!document.querySelector('.value-row .field-error')", "the rule to be kept")
                try await page.fill("#value-price", "2.75")
                try await page.wait(until: "document.querySelector('#value-price').value === '2.75'")
                try await page.press("s", .control)
                try await page.wait(until: "document.querySelector('#document-state').textContent === 'All saved'")
                try await page.wait(until: "document.querySelector('#object-id').textContent === 'Product/p4'")
                try await window.rowsCome()
                #expect(try await window.column("name") == ["Apple", "Bread", "Cheese", "Dates"])
            }
        }

        @Test func aDeletionSaysWhatItsRulesDoAndOneThatIsDeniedSaysWhy() async throws {
            let store = try SampleStore.shop()
            try await DataWindow.use(store, edits: true) { window in
                let page = window.page
                try await window.open("Order")
                try await page.click(try await window.cell(2, "number"))
                try await page.press("Delete")
                try await page.wait(for: "dialog[open]")
                let words = try await page.text("dialog[open]")
                #expect(words.contains("3 Line and 1 Order would be deleted"))
                try await page.press("Enter")
                try await page.wait(for: ".grid-row[data-state=deleted]")
                try await window.open("Product")
                try await page.click(try await window.cell(0, "name"))
                try await page.press("Delete")
                try await page.wait(for: "dialog[open] .field-error")
                try await page.press("Enter")
                try await page.click("#changes")
                try await page.wait(until: "document.querySelectorAll('.change-head.deleted').length === 4")
                try await page.click("#discard")
                try await page.wait(for: "dialog[open]")
                try await page.click("dialog[open] .destructive")
                try await page.wait(for: "#no-changes")
            }
        }

        @Test func membersAreChosenMovedAndTakenOut() async throws {
            let store = try SampleStore.shop()
            try await DataWindow.use(store, edits: true) { window in
                let page = window.page
                try await window.open("Order")
                try await page.click(try await window.cell(2, "lines"))
                try await page.wait(until: "document.querySelectorAll('.trail li').length === 2")
                try await window.rowsCome()
                #expect(try await window.column("quantity") == ["1", "2", "3"])
                // By the mouse, then by the keyboard.
                let from = try await page.spot("#cell-2-0")
                let target = try await page.spot("#cell-0-0")
                try await page.drag(from: from, to: target)
                try await window.shows("3", 0, "quantity")
                try await page.press("ArrowDown", .alt)
                try await window.shows("1", 0, "quantity")
                #expect(try await window.column("quantity") == ["1", "3", "2"])
                // Another product for the first line, found by what one types.
                try await page.click(try await window.cell(0, "quantity"))
                let place = Int(
                    try await page.read(
                        "[...document.querySelectorAll('.grid-title')].findIndex((head) => head.dataset.column === 'product')"
                    ).number ?? 0)
                try await page.press("Home")
                for _ in 0..<place { try await page.press("ArrowRight") }
                try await page.press("Enter")
                try await page.wait(for: ".pick-list li")
                try await page.type("chee")
                try await page.wait(until: "document.querySelectorAll('.pick-list li').length === 1")
                try await page.press("Enter")
                try await window.shows("Cheese", 0, "product")
                // A line of another order joins.
                try await page.click("#add-member")
                try await page.wait(for: ".pick-list li")
                try await page.type("Line/p1")
                try await page.wait(until: "document.querySelectorAll('.pick-list li').length === 1")
                try await page.press("Enter")
                try await page.wait(until: "document.querySelector('#total').textContent === '4 objects'")
                try await page.rightClick(try await window.cell(1, "quantity"))
                try await page.wait(for: ".menu")
                try await page.clickMenu("Remove from lines")
                try await page.wait(until: "document.querySelector('#total').textContent === '3 objects'")
            }
        }

        @Test func aFileIsDroppedIntoAnAttributeAndShown() async throws {
            let store = try SampleStore.shop()
            try await DataWindow.use(store, edits: true) { window in
                let page = window.page
                try await window.open("Product")
                try await page.click(try await window.cell(0, "name"))
                try await page.wait(for: "#file-photo")
                let picture = StudioSamples.package.appending(path: "Documentation/Screenshots/graph-light.png")
                try await page.chooseFile("#file-photo", picture)
                try await page.wait(until: "document.querySelector('img.preview')?.naturalWidth > 100", "the picture")
                try await page.press("s", .control)
                try await page.wait(until: "document.querySelector('#document-state').textContent === 'All saved'")
                let program = try OtherProgram(store.url)
                let stored = try program.read { context in
                    try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Product")).compactMap {
                        $0.value(forKey: "photo") as? Data
                    }
                }
                #expect(stored == [try Data(contentsOf: picture)])
                // Others in its place: of a step, of undo, and of another program.
                let (high, flat) = (
                    window.studio.folder.appending(path: "High.png"), window.studio.folder.appending(path: "Flat.png")
                )
                try SamplePicture.high.write(to: high)
                try SamplePicture.flat.write(to: flat)
                func show(_ width: Int, _ name: String) async throws {
                    let elements = #"["img.preview", ".grid-cell img.thumbnail"]"#
                    let isShown = "document.querySelector(each)?.naturalWidth === \(width)"
                    try await page.wait(until: "\(elements).every((each) => \(isShown))", name)
                }
                try await page.chooseFile("#file-photo", high)
                try await show(40, "the first picture")
                try await page.chooseFile("#file-photo", flat)
                try await show(60, "the second picture")
                try await page.click("#undo")
                try await show(40, "the first picture again")
                try await page.press("s", .control)
                try await page.wait(until: "document.querySelector('#document-state').textContent === 'All saved'")
                try program.change { context in
                    try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Product"))
                        .first { $0.value(forKey: "photo") != nil }?.setValue(SamplePicture.flat, forKey: "photo")
                }
                try await show(60, "the picture of another program")
            }
        }

        @Test func aConflictIsShownSideBySideAndSettled() async throws {
            let store = try SampleStore.shop()
            let program = try OtherProgram(store.url)
            try await DataWindow.use(store, edits: true) { window in
                let page = window.page
                try await window.open("Order")
                for (column, text) in [("city", "Boston"), ("remark", "mine")] {
                    try await page.click(try await window.cell(0, column))
                    try await page.press("Enter")
                    try await page.fillCell(text, "Enter")
                    try await window.shows(text, 0, column)
                }
                try program.change { context in
                    try context.order(1)?.setValue("theirs", forKey: "remark")
                    try context.order(1)?.setValue("Rome", forKey: "city")
                }
                try await page.press("s", .control)
                try await page.wait(for: ".conflict table")
                #expect(try await page.text(".conflict tbody tr:last-child").contains("theirs"))
                try await page.click(".conflict tbody tr:last-child td:last-child input")
                try await page.click("dialog[open] .primary")
                try await page.wait(until: "document.querySelector('#document-state').textContent === 'All saved'")
                try await window.shows("theirs", 0, "remark")
                try await window.shows("Boston", 0, "city")
            }
            #expect(try program.read { try $0.order(1)?.value(forKey: "city") } as? String == "Boston")
        }

        @Test func anOrderThatBothSidesChangedIsShownAsListsAndSettled() async throws {
            let store = try SampleStore.shop()
            let program = try OtherProgram(store.url)
            try await DataWindow.use(store, edits: true) { window in
                let page = window.page
                try await window.open("Order")
                try await page.click(try await window.cell(2, "lines"))
                try await page.wait(until: "document.querySelectorAll('.trail li').length === 2")
                try await window.rowsCome()
                try await page.click(try await window.cell(0, "quantity"))
                try await page.press("ArrowDown", .alt)
                try await window.shows("1", 1, "quantity")
                let ids = try await window.identifiers
                try program.change { context in
                    let order = try #require(try context.order(3))
                    let lines = try #require(order.value(forKey: "lines") as? NSOrderedSet)
                    order.setValue(NSOrderedSet(array: lines.array.reversed()), forKey: "lines")
                }
                try await page.press("s", .control)
                try await page.wait(for: ".conflict table")
                let row = try await page.text(".conflict tbody tr")
                #expect(row.contains("lines") && row.contains(ids.joined(separator: ", ")), "\(row)")
                #expect(row.contains([ids[2], ids[0], ids[1]].joined(separator: ", ")), "\(row)")
                try await page.click(".conflict tbody tr td:last-child input")
                try await page.click("dialog[open] .primary")
                try await page.wait(until: "document.querySelector('#document-state').textContent === 'All saved'")
                try await window.shows("3", 0, "quantity")
                try await window.shows("1", 2, "quantity")
            }
        }

        @Test func aDeletionIsCountedAgainBeforeItIsDoneAllTheSame() async throws {
            let store = try SampleStore.shop()
            let program = try OtherProgram(store.url)
            try await DataWindow.use(store, edits: true, expecting: "400 (Bad Request)") { window in
                // The inspector asks for the order once more when it is gone.
                let page = window.page
                try await window.open("Order")
                try await page.click(try await window.cell(2, "number"))
                try await page.press("Delete")
                try await page.wait(for: "dialog[open]")
                #expect(try await page.text("dialog[open]").contains("3 Line and 1 Order would be deleted."))
                try await page.click("dialog[open] .primary")
                try await page.wait(for: ".grid-row[data-state=deleted]")
                try program.change { context in
                    let order = try #require(try context.order(3))
                    let line = NSEntityDescription.insertNewObject(forEntityName: "Line", into: context)
                    line.setValue(4, forKey: "quantity")
                    line.setValue(order, forKey: "order")
                }
                try await page.press("s", .control)
                try await page.wait(for: ".deletion-counts")
                #expect(try await page.text(".deletion-counts").contains("4 Line and 1 Order would be deleted."))
                try await page.click("dialog[open] .primary")
                try await page.wait(until: "document.querySelector('#document-state').textContent === 'All saved'")
            }
            #expect(try program.read { try $0.order(3) } == nil)
        }

        @Test func anExportTellsOfTheChangesThatItLeavesOut() async throws {
            let store = try SampleStore.shop()
            try await DataWindow.use(store, edits: true) { window in
                let page = window.page
                try await window.open("Order")
                let sentences = [
                    "1 change that is not saved is left out.", "2 changes that are not saved are left out.",
                ]
                for (row, sentence) in sentences.enumerated() {
                    try await page.click(try await window.cell(row, "city"))
                    try await page.press("Enter")
                    try await page.fillCell("Boston", "Enter")
                    try await window.shows("Boston", row, "city")
                    try await page.click("#export")
                    try await page.wait(for: "#export-unsaved")
                    #expect(try await page.text("#export-unsaved") == sentence)
                    try await page.press("Escape")
                    try await page.wait(until: "!document.querySelector('dialog[open]')")
                }
                try await page.press("s", .control)
                try await page.wait(until: "document.querySelector('#document-state').textContent === 'All saved'")
                try await page.click("#export")
                try await page.wait(for: "dialog[open] select")
                #expect(try await page.count("#export-unsaved") == 0)
            }
        }

        @Test func whatAnotherProgramSavesAppearsAndIsMarked() async throws {
            let store = try SampleStore.shop()
            let program = try OtherProgram(store.url)
            try await DataWindow.use(store, edits: true) { window in
                let page = window.page
                try await window.open("Order")
                try await window.shows("–", 4, "remark")
                try await window.noteMarks()
                try program.change { try $0.order(5)?.setValue("from elsewhere", forKey: "remark") }
                try await window.shows("from elsewhere", 4, "remark")
                #expect(try await window.marks(1) == ["Order/p5 remark"])
                try program.change { context in context.delete(try #require(try context.order(12))) }
                try await page.wait(until: "document.querySelector('#total').textContent === '11 objects'")
                try await page.wait(
                    until: "document.querySelector('[data-entity=Order] .item-count').textContent === '11'")
            }
        }

        @Test func aFileIsCheckedMappedAndImported() async throws {
            let store = try SampleStore.shop()
            let file = store.folder.appending(path: "Lines.csv")
            try Data("Quantity,product,note\n7,Cheese,x\nmany,Apple,y\n8,Bread,z\n".utf8).write(to: file)
            try await DataWindow.use(store, edits: true) { window in
                let page = window.page
                try await window.open("Line")
                try await page.click("#import")
                try await page.wait(for: "#import-file")
                try await page.chooseFile("#import-file", file)
                try await page.wait(for: "dialog.import[open]")
                #expect(try await page.value("select[aria-label=\"What Quantity is for\"]") == "quantity")
                #expect(try await page.value("select[aria-label=\"What product is for\"]") == "product.name")
                #expect(try await page.value("select[aria-label=\"What note is for\"]") == "")
                try await page.click("#import-check")
                try await page.wait(until: "document.querySelectorAll('.import-errors li').length === 1")
                #expect(try await page.text("#import-words") == "2 new, 1 with errors.")
                #expect(try await page.text(".import-errors li").contains("Line 3, Quantity"))
                #expect(try await page.read(AccessibilityTests.rules).strings == [])
                try await page.click("#import-skips")
                try await page.click("dialog.import .primary")
                try await page.wait(until: "document.querySelectorAll('.grid-row[data-state=inserted]').length === 2")
                #expect(Set(try await window.column("product").prefix(2)) == ["Cheese", "Bread"])
            }
        }

        @Test(arguments: [false, true]) func theViewsOfEditingPassTheRules(isDark: Bool) async throws {
            let store = try SampleStore.shop()
            let program = try OtherProgram(store.url)
            try await DataWindow.use(store, edits: true) { window in
                try await window.page.setDark(isDark)
                for view in EditingView.allCases {
                    try await view.show(window, program)
                    try await window.page.wait(until: "document.getAnimations().length === 0", "colours to settle")
                    let findings = try await window.page.read(AccessibilityTests.rules).strings
                    #expect(findings == [], "\(view), \(isDark ? "dark" : "light")")
                    try await view.leave(window)
                }
            }
        }
    }
}
