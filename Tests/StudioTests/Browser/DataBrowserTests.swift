import Foundation
import Testing

/// The data of stores, looked at by the mouse and the keyboard.
extension BrowserTests {
    @Suite struct DataBrowserTests {
        @Test func theLeagueIsSortedFilteredFollowedAndExported() async throws {
            let store = try SampleStore.league()
            let before = try store.files()
            try await DataWindow.use(store) { window in
                let page = window.page
                try await window.open("Player")
                let players = try await window.identifiers.count
                #expect(players > 10)
                try await page.click("[data-column=lastName] .grid-name")
                try await page.wait(until: "document.querySelector('[data-column=lastName][aria-sort=ascending]')")
                try await window.rowsCome()
                let names = try await window.column("lastName")
                #expect(names == names.sorted() && Set(names).count > 3)
                try await page.click("[data-column=lastName] .grid-name")
                try await page.wait(until: "document.querySelector('[data-column=lastName][aria-sort=descending]')")
                try await window.rowsCome()
                let reversed = try await window.column("lastName")
                #expect(reversed == reversed.sorted(by: >) && reversed[0] > names[names.count - 1])

                let name = try #require(names.last)
                try await window.filter("lastName == \"\(name)\"")
                try await window.rowsCome()
                #expect(Set(try await window.column("lastName")) == [name])
                let found = try await window.identifiers
                #expect(found.count < players)
                let csv = try await window.export("CSV")
                #expect(csv.split(separator: "\r\n").dropFirst().map { String($0.prefix { $0 != "," }) } == found)
                let lines = try await window.export("JSON lines")
                #expect(lines.split(separator: "\n").count == found.count)

                // To the team, and from there to its players.
                let team = try await window.column("team").first ?? ""
                try await page.click(try await window.cell(0, "team"))
                try await page.wait(until: "document.querySelector('[data-column=players]')", "the team")
                try await window.rowsCome()
                #expect(try await window.column("name") == [team])
                let count = try await window.column("players").first ?? ""
                try await page.click(try await window.cell(0, "players"))
                try await page.wait(until: "document.querySelector('[data-column=lastName]')", "the players")
                try await window.rowsCome()
                #expect(try await window.total == "\(count) \(count == "1" ? "object" : "objects")")
                #expect(Set(try await window.column("team")) == [team])
                #expect(try await page.count(".trail li") == 3)
                try await page.click(".trail li:first-child button")
                try await page.wait(until: "document.querySelectorAll('.trail li').length === 1")
                try await window.rowsCome()
                #expect(try await window.identifiers == found)
            }
            #expect(try store.files() == before)
        }

        @Test func aStoreOfApplesIsWalkedThroughWithTheKeyboardAlone() async throws {
            let store = try SampleStore.apple("objcio-moody/Moody.moody")
            let before = try store.files()
            try await DataWindow.use(store) { window in
                let page = window.page
                try await walk(page, to: "[data-entity=Mood]")
                try await page.press("Enter")
                try await page.wait(until: "document.querySelector('[data-column=latitude]')", "the moods")
                try await window.rowsCome()
                #expect(try await window.total == "4 objects")
                try await walk(page, to: "#rows")
                try await page.press("End", .control)
                try await page.wait(
                    until: "document.querySelector('.grid-row[aria-selected=true]')?.dataset.index === '3'")
                try await window.rowsCome()
                try await page.press("Home", .control)
                try await page.press("Home")
                // To the country's cell, and into it.
                let place =
                    "[...document.querySelectorAll('.grid-title')].findIndex((head) => head.dataset.column === 'country')"
                for _ in 0..<Int(try await page.read(place).number ?? 0) { try await page.press("ArrowRight") }
                try await page.press("Enter")
                try await page.wait(until: "document.querySelectorAll('.trail li').length === 2")
                try await window.rowsCome()
                #expect(try await window.identifiers.first?.hasPrefix("Country/p") == true)
                try await page.wait(
                    until: "document.querySelector('#object-id')?.textContent.startsWith('Country/')", "the inspector")
                // The context menu, by its key.
                try await walk(page, to: "#rows")
                try await page.press("F10", .shift)
                try await page.wait(for: ".menu")
                try await page.press("Escape")
                // Completion, then the filter.
                try await page.press("/")
                try await page.type("numeric")
                try await page.wait(for: "#filter-completions li")
                try await page.press("Tab")
                try await page.type("> 0")
                try await page.press("Enter")
                try await page.wait(until: "history.state.trail.at(-1).predicate.startsWith('numericISO3166Code')")
                try await window.rowsCome()
                #expect(try await window.total == "1 object")
            }
            #expect(try store.files() == before)
        }

