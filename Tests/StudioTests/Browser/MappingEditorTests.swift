import Foundation
import Testing

@testable import CoreDataStudio

/// A mapping editor on a page, by what a person sees of it.
struct MappingWindow {
    let page: Page
    let studio: StudioProcess

    /// Opens a studio on a shop with a model of two versions, a mapping and a store, and closes all of it afterwards.
    static func use(
        _ workspace: MappingWorkspace, model: Bool = false, edits: Bool = false, width: Int = 1280, height: Int = 800,
        expecting complaint: String? = nil, others: [URL] = [], _ body: (MappingWindow) async throws -> Void
    ) async throws {
        try await BrowserTurns.use(width: width, height: height) { page in
            let hasMapping = FileManager.default.fileExists(atPath: workspace.mapping.path)
            let paths =
                (hasMapping ? [workspace.mapping.path] : []) + (model ? [workspace.model.path] : [])
                + (FileManager.default.fileExists(atPath: workspace.store.path) ? [workspace.store.path] : [])
                + others.map(\.path)
            let studio = try StudioProcess(opening: paths, edits: edits)
            defer { studio.end() }
            let window = MappingWindow(page: page, studio: studio)
            try await page.open(studio.address)
            if hasMapping { try await page.wait(for: ".mapping-editor .map-columns") }
            try await body(window)
            #expect(page.log.lines.filter { complaint == nil || !$0.contains(complaint ?? "") } == [])
        }
    }

    func settle() async throws {
        try await page.wait(until: "document.querySelector('#app[aria-busy=\"false\"]')", "the studio to settle")
    }

    /// Chooses an entity mapping in the sidebar.
    func open(_ name: String) async throws {
        let find =
            "[...document.querySelectorAll('.sidebar [data-item]')].find((item) => item.querySelector('.item-name').textContent === \(Page.quoted(name)))"
        try await page.wait(until: find, "\(name) in the sidebar")
        let id = try await page.read("\(find).dataset.item").string ?? ""
        try await page.click(".sidebar [data-item=\"\(id)\"]")
        try await page.wait(until: "document.querySelector('#mapping-name')?.textContent === \(Page.quoted(name))")
    }

    /// The field with a property's expression.
    func value(_ property: String) -> String { "tr[data-name=\"\(property)\"] textarea" }

    /// Types an expression into a property's field.
    func type(_ expression: String, _ property: String) async throws {
        try await page.click(value(property))
        try await page.press("a", .control)
        try await page.type(expression)
        try await page.wait(
            until: "document.querySelector(\(Page.quoted(value(property)))).ariaBusy !== 'true'",
            "the check of the expression")
        try await page.press("Enter")
        try await settle()
    }

    func waitForJob(_ state: String) async throws {
        try await page.wait(
            until: "document.querySelector('#job-state')?.dataset.state === '\(state)'", "the job: \(state)")
    }
}

/// The views of the mapping editor, for what is to hold in each of them.
enum MappingView: String, CaseIterable {
    case mapping, property, completions, models, problems, source, dryRun, addition, palette

    func show(_ window: MappingWindow) async throws {
        let page = window.page
        try await window.open("CustomerToCustomer")
        switch self {
        case .mapping: break
        case .property:
            try await page.click(window.value("orders"))
            try await page.wait(for: "#generate")
        case .completions:
            try await page.click(window.value("fullName"))
            try await page.press("a", .control)
            try await page.type("$source.")
            try await page.wait(for: "tr[data-name=fullName] .completions li")
        case .models:
            try await page.click("[data-item=mapping]")
            try await page.wait(for: "[data-field=sourceModel]")
        case .problems:
            try await page.click("#problem-count")
            try await page.wait(for: ".problems")
        case .source:
            try await page.click("#source")
            try await page.wait(until: "document.querySelector('#source-text')?.textContent.includes('<object')")
        case .dryRun:
            try await page.click("#dry-run")
            try await window.waitForJob("done")
            try await page.wait(for: "#steps")
        case .addition:
            try await page.click("#add")
            try await page.wait(for: "dialog[open] select")
        case .palette:
            try await page.press("k", .control)
            try await page.wait(for: ".palette li")
        }
    }

