import CoreData
import Foundation
import ModelDocument
import Testing

/// What a person does before the server's answers are here: nothing is lost, and nothing happens to something else.
extension BrowserTests {
    @Suite struct LateAnswerTests {
        /// Keeps answers from the page until `handOut(_:)` gives them to it.
        ///
        /// - Parameter count: How many at most; those that come later are handed out at once.
        private func hold(_ path: String, count: Int = 1_000, _ page: Page) async throws {
            _ = try await page.read(
                """
                (() => {
                    const send = window.fetch;
                    [window.heldAnswers, window.wanted, window.asked] = [[], \(count), {}];
                    window.fetch = async (...request) => {
                        const path = String(request[0]).replace('/api/', '');
                        window.asked[path] = (window.asked[path] ?? 0) + 1;
                        const answer = await send(...request);
                        if (path !== \(Page.quoted(path)) || window.wanted <= 0) return answer;
                        window.wanted -= 1;
                        await new Promise((resolve) => { window.heldAnswers.push(resolve); });
                        return answer;
                    };
                })()
                """)
        }

        private func waitForHeld(_ page: Page) async throws {
            try await page.wait(until: "window.heldAnswers.length > 0", "an answer that is held")
        }

        /// Hands out the answers that were held, and all later ones.
        private func handOut(_ page: Page) async throws {
            _ = try await page.read("window.wanted = 0; for (const answer of window.heldAnswers) answer()")
            // What waits for the answer goes on first.
            _ = try await page.read("new Promise((resolve) => { setTimeout(resolve, 50); })")
        }

        @Test func aClickIsNotLostWhenTheAnswerToWhatWasTypedMovesTheButton() async throws {
            let store = try SampleStore.shop()
            try await DataWindow.use(store, edits: true) { window in
                let page = window.page
                try await window.open("Order")
                try await page.click("#new-object")
                try await page.wait(for: "#value-number[aria-invalid=true]")
                try await page.click("#value-number")
                try await page.type("50")
                let button = "button[aria-label=\"Add to tags\"]"
                let spot = try await page.spot(button)
                // The press leaves the field, and its value is sent. The answer removes the line of the problem.
                try await hold("store/object", page)
                try await page.press(at: spot)
                try await waitForHeld(page)
                try await handOut(page)
                #expect(try await page.count("#value-number[aria-invalid=true]") == 1)
                try await page.release(at: spot)
                try await page.wait(for: ".pick-list li")
                #expect(try await page.count("#value-number[aria-invalid=true]") == 0)
                #expect(try await page.spot(button) != spot)
            }
        }

        @Test func whatIsTypedWhileAnotherObjectIsOnItsWayDoesNotChangeTheOneBefore() async throws {
            let store = try SampleStore.shop()
            try await DataWindow.use(store, edits: true) { window in
                let page = window.page
                try await window.open("Order")
                try await page.click(try await window.cell(0, "number"))
                try await page.wait(until: "document.querySelector('#object-id')?.textContent === 'Order/p1'")
                try await hold("store/object", page)
                try await page.press("Insert")
                try await page.wait(for: ".grid-row[data-state=inserted][aria-selected=true]")
                try await page.wait(for: ".inspector-scroll[inert]")
                try await page.click(try await page.spot("#value-number"))
                #expect(try await page.read("document.activeElement.id === 'value-number'").boolean == false)
                try await handOut(page)
                try await page.wait(until: "document.querySelector('#object-id')?.textContent.includes('new')")
                #expect(try await page.count(".inspector-scroll[inert]") == 0)
                try await page.fill("#value-number", "50")
                try await window.shows("50", 0, "number")
                try await page.click("#changes")
                try await page.wait(for: ".change-head.inserted")
                #expect(try await page.count(".change-head") == 1)
            }
        }