        @Test func wordsAreSearchedWhereTheStoreHasAnIndexOfThem() async throws {
            let store = try SampleStore.searched()
            try await DataWindow.use(store) { window in
                let page = window.page
                try await window.open("Shelf")
                #expect(try await page.read("document.querySelectorAll('#word-search').length").number == 0)
                try await window.open("Note")
                try await page.click("#word-search")
                try await page.wait(for: "dialog[open] #words")
                try await page.type("quoted \\ lem*")
                try await page.press("Enter")
                try await page.wait(until: "history.state.trail.at(-1).predicate.startsWith('SELF matchesText:')")
                try await window.rowsCome()
                #expect(try await window.total == "1 object")
                #expect(try await window.identifiers == ["Note/p2"])
            }
        }

        @Test func anObjectIsUnfoldedAsATreeToAnyDepth() async throws {
            let store = try SampleStore.people(300)
            try await DataWindow.use(store) { window in
                let page = window.page
                try await window.open("Person")
                try await page.click(try await window.cell(4, "name"))
                try await page.wait(until: "document.querySelector('#object-id')?.textContent === 'Person/p5'")
                try await page.click("#object-tree-open")
                let tree = "document.querySelector('#object-tree')"
                func branch(_ title: String) -> String {
                    let branches = "[...\(tree).querySelectorAll('summary')]"
                    return "\(branches).findLast((each) => each.textContent.includes('\(title)'))"
                }
                func open(_ title: String) async throws {
                    try await page.wait(until: branch(title), title)
                    _ = try await page.read("\(branch(title)).click()")
                }
                try await open("City 1")
                try await open("300 objects")
                let members = "\(tree).querySelectorAll('details details details details').length"
                try await page.wait(until: "\(members) === 50", "the first members")
                func press(_ title: String, in element: String) async throws {
                    let buttons = "[...\(element).querySelectorAll('button')]"
                    _ = try await page.read(
                        "\(buttons).findLast((each) => each.textContent === '\(title)').click()")
                }
                try await press("Show more", in: tree)
                try await page.wait(until: "\(members) === 100", "more members")
                // One of them leads back to the city.
                try await open("Person/p100")
                try await page.wait(
                    until: "\(branch("City 1")).closest('details details details details details')",
                    "the way back")
                #expect(try await page.read("\(tree).textContent").string?.contains("number100") == true)
                try await press("Show among the rows", in: "\(branch("Person/p100")).parentElement")
                try await page.wait(until: "history.state.trail.at(-1).object === 'Person/p100'", "the object")
            }
        }

        @Test func theHistoryIsReadBackFilteredAndFollowedToItsObjects() async throws {
            let store = try SampleStore.history()
            let before = try store.files()
            try await DataWindow.use(store) { window in
                let page = window.page
                let shown = "[...document.querySelectorAll('.transaction')].map((each) => each.dataset.transaction)"
                func count(_ number: Int) async throws {
                    try await page.wait(until: "\(shown).length === \(number)", "\(number) transactions")
                }
                try await page.click("#open-history")
                try await count(50)
                #expect(try await page.read("\(shown)[0]").string == "203")
                #expect(try await page.read("\(shown).at(-1)").string == "154")
                #expect(try await page.text("[data-transaction='202']").contains("name = Person 2"))
                for number in [100, 150, 200, 203] {
                    try await page.click("#older")
                    try await count(number)
                }
                #expect(try await page.read("\(shown).at(-1)").string == "1")
                #expect(try await page.count("#older") == 0)
                #expect(try await page.text("#total") == "203 transactions")
                // The first one has many changes, which are folded.
                let folds = "document.querySelector('[data-transaction=\"1\"] details').open"
                #expect(try await page.read(folds).boolean == false)
                // What the user opens stays open.
                try await page.click("[data-transaction='1'] summary")
                try await page.wait(until: folds, "the changes")
                // By author, by both, and by entity.
                try await page.choose("#history-author", "widget")
                try await count(20)
                try await page.choose("#history-entity", "City")
                try await page.wait(
                    until: "document.querySelector('#timeline').textContent.includes('No transaction fits.')")
                try await page.choose("#history-author", "All authors")
                let objects = "[...document.querySelectorAll('.change-object')].map((each) => each.textContent)"
                try await page.wait(
                    until: "\(objects).length > 0 && \(objects).every((each) => each.startsWith('City/'))", "cities")
                // An object of a change, and what happened to it.
                try await page.click("[data-transaction='203'] .change-object")
                try await window.rowsCome()
                #expect(try await window.identifiers == ["City/p2"])
                try await page.click(try await window.cell(0, "name"))
                try await page.click("#object-history")
                try await count(1)
                #expect(try await page.text(".transaction").contains("1 inserted"))
                try await page.click("#history-all")
                try await count(50)
                // The browser goes back to the object.
                _ = try await page.read("history.back()")
                try await page.wait(for: ".grid-body")
            }
            #expect(try store.files() == before)
        }