    func leave(_ window: MappingWindow) async throws {
        let page = window.page
        switch self {
        case .completions:
            try await page.press("Escape")
            try await page.press("Escape")
        case .problems, .source, .dryRun: try await page.click("#panel-close")
        case .addition, .palette: try await page.press("Escape")
        case .mapping, .property, .models: break
        }
    }
}

extension BrowserTests {
    @Suite struct MappingEditorTests {
        @Test func theStoreThatIsTriedIsChosenAmongThoseThatAreOpen() async throws {
            let workspace = try MappingWorkspace.shop()
            _ = try await workspace.inferred()
            let other = workspace.folder.appending(path: "Other.sqlite")
            try FileManager.default.copyItem(at: workspace.store, to: other)
            try await MappingWindow.use(workspace, model: true, others: [other]) { window in
                let page = window.page
                try await page.click("#dry-run")
                try await window.waitForJob("done")
                try await page.choose("#job-store", "Other.sqlite")
                try await page.click("#start-dry-run")
                try await page.wait(
                    until: "document.querySelector('#job-state').textContent.includes('of Other.sqlite would')")
                let identifier = try await page.value("#job-store")
                #expect(
                    try await page.read("document.querySelector('#side-data').href").string?.hasSuffix(identifier)
                        == true)
                // When it is closed, the first one is left, and nothing to choose.
                try await page.click("#tab-\(identifier) .document-close")
                try await page.wait(until: "!document.querySelector('#job-store')", "the choice to go")
            }
        }

