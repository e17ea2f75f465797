import Foundation
import Testing

/// Every view can be heard, seen and walked through: labels, roles, contrast and the order of the focus.
extension BrowserTests {
    @Suite struct AccessibilityTests {
        @Test(arguments: [false, true]) func everyViewPassesTheRules(isDark: Bool) async throws {
            try await Editor.use(StudioSamples.league) { editor in
                try await editor.page.setDark(isDark)
                for view in EditorView.allCases {
                    try await view.show(editor)
                    let findings = try await editor.page.read(Self.rules).strings
                    #expect(findings == [], "\(view), \(isDark ? "dark" : "light")")
                    try await view.leave(editor)
                }
            }
        }

        @Test func theFocusWalksThroughTheWindowInItsOrderAndIsSeen() async throws {
            try await Editor.use(StudioSamples.league) { editor in
                let page = editor.page
                var regions: [String] = []
                for _ in 0..<120 {
                    try await page.press("Tab")
                    let region =
                        try await page.read(
                            "document.activeElement.closest('.toolbar, .sidebar, .editor, .inspector, .skip-link')?.className.split(' ')[0] ?? ''"
                        ).string ?? ""
                    if !region.isEmpty, regions.last != region { regions.append(region) }
                    let isSeen = try await page.read(Self.isFocusSeen).boolean
                    let focused = try await page.read("document.activeElement.outerHTML.slice(0, 160)").string ?? ""
                    #expect(isSeen == true, "no ring on \(focused)")
                    if regions.last == "inspector" { break }
                }
                #expect(regions == ["skip-link", "toolbar", "sidebar", "editor", "inspector"])
            }
        }

        @Test func everythingIsDoneFromTheCommandPaletteByKeyboard() async throws {
            try await Editor.use(StudioSamples.league) { editor in
                let page = editor.page
                try await page.press("k", .control)
                try await page.wait(for: ".palette")
                try await page.type("add entity")
                try await page.press("Enter")
                try await page.wait(until: "document.activeElement.dataset.field === 'name'", "the name's field")
                try await editor.settle()
                try await page.fillFocused("Stadium")
                try await editor.settle()
                try await page.press("k", .control)
                try await page.wait(for: ".palette")
                try await page.type("Player.salary")
                try await page.press("Enter")
                try await page.wait(until: "document.activeElement.value === 'salary'", "the attribute's name")
                #expect(try await editor.names("Entities").contains("Stadium"))
            }
        }

        /// An outline, a border of its own colour, or for boxes a frame.
        static let isFocusSeen = """
            (() => {
                const element = document.activeElement;
                if (element === document.body) return true;
                const style = getComputedStyle(element);
                return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
            })()
            """

