import Foundation
import RandomSeeds
import Testing

/// A store with a million rows: it opens, scrolls, jumps, sorts, filters and exports. `COREDATA_FULL_TESTS` makes it
/// three million. Times are told. Memory is told, and has bounds.
extension BrowserTests {
    @Suite struct DataAtScaleTests {
        private static let rows = FullRun.isOn ? 3_000_000 : 1_000_000

        @Test(.timeLimit(.minutes(FullRun.isOn ? 60 : 20))) func aLargeStoreIsAtHand() async throws {
            let store = try SampleStore.people(Self.rows)
            try await DataWindow.use(store) { window in
                let page = window.page
                var figures = Figures()
                // Counting is done before it is measured what a click takes.
                try await page.wait(
                    until: "document.querySelector('[data-entity=Person] .item-count').textContent !== ''")
                try await window.open("City")
                figures.add(
                    "first screen",
                    try await time(
                        page,
                        "[...document.querySelectorAll('[data-index=\"0\"][data-id^=Person]')].some((row) => row.children[1].textContent)"
                    ) {
                        try await page.click("[data-entity=Person]")
                    })
                try await window.rowsCome()
                #expect(
                    try await window.total
                        == "\(Self.rows.formatted(.number.locale(Locale(identifier: "en_US")))) objects")

                figures.add(
                    "jump to the end",
                    try await time(
                        page,
                        "document.querySelector('[data-index=\"\(Self.rows - 1)\"]')?.children[0].textContent === 'Person/p\(Self.rows)'"
                    ) {
                        try await page.click("#last")
                    })
                figures.add("jump to the middle", try await jump(page))
                figures.add("longest task", try await scroll(page))
                try await window.rowsCome()

                try await page.click("#first")
                figures.add(
                    "sort",
                    try await time(
                        page,
                        "document.querySelector('[data-index=\"0\"]')?.children[1].textContent === 'Person 0000000'"
                    ) {
                        try await page.click("[data-column=name] .grid-name")
                    })
                figures.add(
                    "end of the sorted",
                    try await time(
                        page,
                        "document.querySelector('[data-index=\"\(Self.rows - 1)\"]')?.children[1].textContent === 'Person \(String(format: "%07d", Self.rows - 1))'"
                    ) {
                        try await page.click("#last")
                    })
                try await wander(page)
                try await check(StudioMemory(page, of: store.url), &figures, "sorted")

                try await window.filter("number > \(Self.rows - 5000) AND isActive == true")
                try await window.rowsCome()
                #expect(try await window.total == "2,500 objects")
                #expect(try await window.export("CSV").split(separator: "\r\n").count == 2_501)

                // 100,000 members, in their order.
                try await window.open("City")
                figures.add(
                    "members",
                    try await time(
                        page,
                        "[...document.querySelectorAll('[data-index=\"0\"][data-id^=Person]')].some((row) => row.children[1].textContent)"
                    ) {
                        try await page.click(try await window.cell(0, "people"))
                    })
                try await window.rowsCome()
                #expect(try await window.total == "100,000 objects")
                try await check(StudioMemory(page, of: store.url), &figures, "at the end")
                figures.tell(Self.rows)
            }
        }

        /// The server keeps the keys of all rows, 16 bytes each, for a few queries. The page keeps some thousand rows,
        /// and draws those in sight.
        private func check(_ memory: StudioMemory, _ figures: inout Figures, _ moment: String) {
            let page = String(format: "%.1f", memory.page)
            figures.add("\(moment): server at most \(memory.server) MB, page \(page) MB, \(memory.nodes) nodes")
            // About twice what was measured.
            #expect(memory.server < 100 + Self.rows / 7_500)
            #expect(memory.page < 7)
            #expect(memory.nodes < 2_000)
        }

        /// Milliseconds from the press of a button until an expression is true and drawn.
        private func time(_ page: Page, _ condition: String, _ act: () async throws -> Void) async throws -> Double {
            _ = try await page.read(
                """
                window.measured = null;
                addEventListener('pointerdown', () => {
                    const start = performance.now();
                    const look = () => {
                        if (\(condition)) requestAnimationFrame(() => { window.measured = performance.now() - start; });
                        else setTimeout(look, 1);
                    };
                    setTimeout(look, 1);
                }, { capture: true, once: true });
                """)
            try await act()
            try await page.wait(until: "window.measured !== null", condition)
            return try await page.read("window.measured").number ?? 0
        }

        /// Scrolls to the middle at once, as one drags the scroll bar.
        private func jump(_ page: Page) async throws -> Double {
            let middle = "document.querySelector('.grid')"
            return try await page.read(
                """
                (async () => {
                    const start = performance.now();
                    const grid = \(middle);
                    grid.scrollTop = grid.scrollHeight / 2;
                    for (;;) {
                        await new Promise((next) => setTimeout(next, 1));
                        const rows = [...document.querySelectorAll('.grid-body .grid-row')];
                        const place = Number(rows[0]?.dataset.index);
                        if (place > \(Self.rows / 3) && place < \(Self.rows * 2 / 3) && rows.every((row) => row.dataset.id)) return performance.now() - start;
                    }
                })()
                """
            ).number ?? 0
        }

        /// Looks at 400 places of the rows, one after the other: at five times as many rows as a page keeps.
        private func wander(_ page: Page) async throws {
            for part in 0..<10 {
                _ = try await page.read(
                    """
                    (async () => {
                        const grid = document.querySelector('.grid');
                        const rows = () => [...document.querySelectorAll('.grid-body .grid-row')];
                        for (let place = \(part * 40); place < \(part * 40 + 40); place += 1) {
                            const before = rows()[0]?.dataset.index;
                            grid.scrollTop = grid.scrollHeight * ((place * 7919) % 400) / 400;
                            while (rows()[0]?.dataset.index === before || rows().some((row) => !row.dataset.id)) {
                                await new Promise((next) => setTimeout(next, 1));
                            }
                        }
                    })()
                    """)
            }
        }

        /// Turns the wheel a hundred times.
        ///
        /// - Returns: The longest time that the page's thread was busy, in milliseconds.
        private func scroll(_ page: Page) async throws -> Double {
            _ = try await page.read(
                """
                window.longest = 0;
                window.watch = new PerformanceObserver((list) => { for (const task of list.getEntries()) window.longest = Math.max(window.longest, task.duration); });
                window.watch.observe({ entryTypes: ['longtask'] });
                """)
            let spot = try await page.spot(".grid")
            let before = try await page.read("document.querySelector('.grid').scrollTop").number
            for _ in 0..<100 {
                _ = try await page.send(
                    "Input.dispatchMouseEvent",
                    [
                        "type": "mouseWheel", "x": .number(spot.x), "y": .number(spot.y), "deltaX": 0, "deltaY": 400,
                    ])
            }
            #expect(try await page.read("document.querySelector('.grid').scrollTop").number != before)
            return try await page.read("window.longest").number ?? 0
        }

        /// What was measured, to be told.
        private struct Figures {
            private var lines: [String] = []

            mutating func add(_ name: String, _ milliseconds: Double) {
                add("\(name) \(Int(milliseconds.rounded())) ms")
            }

            mutating func add(_ line: String) { lines.append(line) }

            func tell(_ rows: Int) { print("Data browser, \(rows) rows: \(lines.joined(separator: ", "))") }
        }
    }
}
