import CoreData
import Foundation
import Testing

/// The tree and the neighbourhood follow what is changed and saved. So do the places that one goes back to.
extension BrowserTests {
    @Suite struct DataPanelTests {
        private static let tree = "document.querySelector('#object-tree')"

        private func treeShows(_ text: String, _ page: Page, isShown: Bool = true) async throws {
            try await page.wait(
                until: "\(Self.tree).textContent.includes(\(Page.quoted(text))) === \(isShown)",
                "the tree \(isShown ? "with" : "without") \(text)")
        }

        /// Unfolds the last branch of the tree with a text.
        private func unfold(_ title: String, _ page: Page) async throws {
            let branch =
                "[...\(Self.tree).querySelectorAll('summary')].findLast((each) => each.textContent.includes(\(Page.quoted(title))))"
            try await page.wait(until: branch, title)
            _ = try await page.read("\(branch).setAttribute('data-wanted', 'true')")
            try await page.click("#object-tree [data-wanted]")
            _ = try await page.read("\(Self.tree).querySelector('[data-wanted]')?.removeAttribute('data-wanted')")
        }

        private func neighbours(_ count: Int, _ page: Page) async throws {
            try await page.wait(
                until:
                    "document.querySelectorAll('[data-neighbour]').length === \(count) && !document.querySelector('#neighbourhood').textContent.includes('Reading')",
                "\(count) objects")
        }

        private func show(_ row: Int, _ id: String, _ window: DataWindow) async throws {
            try await window.page.click(try await window.cell(row, "number"))
            try await window.page.wait(until: "document.querySelector('#object-id')?.textContent === '\(id)'")
        }