        /// Our own list of rules, after those of axe-core: what breaks one, as sentences.
        static let rules = """
            (() => {
                // Colours on their way from one to another are neither.
                for (const change of document.getAnimations()) if (change instanceof CSSTransition) change.finish();
                const findings = [];
                const isShown = (element) => element.checkVisibility({opacityProperty: true, visibilityProperty: true});
                const name = (element) => {
                    const by = element.getAttribute("aria-labelledby");
                    if (by) return by.split(" ").map((id) => document.getElementById(id)?.textContent ?? "").join(" ").trim();
                    const label = element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent;
                    return (label ?? element.textContent ?? "").trim() || (element.getAttribute("title") ?? "").trim();
                };
                const describe = (element) => element.outerHTML.slice(0, 140);
                for (const element of document.querySelectorAll("button, input, select, textarea, a[href], [role=button], [role=option], [role=tab], [tabindex='0'], dialog, nav, aside, main, table, [role=group], [role=toolbar]")) {
                    if (isShown(element) && !name(element)) findings.push(`no name: ${describe(element)}`);
                }
                const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
                for (const id of new Set(ids.filter((id, index) => ids.indexOf(id) !== index))) findings.push(`two of ${id}`);
                for (const attribute of ["aria-controls", "aria-labelledby", "aria-describedby", "aria-activedescendant"]) {
                    for (const element of document.querySelectorAll(`[${attribute}]`)) {
                        const isOpen = element.getAttribute("aria-expanded") !== "false";
                        if (isOpen && isShown(element) && !document.getElementById(element.getAttribute(attribute))) findings.push(`${attribute} leads nowhere: ${describe(element)}`);
                    }
                }
                for (const image of document.querySelectorAll("svg.icon")) if (image.getAttribute("aria-hidden") !== "true") findings.push("a picture that speaks");
                for (const image of document.querySelectorAll("img")) if (!image.hasAttribute("alt")) findings.push(`a picture without words: ${describe(image)}`);
                const owners = {row: "grid, treegrid, table", gridcell: "row", columnheader: "row", option: "listbox", tab: "tablist", treeitem: "tree", menuitem: "menu"};
                for (const [role, owner] of Object.entries(owners)) {
                    const places = owner.split(", ").map((each) => `[role=${each}]`).concat(owner.includes("table") ? "table" : []).join(", ");
                    for (const element of document.querySelectorAll(`[role=${role}]`)) if (!element.parentElement.closest(places)) findings.push(`a ${role} of no ${owner}: ${describe(element)}`);
                }
                for (const element of document.querySelectorAll("[tabindex]")) if (Number(element.getAttribute("tabindex")) > 0) findings.push(`order forced: ${describe(element)}`);
                for (const element of document.querySelectorAll("[aria-hidden=true] :is(button, input, select, textarea, a)")) findings.push(`hidden but reached: ${describe(element)}`);
                for (const list of document.querySelectorAll("ul")) for (const child of list.children) if (child.tagName !== "LI") findings.push(`a list with ${child.tagName}`);
                for (const head of document.querySelectorAll("th")) if (!head.getAttribute("scope")) findings.push(`a head of nothing: ${describe(head)}`);
                if (document.querySelectorAll("main").length !== 1) findings.push("not one main");
                if (document.querySelectorAll("h1").length !== 1) findings.push("not one h1");
                if (!document.documentElement.lang) findings.push("no language");

                // Contrast: 4.5 to 1 for text, on whatever it stands on.
                const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
                const color = (text) => {
                    canvas.clearRect(0, 0, 1, 1);
                    canvas.fillStyle = text;
                    canvas.fillRect(0, 0, 1, 1);
                    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
                    return [r, g, b, a / 255];
                };
                const over = (top, below) => [0, 1, 2].map((index) => top[index] * top[3] + below[index] * (1 - top[3])).concat(1);
                const background = (element) => {
                    const layers = [];
                    for (let each = element; each; each = each.parentElement) layers.push(color(getComputedStyle(each).backgroundColor));
                    return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]);
                };
                const luminance = (rgb) => rgb.slice(0, 3).map((value) => value / 255).map((value) => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
                    .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
                const ratio = (a, b) => { const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
                const open = document.querySelector("dialog[open]") ?? document.body;
                for (const element of open.querySelectorAll("*")) {
                    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) || (element.matches("input:not([type=checkbox], [type=radio]), textarea, select") && element.value);
                    if (!hasText || !isShown(element) || element.closest(":disabled, option, .unseen, .skip-link")) continue;
                    // Text that is drawn has its ground in the drawing.
                    if (element.closest("svg, foreignObject")?.matches("svg")) continue;
                    const paper = background(element);
                    const style = getComputedStyle(element);
                    const found = ratio(over(color(style.color), paper), paper);
                    const isLarge = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700);
                    if (found < (isLarge ? 3 : 4.5)) findings.push(`contrast ${found.toFixed(2)}: ${element.className} “${(element.textContent || element.value).trim().slice(0, 30)}”`);
                }
                for (const text of open.querySelectorAll(".graph text")) {
                    const frame = text.closest("[data-box]");
                    if (!frame || !isShown(text)) continue;
                    const ground = text.classList.contains("box-title") ? frame.querySelector(".box-header") : frame.querySelector(".box-frame");
                    const found = ratio(color(getComputedStyle(text).fill), color(getComputedStyle(ground).fill));
                    if (found < 4.5) findings.push(`contrast ${found.toFixed(2)} in the graph: ${text.textContent}`);
                }
                return [...new Set(findings)];
            })()
            """
    }
}