        @Test func anObjectThatWasReadBeforeDoesNotReplaceTheOneThatWasReadLater() async throws {
            let store = try SampleStore.shop()
            let program = try OtherProgram(store.url)
            try await DataWindow.use(store) { window in
                let page = window.page
                let city = "[...document.querySelectorAll('.inspector dd')].map((each) => each.textContent)"
                try await window.open("Order")
                try await page.click(try await window.cell(2, "number"))
                try await page.wait(until: "document.querySelector('#object-id')?.textContent === 'Order/p3'")
                try await hold("store/object", count: 1, page)
                try program.change { try $0.order(3)?.setValue("Rome", forKey: "city") }
                try await waitForHeld(page)
                try program.change { try $0.order(3)?.setValue("Oslo", forKey: "city") }
                try await page.wait(until: "\(city).includes('Oslo')", "the last city")
                try await handOut(page)
                #expect(try await page.read("\(city).includes('Oslo')").boolean == true)
            }
        }

        @Test func aNumberOfObjectsThatWasCountedBeforeDoesNotReplaceALaterOne() async throws {
            let store = try SampleStore.shop()
            let program = try OtherProgram(store.url)
            try await DataWindow.use(store) { window in
                let page = window.page
                let count = "document.querySelector('[data-entity=Order] .item-count').textContent"
                try await page.wait(until: "\(count) === '12'")
                try await hold("store/counts", count: 1, page)
                try program.change { context in context.delete(try #require(try context.order(12))) }
                try await waitForHeld(page)
                try program.change { context in context.delete(try #require(try context.order(11))) }
                try await page.wait(until: "\(count) === '10'", "the last number")
                try await handOut(page)
                #expect(try await page.read(count).string == "10")
            }
        }

        @Test func whatOneTypesAndSavesAtOnceIsNotMarkedAsOfOthers() async throws {
            let store = try SampleStore.shop()
            try await DataWindow.use(store, edits: true) { window in
                let page = window.page
                try await window.open("Order")
                try await page.click(try await window.cell(4, "remark"))
                try await page.press("Enter")
                try await window.noteMarks()
                // The rows with what is typed come after those of the save were asked for.
                try await hold("store/rows", count: 1, page)
                try await page.fillCell("mine", "Enter")
                try await waitForHeld(page)
                try await page.press("s", .control)
                try await page.wait(until: "document.querySelector('#document-state').textContent === 'All saved'")
                try await handOut(page)
                try await window.shows("mine", 4, "remark")
                try await Task.sleep(for: .milliseconds(300))
                #expect(try await window.marks(0) == [])
            }
        }

        @Test func theChangesOfAnotherWindowStayWhenAnAnswerOfBeforeComes() async throws {
            let store = try SampleStore.shop()
            try await DataWindow.use(store, edits: true) { window in
                let page = window.page
                try await window.open("Order")
                try await page.click(try await window.cell(4, "remark"))
                try await page.press("Enter")
                try await hold("store/edit", count: 1, page)
                try await page.fillCell("mine", "Enter")
                try await waitForHeld(page)
                _ = try await page.read(
                    """
                    import('/assets/scripts/net/api.js').then(({post}) => post('store/edit', {
                        action: {kind: 'set', object: 'Order/p3', key: 'remark', value: 'of another'}, client: 'another', titles: {}
                    }))
                    """)
                let state = "document.querySelector('#document-state').textContent"
                try await page.wait(until: "\(state) === '2 not saved'", "both changes")
                try await handOut(page)
                #expect(try await page.read(state).string == "2 not saved")
                try await window.shows("of another", 2, "remark")
                try await window.shows("mine", 4, "remark")
            }
        }

        @Test func theObjectThatIsClickedIsChosenThoughTheListIsAnotherOneByThen() async throws {
            let store = try SampleStore.shop()
            try await DataWindow.use(store, edits: true) { window in
                let page = window.page
                try await window.open("Order")
                try await page.click(try await window.cell(2, "number"))
                try await page.click("button[aria-label=\"Add to tags\"]")
                try await page.wait(until: "document.querySelectorAll('.pick-list li').length === 2")
                let title = try await page.text(".pick-list li:nth-child(2) .pick-title")
                let spot = try await page.spot(".pick-list li:nth-child(2)")
                try await hold("store/pick", page)
                try await page.type(title)
                try await waitForHeld(page)
                try await page.press(at: spot)
                try await handOut(page)
                try await page.release(at: spot)
                try await page.wait(until: "document.querySelectorAll('.pick-list li').length === 1")
                #expect(try await page.text(".pick-list [aria-selected=true] .pick-title") == title)
                try await page.click("dialog .primary")
                try await page.wait(until: "!document.querySelector('dialog')", "the dialog to close")
            }
        }

        /// Has another program save the city of an order, and waits until the page hears of it.
        private func save(_ order: Int, _ program: OtherProgram, _ page: Page) async throws {
            let counted = try await page.read("window.asked['store/counts'] ?? 0").number ?? 0
            try program.change { try $0.order(order)?.setValue("Rome", forKey: "city") }
            try await page.wait(until: "(window.asked['store/counts'] ?? 0) > \(counted)", "the news")
        }

        @Test func whatOthersSaveIsMarkedHoweverOftenTheySaveWhileItIsRead() async throws {
            let store = try SampleStore.shop()
            let program = try OtherProgram(store.url)
            try await DataWindow.use(store) { window in
                let page = window.page
                try await window.open("Order")
                try await window.shows("–", 4, "remark")
                try await window.noteMarks()
                try await hold("store/rows", page)
                // The store is changed once more before the first rows are here, and again before the next ones.
                try await save(5, program, page)
                try await save(6, program, page)
                while try await !window.column("city")[4].contains("Rome") {
                    try await waitForHeld(page)
                    _ = try await page.read("window.heldAnswers.shift()()")
                    try await Task.sleep(for: .milliseconds(200))
                }
                try await save(7, program, page)
                try await handOut(page)
                #expect(try await window.marks(3) == ["Order/p5 city", "Order/p6 city", "Order/p7 city"])
            }
        }

        @Test func aBranchThatIsFoldedWhileTheTreeIsReadAnewStaysFolded() async throws {
            let store = try SampleStore.shop()
            let program = try OtherProgram(store.url)
            try await DataWindow.use(store) { window in
                let page = window.page
                try await window.open("Order")
                try await page.click(try await window.cell(2, "number"))
                try await page.wait(until: "document.querySelector('#object-id')?.textContent === 'Order/p3'")
                try await page.click("#object-tree-open")
                try await page.wait(until: "document.querySelector('#object-tree').textContent.includes('number')")
                let spot = try await page.spot("#object-tree > details > summary")
                try await page.press(at: spot)
                try await hold("store/object", page)
                try program.change { try $0.order(3)?.setValue("Rome", forKey: "city") }
                try await page.wait(until: "window.heldAnswers.length >= 2", "the object and the tree")
                try await handOut(page)
                try await page.release(at: spot)
                try await page.wait(
                    until: "!document.querySelector('#object-tree').textContent.includes('number')", "the fold")
                _ = try await page.read("new Promise((resolve) => { setTimeout(resolve, 100); })")
                #expect(try await page.count("#object-tree details[open]") == 0)
                try await page.click("#object-tree > details > summary")
                try await page.wait(until: "document.querySelector('#object-tree').textContent.includes('Rome')")
            }
        }

        @Test func returnGivesAPredicateThatTheLastLettersMadeComplete() async throws {
            try await Editor.use(StudioSamples.league) { editor in
                let page = editor.page
                try await editor.open("GreenTeams")
                try await page.click(".editor textarea[aria-label=\"Predicate of GreenTeams\"]")
                try await page.press("a", .control)
                try await page.type("unif")
                try await page.wait(for: ".completions [aria-selected=true]")
                try await hold("predicate", page)
                try await page.type("ormColor == \"Red\"")
                try await page.press("Enter")
                try await waitForHeld(page)
                try await handOut(page)
                try await editor.settle()
                try await editor.save()
                let model = try Model(contents: try editor.contents())
                #expect(model.fetchRequests.first?.predicateFormat == #"uniformColor == "Red""#)
            }
        }

        @Test func tabTakesTheCompletionOfWhatIsTypedByThen() async throws {
            let store = try SampleStore.shop()
            try await DataWindow.use(store) { window in
                let page = window.page
                try await window.open("Order")
                try await page.click("#filter")
                try await page.type("n")
                try await page.wait(for: "#filter-completions li")
                try await hold("store/filter", page)
                try await page.type("umb")
                try await page.press("Tab")
                try await waitForHeld(page)
                try await handOut(page)
                try await page.wait(until: "document.querySelector('#filter').value === 'number '", "the key")
            }
        }
    }
}