        /// Tab, until an element has the focus.
        private func walk(_ page: Page, to selector: String) async throws {
            for _ in 0..<80 {
                try await page.press("Tab")
                if try await page.read("document.activeElement.matches(\(Page.quoted(selector)))").boolean == true {
                    return
                }
            }
            throw Browser.Failure(description: "The focus does not come to \(selector).")
        }

        @Test func filtersAreCheckedRememberedAndMadeFromValues() async throws {
            try await DataWindow.use(try SampleStore.people(500), expecting: "400 (Bad Request)") { window in
                let page = window.page
                try await window.open("Person")
                try await page.click("#filter")
                try await page.type("number >")
                try await page.wait(
                    until: "document.querySelector('#filter').getAttribute('aria-invalid') === 'true'", "the refusal")
                #expect(try await page.text("#filter-error").contains("column"))
                try await window.filter("number > 490")
                try await window.rowsCome()
                #expect(try await window.total == "10 objects")
                // By a value that is clicked, and the store's own words for all of it.
                try await page.rightClick(try await window.cell(0, "isActive"))
                try await choose(page, "Filter by This Value")
                try await page.wait(until: "document.querySelector('#filter').value.includes('isActive ==')")
                try await window.rowsCome()
                #expect(try await window.total == "5 objects")
                try await page.click("#sql")
                try await page.wait(for: "#statement")
                #expect(try await page.text("#statement").hasPrefix("SELECT"))
                #expect(try await page.text("[aria-label=Plan]").contains("t0"))
                #expect(try await page.text("#statement").contains("ZPERSON"))
                try await page.click("#filter-clear")
                try await window.rowsCome()
                #expect(try await window.total == "500 objects")
                try await page.click("#filter-history")
                try await choose(page, "number > 490")
                try await window.rowsCome()
                #expect(try await window.total == "10 objects")
                // What the store can't answer is said.
                try await window.filter("height == 3")
                try await page.wait(for: ".grid-message[role=alert]")
                #expect(try await page.text(".grid-message").contains("height"))
            }
        }

        private func choose(_ page: Page, _ title: String) async throws {
            let find =
                "[...document.querySelectorAll('.menu-item')].find((item) => item.querySelector('.menu-title').textContent === \(Page.quoted(title)))"
            try await page.wait(until: find, title)
            _ = try await page.read("\(find).dataset.chosen = 'yes'")
            try await page.click(".menu-item[data-chosen]")
        }

