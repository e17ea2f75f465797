import Foundation
import Testing

/// The data browser can be heard, seen and walked through as the editor can.
extension BrowserTests {
    @Suite struct DataAccessibilityTests {
        @Test(arguments: [false, true]) func everyViewOfTheDataPassesTheRules(isDark: Bool) async throws {
            try await DataWindow.use(
                try SampleStore.apple("apple-recipes/Recipes.sqlite"), expecting: "400 (Bad Request)"
            ) { window in
                try await window.page.setDark(isDark)
                for view in DataView.allCases {
                    try await view.show(window)
                    let findings = try await window.page.read(AccessibilityTests.rules).strings
                    #expect(findings == [], "\(view), \(isDark ? "dark" : "light")")
                    try await view.leave(window)
                }
            }
        }

        @Test(arguments: [false, true]) func theHistoryPassesTheRules(isDark: Bool) async throws {
            try await DataWindow.use(try SampleStore.history()) { window in
                let page = window.page
                try await page.setDark(isDark)
                try await page.click("#open-history")
                try await page.wait(for: ".transaction")
                #expect(try await page.read(AccessibilityTests.rules).strings == [])
                try await page.choose("#history-author", "widget")
                try await page.wait(until: "document.querySelectorAll('.transaction').length === 20", "the widget's")
                #expect(try await page.read(AccessibilityTests.rules).strings == [])
            }
        }

        @Test func theFocusWalksThroughTheDataInItsOrderAndIsSeen() async throws {
            try await DataWindow.use(try SampleStore.apple("objcio-moody/Moody.moody")) { window in
                let page = window.page
                try await window.open("Mood")
                try await page.click(try await window.cell(1, "latitude"))
                try await page.wait(for: ".inspector-scroll:not([inert]) #object-id")
                _ = try await page.read("document.activeElement.blur()")
                _ = try await page.read("document.querySelector('.skip-link').focus()")
                var regions = ["skip-link"]
                for _ in 0..<80 {
                    try await page.press("Tab")
                    let region =
                        try await page.read(
                            "document.activeElement.closest('.toolbar, .sidebar, .trail, .filter-bar, .grid, .grid-foot, .inspector')?.className.split(' ')[0] ?? ''"
                        ).string ?? ""
                    if !region.isEmpty, regions.last != region { regions.append(region) }
                    let focused = try await page.read("document.activeElement.outerHTML.slice(0, 160)").string ?? ""
                    #expect(
                        try await page.read(AccessibilityTests.isFocusSeen).boolean == true, "no ring on \(focused)")
                    if regions.last == "inspector" { break }
                }
                #expect(regions == ["skip-link", "toolbar", "sidebar", "filter-bar", "grid", "grid-foot", "inspector"])
            }
        }

        @Test func theGridTellsItsSizeItsPlaceAndItsOrder() async throws {
            try await DataWindow.use(try SampleStore.people(1_000)) { window in
                let page = window.page
                try await window.open("Person")
                try await page.click(try await window.cell(3, "name"))
                let grid = "document.querySelector('[role=grid]')"
                #expect(try await page.read("\(grid).getAttribute('aria-rowcount')").string == "1001")
                #expect(try await page.read("\(grid).getAttribute('aria-colcount')").string == "8")
                #expect(try await page.read("\(grid).getAttribute('aria-label')").string == "Rows of Person")
                let active = "document.getElementById(\(grid).getAttribute('aria-activedescendant'))"
                #expect(try await page.read("\(active).getAttribute('role')").string == "gridcell")
                #expect(try await page.read("\(active).parentElement.getAttribute('aria-rowindex')").string == "5")
                #expect(try await page.read("\(active).getAttribute('aria-colindex')").string == "2")
                try await page.click("[data-column=name] .grid-name")
                try await page.wait(
                    until: "document.querySelector('[data-column=name]').getAttribute('aria-sort') === 'ascending'")
                try await window.rowsCome()
            }
        }
    }
}