        @Test func theTreeFollowsWhatIsChangedHereAndElsewhere() async throws {
            let store = try SampleStore.shop()
            let program = try OtherProgram(store.url)
            try await DataWindow.use(store, edits: true) { window in
                let page = window.page
                try await window.open("Order")
                try await show(2, "Order/p3", window)
                try await page.click("#object-tree-open")
                try await unfold("3 objects", page)
                try await page.wait(until: "\(Self.tree).querySelectorAll('details details details').length === 3")
                try await page.click(try await window.cell(2, "remark"))
                try await page.press("Enter")
                try await page.fillCell("by bike", "Enter")
                try await treeShows("by bike", page)
                try await page.press("z", .control)
                try await treeShows("by bike", page, isShown: false)
                try program.change { context in
                    let order = try #require(try context.order(3))
                    order.setValue("Rome", forKey: "city")
                    let lines = try #require(order.value(forKey: "lines") as? NSOrderedSet)
                    context.delete(try #require(lines.firstObject as? NSManagedObject))
                }
                try await treeShows("Rome", page)
                try await treeShows("2 objects", page)
                try await page.wait(until: "\(Self.tree).querySelectorAll('details details details').length === 2")
                #expect(try await page.count("#object-tree [role=alert]") == 0)
            }
        }

        @Test(arguments: [false, true])
        func theNeighbourhoodFollowsWhatOthersSave(isEdited: Bool) async throws {
            let store = try SampleStore.shop()
            let program = try OtherProgram(store.url)
            try await DataWindow.use(store, edits: isEdited) { window in
                let page = window.page
                try await window.open("Order")
                try await show(1, "Order/p2", window)
                try await page.click("#object-neighbourhood")
                try await neighbours(4, page)
                try await page.click("[data-neighbour=\"Tag/p2\"]")
                try await neighbours(9, page)
                try program.change { context in
                    let order = try #require(try context.order(2))
                    let line = NSEntityDescription.insertNewObject(forEntityName: "Line", into: context)
                    line.setValue(9, forKey: "quantity")
                    line.setValue(order, forKey: "order")
                    context.delete(try #require(try context.order(12)))
                    let tag = try #require((order.value(forKey: "tags") as? NSSet)?.anyObject() as? NSManagedObject)
                    tag.setValue("present", forKey: "name")
                }
                // A line more, and an order of the tag less.
                try await page.wait(
                    until: "document.querySelector('[data-neighbour=\"Tag/p2\"]')?.textContent.includes('present')")
                try await neighbours(9, page)
                #expect(try await page.count("[data-neighbour^=Line]") == 3)
                #expect(try await page.count("[data-neighbour=\"Order/p12\"]") == 0)
                #expect(try await page.count(".neighbour-link") == 8)
                // It is folded as before.
                try await page.click("[data-neighbour=\"Tag/p2\"]")
                try await neighbours(5, page)
            }
        }

        @Test func thePanelsAndThePlacesOfANewObjectAreThoseOfTheSavedOne() async throws {
            let store = try SampleStore.shop()
            try await DataWindow.use(store, edits: true) { window in
                let page = window.page
                try await window.open("Order")
                try await page.click(try await window.cell(0, "number"))
                try await page.press("Insert")
                try await page.wait(for: ".grid-row[data-state=inserted][aria-selected=true]")
                try await page.fill("#value-number", "50")
                try await page.wait(until: "document.querySelector('#value-number').value === '50'")
                try await page.click("button[aria-label=\"Add to tags\"]")
                try await page.wait(for: ".pick-list li")
                try await page.type("urgent")
                try await page.wait(until: "document.querySelectorAll('.pick-list li').length === 1")
                try await page.press("Enter")
                try await page.wait(
                    until: "document.querySelector('.inspector').textContent.includes('1 object of Tag')", "the tag")
                try await page.click("#object-neighbourhood")
                try await neighbours(2, page)
                try await page.click("#object-tree-open")
                try await unfold("1 object", page)
                try await treeShows("urgent", page)
                // The place of its members is one that one goes back to after the save.
                try await page.click(try await window.cell(0, "tags"))
                try await page.wait(until: "document.querySelectorAll('.trail li').length === 2")
                try await window.rowsCome()
                try await window.open("Product")
                try await page.press("s", .control)
                try await page.wait(until: "document.querySelector('#document-state').textContent === 'All saved'")

                #expect(try await page.text("#object-tree").contains("Order/t") == false)
                try await unfold("1 object", page)
                try await treeShows("urgent", page, isShown: false)
                try await unfold("1 object", page)
                try await treeShows("urgent", page)
                #expect(try await page.count("#object-tree [role=alert]") == 0)
                try await page.click("#tab-neighbourhood")
                try await page.click("[data-neighbour=\"Order/p13\"]")
                try await neighbours(1, page)
                try await page.click("[data-neighbour=\"Order/p13\"]")
                try await neighbours(2, page)

                _ = try await page.read("history.back()")
                try await page.wait(
                    until: "history.state.trail.at(-1).member?.object === 'Order/p13'", "the members' place")
                try await window.rowsCome()
                #expect(try await window.column("name") == ["urgent"])
                #expect(try await page.count(".grid-message") == 0)
            }
        }

        @Test func rowsThatCantBeCountedSayWhyAndAreCountedLater() async throws {
            let store = try SampleStore.people(2_000)
            try await DataWindow.use(store) { window in
                let page = window.page
                try await window.open("Person")
                // No answer has the number of rows, and the request for it fails.
                _ = try await page.read(
                    """
                    (() => {
                        const send = window.fetch;
                        window.fetch = async (...request) => {
                            const path = String(request[0]);
                            if (path.endsWith('store/total') && window.isFailing !== false) {
                                return new Response('{"error": {"code": "internal", "message": "The disk is full."}}', {status: 500});
                            }
                            const answer = await send(...request);
                            if (!path.endsWith('store/rows')) return answer;
                            return new Response(JSON.stringify({...await answer.json(), total: null}));
                        };
                    })()
                    """)
                try await window.filter("number > 3")
                try await page.wait(
                    until: "document.querySelector('#total').textContent === 'Not counted: The disk is full.'",
                    "the reason")
                #expect(try await page.count(".grid-message") == 0)
                #expect(try await window.identifiers.first == "Person/p4")
                _ = try await page.read("window.isFailing = false")
                _ = try await page.read("document.querySelector('#rows').scrollTo(0, 100000)")
                try await page.wait(
                    until: "document.querySelector('#total').textContent === '1,997 objects'", "the number")
            }
        }
    }
}