        @Test func aMappingIsMadeOfTwoVersionsMendedTriedAndCarriedOut() async throws {
            let workspace = try MappingWorkspace.shop()
            try await MappingWindow.use(workspace, model: true, edits: true) { window in
                let page = window.page
                try await page.wait(for: "#side-model")
                try await page.click("#side-model")
                try await page.wait(for: "#versions")
                try await page.click("#versions")
                try await page.wait(for: "dialog[open] .version-row")
                _ = try await page.read(
                    "[...document.querySelectorAll('dialog[open] button')].find((button) => button.textContent === 'New Mapping…').id = 'new-mapping'"
                )
                try await page.click("#new-mapping")
                try await page.wait(
                    until: "document.querySelector('dialog[open] input')?.value === 'ShopToShop2'", "the name")
                try await page.press("Enter")
                try await page.wait(for: ".mapping-editor .map-columns")
                try await window.open("CustomerToCustomer")
                try await page.wait(for: "tr[data-name=fullName] .field-error")
                #expect(try await page.text("#document-state") == "New")

                // Wrong, and told at the field.
                try await window.type("$source.naem", "fullName")
                try await page.wait(
                    until:
                        "document.querySelector('tr[data-name=fullName]')?.textContent.includes('Customer has no property naem')",
                    "the problem")
                #expect(
                    try await page.read(
                        "document.querySelector('tr[data-name=fullName] textarea').getAttribute('aria-invalid')"
                    ).string == "true")
                // Mended.
                try await window.type("$source.name", "fullName")
                try await page.wait(
                    until: "!document.querySelector('tr[data-name=fullName] .field-error')", "the problem to go")
                try await page.press("s", .control)
                try await page.wait(until: "document.querySelector('#document-state').textContent === 'Saved'")

                try await page.click("#dry-run")
                try await window.waitForJob("done")
                #expect(try await page.text("#losses").contains("Newsletter"))
                #expect(try await page.text("#steps").contains("CustomerToCustomer"))

                try await page.click("#migrate")
                try await page.wait(for: "dialog[open] .primary")
                try await page.press("Enter")
                try await page.wait(until: "document.querySelector('#job-state')?.dataset.job === 'migration'")
                try await window.waitForJob("done")
                #expect(try await page.text("#job-state").contains("backup"))
                // The data are those of the new model.
                try await page.click("#side-data")
                try await page.wait(for: "[data-entity=Customer]")
                #expect(try await page.count("[data-entity=Newsletter]") == 0)
            }
            #expect(try workspace.fullNames() == (0..<5).map { "Customer \($0)" })
            #expect(FileManager.default.fileExists(atPath: workspace.file.path))
        }

        @Test func theKeyboardAloneDoesAll() async throws {
            let workspace = try MappingWorkspace.shop()
            _ = try await workspace.inferred()
            try await MappingWindow.use(workspace) { window in
                let page = window.page
                // The palette finds what there is to do.
                try await page.press("k", .control)
                try await page.wait(for: ".palette li")
                try await page.type("add entity mapping")
                try await page.press("Enter")
                try await page.wait(for: "dialog[open] select")
                try await page.choose("dialog[open] select[aria-label=\"Source entity\"]", "Newsletter")
                try await page.choose("dialog[open] select[aria-label=\"Destination entity\"]", "Order")
                try await page.press("Tab")
                try await page.press("Enter")
                try await page.wait(
                    until: "document.querySelector('#mapping-name')?.textContent === 'NewsletterToOrder'")
                try await page.wait(until: "document.activeElement.dataset.field === 'name'", "the name's field")
                try await page.fillFocused("Letters")
                try await page.wait(until: "document.querySelector('#mapping-name')?.textContent === 'Letters'")
                try await page.press("Escape")
                // The columns are walked through by arrows.
                _ = try await page.read(
                    "document.querySelector('.map-column.source .map-head[tabindex=\"0\"]').focus()")
                try await page.press("ArrowUp")
                try await page.press("ArrowRight")
                try await page.press("ArrowUp")
                #expect(try await page.read("document.activeElement.dataset.entity").string == "Customer")
                try await page.press("Enter")
                try await page.wait(
                    until: "document.querySelector('#mapping-name')?.textContent === 'CustomerToCustomer'")
                // A mapping moves, and goes.
                _ = try await page.read("document.querySelector('.sidebar [data-item][aria-current=true]').focus()")
                try await page.press("ArrowDown", .alt)
                try await window.settle()
                let names =
                    "[...document.querySelectorAll('.sidebar .item-name')].map((item) => item.textContent).join()"
                try await page.wait(
                    until:
                        "\(names).includes('OrderToOrder,CustomerToCustomer') || \(names).includes('Newsletter,CustomerToCustomer')",
                    "the mapping to move")
                try await page.press("Delete")
                try await page.wait(until: "!\(names).includes('CustomerToCustomer')")
                try await page.press("z", .control)
                try await page.wait(until: "\(names).includes('CustomerToCustomer')")
                try await page.press("s", .control)
                try await page.wait(until: "document.querySelector('#document-state').textContent === 'Saved'")
            }
            #expect(try workspace.text().contains(">Letters<"))
        }

        @Test func whatAnEarlierRunLeftIsOfferedAndRecovered() async throws {
            let workspace = try MappingWorkspace.shop()
            let tab = try await workspace.inferred()
            try await tab.perform([
                "kind": "rename", "element": .text(try await tab.id("OrderToOrder")), "name": "LeftByTheEarlierRun",
            ])
            #expect(await tab.session.finish() != .none)
            try await MappingWindow.use(workspace) { window in
                let page = window.page
                try await page.wait(for: "#banner-recovery")
                #expect(try await page.text("#banner-recovery").contains("the studio did not end well"))
                #expect(try await page.read(BrowserTests.AccessibilityTests.rules).strings == [])
                try await page.click("#banner-recovery .primary")
                try await window.open("LeftByTheEarlierRun")
                try await page.wait(until: "!document.querySelector('#banner-recovery')")
                #expect(try await page.text("#document-state") == "Edited")
                try await page.press("z", .control)
                try await window.open("OrderToOrder")
            }
        }

        @Test func linesLeadFromPropertiesToProperties() async throws {
            let workspace = try MappingWorkspace.shop()
            _ = try await workspace.inferred()
            try await MappingWindow.use(workspace) { window in
                let page = window.page
                try await window.open("OrderToOrder")
                #expect(try await page.count(".map-line.property") == 3)
                #expect(try await page.count(".map-line.shown") == 1)
                #expect(try await page.count(".map-entity.open") == 2)
                try await page.click(window.value("total"))
                try await page.wait(for: ".map-line.property.chosen")
            }
        }

        @Test func aPropertyIsDraggedOntoAnother() async throws {
            let workspace = try MappingWorkspace.shop()
            _ = try await workspace.inferred()
            try await MappingWindow.use(workspace) { window in
                let page = window.page
                try await window.open("CustomerToCustomer")
                let source = try await page.spot(".map-column.source [data-property=name]")
                let destination = try await page.spot(".map-column.destination [data-property=fullName]")
                try await page.drag(from: source, to: destination)
                try await page.wait(
                    until: "document.querySelector('\(window.value("fullName"))')?.value === '$source.name'",
                    "the expression")
                #expect(try await page.count(".map-line.property") == 2)
                // An attribute makes no relationship.
                let orders = try await page.spot(".map-column.destination [data-property=orders]")
                try await page.drag(from: source, to: orders)
                try await window.settle()
                #expect(try await page.value(window.value("orders")).hasPrefix("FUNCTION("))
            }
        }

        @Test func namesOfAllKindsAreTextAndNothingElse() async throws {
            let workspace = try MappingWorkspace.shop()
            let tab = try await workspace.inferred()
            let name = "<img src=x onerror=\"document.title='hit'\"> \u{202E}abc"
            try await tab.rename("CustomerToCustomer", to: name)
            try await MappingWindow.use(workspace) { window in
                let page = window.page
                try await page.wait(for: "#mapping-name")
                #expect(try await page.text("#mapping-name").contains("<img src=x"))
                #expect(try await page.text("#mapping-name").contains("\\u{202E}"))
                #expect(try await page.count("#app img") == 0)
                #expect(try await page.read("document.title.includes('hit')").boolean == false)
            }
        }

        @Test(arguments: [false, true]) func everyViewPassesTheRules(isDark: Bool) async throws {
            let workspace = try MappingWorkspace.shop()
            _ = try await workspace.inferred()
            try await MappingWindow.use(workspace, edits: true) { window in
                try await window.page.setDark(isDark)
                // Colours change over a tenth of a second.
                try await Task.sleep(for: .milliseconds(300))
                for view in MappingView.allCases {
                    try await view.show(window)
                    let findings = try await window.page.read(AccessibilityTests.rules).strings
                    #expect(findings == [], "\(view), \(isDark ? "dark" : "light")")
                    try await view.leave(window)
                }
            }
        }

        @Test func theFocusWalksThroughTheWindowInItsOrderAndIsSeen() async throws {
            let workspace = try MappingWorkspace.shop()
            _ = try await workspace.inferred()
            try await MappingWindow.use(workspace, edits: true) { window in
                let page = window.page
                try await window.open("CustomerToCustomer")
                _ = try await page.read("document.activeElement.blur()")
                _ = try await page.read("document.querySelector('.skip-link').focus()")
                var regions = ["skip-link"]
                for _ in 0..<80 {
                    try await page.press("Tab")
                    let region =
                        try await page.read(
                            "document.activeElement.closest('.toolbar, .sidebar, .editor, .inspector')?.className.split(' ')[0] ?? ''"
                        ).string ?? ""
                    if !region.isEmpty, regions.last != region { regions.append(region) }
                    let focused = try await page.read("document.activeElement.outerHTML.slice(0, 160)").string ?? ""
                    #expect(
                        try await page.read(AccessibilityTests.isFocusSeen).boolean == true, "no ring on \(focused)")
                    if regions.last == "inspector" { break }
                }
                #expect(regions == ["skip-link", "toolbar", "sidebar", "editor", "inspector"])
            }
        }

        @Test(
            .enabled(if: ProcessInfo.processInfo.environment["COREDATA_SCREENSHOTS"] != nil),
            arguments: ["light", "dark", "narrow", "wide"])
        func theViewsArePictured(name: String) async throws {
            let folder = StudioSamples.package.appending(path: "Documentation/Screenshots")
            let workspace = try MappingWorkspace.shop()
            _ = try await workspace.inferred()
            let width = ["narrow": 720, "wide": 1920][name] ?? 1280
            try await MappingWindow.use(workspace, edits: true, width: width) { window in
                try await window.page.setDark(name == "dark")
                for view in [MappingView.mapping, .completions, .dryRun] where width == 1280 || view == .mapping {
                    try await view.show(window)
                    try await Task.sleep(for: .milliseconds(250))
                    try await window.page.screenshot().write(to: folder.appending(path: "mapping-\(view)-\(name).png"))
                    try await view.leave(window)
                }
            }
        }
    }
}
