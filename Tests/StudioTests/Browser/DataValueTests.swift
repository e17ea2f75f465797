import Foundation
import Testing

/// Values with a look of their own: colours, links, markup, external files.
extension BrowserTests {
    @Suite struct DataValueTests {
        private static let texts = [
            "#3366CC", "#FF800080", "https://example.org/a?b=1&c=<b>", "http://127.0.0.1:1/page", "javascript:alert(1)",
            "file:///etc/passwd", "data:text/html,<script>alert(1)</script>", " https://example.org",
            "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>", "#33",
            "https://exam\u{202E}ple.org/", "HTTPS://EXAMPLE.ORG/UP",
        ]

        private static func store() throws -> SampleStore {
            let store = try SampleStore.people(texts.count)
            for (index, text) in texts.enumerated() {
                let quoted = text.replacing("'", with: "''")
                try store.execute("UPDATE ZPERSON SET ZNAME = '\(quoted)' WHERE Z_PK = \(index + 1)")
            }
            return store
        }

        @Test func coloursHaveSwatchesAndMarkupIsText() async throws {
            try await DataWindow.use(try Self.store()) { window in
                let page = window.page
                try await window.open("Person")
                #expect(
                    try await window.column("name") == Self.texts.map { $0.replacing("\u{202E}", with: "\\u{202E}") })
                let swatches = "[...document.querySelectorAll('.grid-body .swatch')]"
                let colours = "\(swatches).map((each) => getComputedStyle(each).getPropertyValue('--swatch'))"
                #expect(try await page.read(colours).strings == ["#3366CC", "#FF800080"])
                let painted = "getComputedStyle(\(swatches)[0]).backgroundImage.includes('rgb(51, 102, 204)')"
                #expect(try await page.read(painted).boolean == true)
                try await page.click(try await window.cell(0, "name"))
                try await page.wait(for: ".inspector .swatch")
                // Markup is text in the grid and in the inspector.
                try await page.click(try await window.cell(8, "name"))
                try await page.wait(until: "document.querySelector('#object-id')?.textContent === 'Person/p9'")
                #expect(try await page.text(".inspector .value-text") == Self.texts[8])
                #expect(
                    try await page.count(".inspector img, .grid-body img, .grid-body script, .inspector script") == 0)
                #expect(try await page.read("document.title").string?.contains("run") == false)
            }
        }

        /// The first bytes of a PNG with these measures. A browser that decodes it asks for its address first.
        private static func picture(_ width: UInt32, _ height: UInt32) -> Data {
            let sides = [width, height].flatMap { side in withUnsafeBytes(of: side.bigEndian) { Array($0) } }
            return Data(Array("\u{89}PNG\r\n\u{1A}\n".unicodeScalars.map { UInt8($0.value) }) + [0, 0, 0, 13])
                + Data("IHDR".utf8) + sides
        }

        @Test func picturesOfManyPixelsAreNotDecodedOnSight() async throws {
            let store = try SampleStore.people(4)
            for (key, data) in [
                SamplePicture.high, Self.picture(10_000, 10_000), Self.picture(65_535, 1_000),
                Self.picture(3_000, 3_000),
            ].enumerated() {
                try store.setData(data, of: key + 1)
            }
            try await DataWindow.use(store) { window in
                let page = window.page
                try await window.open("Person")
                try await page.wait(until: "document.querySelector('.grid-cell img.thumbnail')?.naturalWidth === 40")
                #expect(try await page.count(".grid-cell img") == 1, "nine million pixels are too many for a cell")
                for (row, shown) in [(1, 0), (2, 0), (3, 1)] {
                    try await page.click(try await window.cell(row, "data"))
                    try await page.wait(
                        until: "document.querySelector('#object-id')?.textContent === 'Person/p\(row + 1)'")
                    #expect(try await page.count(".inspector img") == shown)
                }
            }
        }

        @Test func aLinkOpensOnlyBehindADialogAndOnlyTheWeb() async throws {
            try await DataWindow.use(try Self.store()) { window in
                let page = window.page
                try await window.open("Person")
                var linked: [Int] = []
                for index in Self.texts.indices {
                    try await page.click(try await window.cell(index, "name"))
                    try await page.wait(
                        until: "document.querySelector('#object-id')?.textContent === 'Person/p\(index + 1)'")
                    let open =
                        "[...document.querySelectorAll('.inspector .link')].some((each) => each.textContent === 'Open Link…')"
                    if try await page.read(open).boolean == true { linked.append(index) }
                    try await page.rightClick(try await window.cell(index, "name"))
                    try await page.wait(for: ".menu")
                    let item =
                        "[...document.querySelectorAll('.menu-item')].some((each) => each.textContent === 'Open Link…')"
                    #expect(try await page.read(item).boolean == linked.contains(index), "\(Self.texts[index])")
                    try await page.press("Escape")
                }
                #expect(linked == [2, 3, 11])
                // A click and a double click on the value open nothing.
                let tabs = try await pages(page)
                try await page.click(try await window.cell(3, "name"), count: 2)
                try await page.wait(until: "document.querySelector('#object-id')?.textContent === 'Person/p4'")
                try await page.click(".inspector .value-text")
                #expect(try await pages(page) == tabs)
                #expect(try await page.count("a[href^=http]") == 0)

                try await page.click(".inspector [aria-label^='Open the link']")
                try await page.wait(for: "dialog[open] a.primary")
                #expect(try await page.text("#link-host") == "127.0.0.1:1")
                #expect(try await page.text("#link-address") == "http://127.0.0.1:1/page")
                let link = "document.querySelector('dialog[open] a.primary')"
                #expect(
                    try await page.read("[\(link).rel, \(link).target]").strings == ["noreferrer noopener", "_blank"])
                try await Pictures.keep(page, "link-light")
                #expect(try await page.read(AccessibilityTests.rules).strings == [])
                try await page.press("Escape")
                try await page.wait(until: "!document.querySelector('dialog')")
                #expect(try await pages(page) == tabs)

                try await page.click(".inspector [aria-label^='Open the link']")
                try await page.wait(for: "dialog[open] a.primary")
                try await page.click("dialog[open] a.primary")
                try await page.wait(until: "!document.querySelector('dialog')")
                #expect(try await comesTrue { try await pages(page).count > tabs.count })
                let new = try await pages(page).subtracting(tabs)
                #expect(new.count == 1)
                // The other page can't reach this one.
                for id in new {
                    let info = try await page.browser.send("Target.getTargetInfo", ["targetId": .string(id)])
                    #expect(info["targetInfo"]["canAccessOpener"].boolean == false)
                    _ = try await page.browser.send("Target.closeTarget", ["targetId": .string(id)])
                }
            }
        }

        /// The pages of the browser, by their names for it.
        private func pages(_ page: Page) async throws -> Set<String> {
            let answer = try await page.browser.send("Target.getTargets")
            let own = answer["targetInfos"].array.filter {
                $0["type"].string == "page" && $0["browserContextId"].string == page.context.string
            }
            return Set(own.compactMap { $0["targetId"].string })
        }

        @Test(arguments: [false, true])
        func valuesInExternalFilesAreMarkedAndThoseWhoseFileIsGoneAreTold(isDark: Bool) async throws {
            let store = try SampleStore.shop()
            let program = try OtherProgram(store.url)
            try program.change { context in
                for (name, count) in [("Apple", 300_000), ("Bread", 400_000), ("Cheese", 20)] {
                    let product = try context.product(name)
                    product?.setValue(Data(repeating: 7, count: count), forKey: "photo")
                    product?.setValue(URL(string: "https://example.org/\(name)"), forKey: "page")
                }
            }
            try program.close()
            let folder = store.folder.appending(path: ".Shop_SUPPORT/_EXTERNAL_DATA")
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                let file = folder.appending(path: name)
                if try Data(contentsOf: file).count == 400_000 { try FileManager.default.removeItem(at: file) }
            }
            try await DataWindow.use(store) { window in
                let page = window.page
                try await page.setDark(isDark)
                try await window.open("Product")
                #expect(
                    try await window.column("photo") == [
                        "Data · 300 KB · external file", "External file is missing", "Data · 20 B",
                    ])
                try await page.click(try await window.cell(0, "photo"))
                try await page.wait(
                    until: "document.querySelector('.inspector')?.textContent.includes('external file')")
                try await Pictures.keep(page, "external-\(isDark ? "dark" : "light")")
                #expect(try await page.read(AccessibilityTests.rules).strings == [])
                try await page.click(try await window.cell(1, "photo"))
                try await page.wait(for: ".inspector .missing")
                #expect(try await page.read(AccessibilityTests.rules).strings == [])
            }
        }

        @Test(arguments: [false, true]) func theMarksPassTheRules(isDark: Bool) async throws {
            try await DataWindow.use(try Self.store()) { window in
                let page = window.page
                try await page.setDark(isDark)
                try await window.open("Person")
                try await page.click(try await window.cell(1, "name"))
                try await page.wait(for: ".inspector .swatch")
                try await Pictures.keep(page, "colours-\(isDark ? "dark" : "light")")
                #expect(try await page.read(AccessibilityTests.rules).strings == [])
                try await page.click(try await window.cell(2, "name"))
                try await page.wait(for: ".inspector [aria-label^='Open the link']")
                try await Pictures.keep(page, "address-\(isDark ? "dark" : "light")")
                #expect(try await page.read(AccessibilityTests.rules).strings == [])
            }
        }
    }
}