        @Test func columnsAreSortedTogetherResizedMovedFrozenHiddenAndRemembered() async throws {
            // A request may be under way when the studio is killed, and the stream of events always is.
            try await DataWindow.use(try SampleStore.people(200), expecting: "net::ERR_") { window in
                let page = window.page
                try await window.open("Person")
                let edge = try await page.spot("[data-column=name] .grid-edge")
                try await page.drag(from: edge, to: Page.Spot(x: edge.x + 70, y: edge.y))
                let width = "document.querySelector('[data-column=name]').offsetWidth"
                let wide = try await page.read(width).number ?? 0
                #expect(wide > 240)
                try await page.drag(
                    from: try await page.spot("[data-column=born] .grid-name"),
                    to: try await page.spot("[data-column=name] .grid-name"))
                let order = "[...document.querySelectorAll('.grid-title')].map((head) => head.dataset.column)"
                try await page.wait(until: "\(order)[1] === 'born'", "the column at its place")
                try await page.click("[data-column=isActive] .grid-name")
                try await window.rowsCome()
                try await page.click("[data-column=score] .grid-name", modifiers: .shift)
                try await page.wait(until: "document.querySelectorAll('.grid-title[aria-sort]').length === 2")
                try await window.rowsCome()
                #expect(Set(try await window.column("isActive")) == ["false"])
                let scores = try await window.column("score").compactMap(Double.init)
                #expect(scores == scores.sorted() && scores.count > 10)

                try await page.rightClick("[data-column=score]")
                try await choose(page, "Hide Column")
                try await page.wait(until: "!document.querySelector('[data-column=score]')")
                try await page.rightClick("[data-column=city]")
                try await choose(page, "Freeze Column")
                try await page.wait(until: "\(order)[1] === 'city'")
                // As it was left, after the page was loaded anew.
                _ = try await page.send("Page.reload")
                try await page.wait(until: "document.querySelector('[data-column=city].frozen')", "the page")
                try await window.rowsCome()
                #expect(
                    try await page.read(order).strings == ["", "city", "born", "name", "data", "isActive", "number"])
                #expect(try await page.read(width).number == wide)
                // So does another studio, which has another port.
                try window.studio.crashAndRestart()
                try await page.open(window.studio.address)
                try await page.wait(for: ".grid-body .grid-row[data-id]:not(.waiting)")
                try await window.open("Person")
                try await page.wait(until: "document.querySelector('[data-column=city].frozen')", "the columns")
                #expect(try await page.read(width).number == wide)
            }
        }

        @Test func whatIsOnItsWayToBeRememberedWhenThePageGoesIsRemembered() async throws {
            try await DataWindow.use(try SampleStore.people(20)) { window in
                let page = window.page
                try await window.open("Person")
                // A request that is under way ends with the page, if the browser was not told to keep it.
                _ = try await page.read(
                    """
                    (() => { const own = fetch; window.fetch = (path, options) =>
                    path.endsWith("store/remember") && !options.keepalive ? new Promise(() => {}) : own(path, options); })()
                    """)
                try await page.rightClick("[data-column=city]")
                try await choose(page, "Freeze Column")
                try await Task.sleep(for: .milliseconds(600))
                _ = try await page.send("Page.reload")
                try await page.wait(until: "document.querySelector('[data-column=city].frozen')", "the column")
            }
        }

        @Test func picturesTextsTreesAndBytesAreShown() async throws {
            let store = try SampleStore.apple("apple-recipes/Recipes.sqlite")
            try await DataWindow.use(store) { window in
                let page = window.page
                try await window.open("Recipe")
                let picture = try await window.column("thumbnailimage").first { $0.contains("×") }
                #expect(picture?.contains("PNG") == true || picture?.contains("JPEG") == true)
                try await page.click(try await window.cell(0, "name"))
                try await page.wait(until: "document.querySelector('img.preview')?.naturalWidth > 10", "the picture")
                try await page.click(try await window.cell(0, "thumbnailimage"), count: 2)
                try await page.wait(
                    until: "document.querySelector('img.picture')?.naturalWidth > 10", "the whole picture")
                try await page.click("#value-hex")
                try await page.wait(for: "#value-content")
                #expect(try await page.text("#value-content").hasPrefix("00000000"))
            }
            let people = try SampleStore.people(3)
            try people.setData(try SampleStore.archive(), of: 1)
            let svg = "<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"window.hacked=1\"/>"
            try people.setData(Data(svg.utf8), of: 2)
            try await DataWindow.use(people) { window in
                let page = window.page
                try await window.open("Person")
                #expect(try await window.column("data").first?.hasPrefix("Property list") == true)
                try await page.click(try await window.cell(0, "data"), count: 2)
                try await page.wait(for: "#tree details")
                #expect(try await page.text("#tree").contains("Boston"))
                // A drawing with a script in it is text.
                try await page.click(try await window.cell(1, "data"), count: 2)
                try await page.wait(until: "document.querySelector('#value-content')?.textContent.includes('onload')")
                #expect(try await page.count("img") == 0)
                #expect(try await page.read("window.hacked === undefined").boolean == true)
            }
        }

        @Test func hostileValuesAreText() async throws {
            let store = try SampleStore.people(3)
            let script = "<img src=x onerror=\"window.hacked=1\"><svg onload=\"window.hacked=1\">"
            try store.execute(
                "UPDATE ZPERSON SET ZNAME = '\(script)' WHERE Z_PK = 1; UPDATE ZCITY SET ZNAME = '\(script)\u{202E}'")
            try await DataWindow.use(store) { window in
                let page = window.page
                try await window.open("Person")
                #expect(try await window.column("name").first == script)
                #expect(try await window.column("city").first?.contains("\\u{202E}") == true)
                try await page.click(try await window.cell(0, "name"))
                try await page.wait(until: "document.querySelector('#object-id')?.textContent === 'Person/p1'")
                try await page.click(try await window.cell(0, "city"))
                try await page.wait(until: "document.querySelectorAll('.trail li').length === 2")
                try await window.rowsCome()
                #expect(try await page.read("window.hacked === undefined").boolean == true)
                #expect(try await page.count("#app svg:not(.icon), #app img") == 0)
            }
        }

        @Test func anIndexThatWouldHelpIsAddedToTheModelBesideTheStore() async throws {
            let store = try SampleStore.league()
            try await DataWindow.use(store, model: StudioSamples.league) { window in
                let page = window.page
                try await window.open("Player")
                try await window.filter("salary > 1000 AND lastName == \"Bird\"")
                try await page.click("#sql")
                try await page.wait(for: "[data-index-of=Player]")
                #expect(try await page.text("[data-index-of=Player]").contains("lastName, salary"))
                #expect(try await page.read(AccessibilityTests.rules).strings == [])
                try await page.click("[data-index-of=Player]")
                try await page.wait(until: "document.querySelector('.toast')?.textContent.includes('byLastNameSalary')")
                try await page.click("#side-model")
                try await page.wait(for: ".sidebar [data-item]")
                try await page.wait(
                    until: "document.querySelector('#undo').getAttribute('aria-label').includes('Add Fetch Index')")
            }
        }

        @Test func theObjectsAroundAnObjectAreDrawnAndUnfolded() async throws {
            let store = try SampleStore.shop()
            try await DataWindow.use(store) { window in
                let page = window.page
                func shown() async throws -> [String] {
                    try await page.read(
                        "[...document.querySelectorAll('[data-neighbour]')].map((each) => each.dataset.neighbour)"
                    )
                    .strings.sorted()
                }
                func waitFor(_ count: Int) async throws {
                    try await page.wait(
                        until:
                            "document.querySelectorAll('[data-neighbour]').length === \(count) && !document.querySelector('#neighbourhood').textContent.includes('Reading')",
                        "\(count) objects")
                }
                try await window.open("Order")
                try await page.click(try await window.cell(1, "number"))
                try await page.wait(until: "document.querySelector('#object-id')?.textContent === 'Order/p2'")
                try await page.click("#object-neighbourhood")
                // Two lines and a tag.
                try await waitFor(4)
                let around = try await shown()
                #expect(around.filter { $0.hasPrefix("Line/") }.count == 2 && around.contains("Tag/p2"))
                #expect(try await page.count(".neighbour-link") == 3)
                #expect(try await page.read(AccessibilityTests.rules).strings == [])
                // The tag has the order, which is drawn already, and five others.
                try await page.click("[data-neighbour=\"Tag/p2\"]")
                try await waitFor(9)
                #expect(try await page.count(".neighbour-link") == 8)
                try await page.click("[data-neighbour=\"Tag/p2\"]")
                try await waitFor(4)
                #expect(try await shown() == around)
                try await page.click("[data-neighbour=\"Tag/p2\"] + button")
                try await page.wait(until: "document.querySelectorAll('.trail li').length === 2")
                try await window.rowsCome()
                #expect(try await window.column("name") == ["gift"])
            }
        }

        @Test func theModelAndTheDataAreTwoSidesOfOneStudio() async throws {
            let store = try SampleStore.league()
            try await DataWindow.use(store, model: StudioSamples.league) { window in
                let page = window.page
                try await page.click("#side-model")
                try await page.wait(for: ".sidebar [data-item]")
                try await page.click("#side-data")
                try await page.wait(for: ".grid-body .grid-row[data-id]:not(.waiting)")
            }
        }
    }
}
