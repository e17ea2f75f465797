/// Lets three tests at a time have a browser, one after the other the same one: each has a profile of its own in it.
///
/// A test waits for its page most of the time, but many pages at once would all be slow.
actor BrowserTurns {
    private static let shared = BrowserTurns()

    private var free = 3
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// Browsers that no test uses at the moment.
    private var idle: [Browser] = []

    /// Gives a test a page in a browser, and closes the page afterwards.
    ///
    /// - Parameters:
    ///   - width: The width of the window, in points.
    ///   - height: Its height.
    static func use(width: Int, height: Int, _ body: (Page) async throws -> Void) async throws {
        await shared.begin()
        do {
            let browser = try await shared.browser()
            do {
                let page = try await browser.newPage(width: width, height: height)
                do { try await body(page) } catch {
                    await page.recordFailure()
                    throw error
                }
                try await browser.close(page)
                await shared.giveBack(browser)
            } catch {
                // What went wrong may be the browser's fault.
                await browser.close()
                throw error
            }
        } catch {
            await shared.end()
            throw error
        }
        await shared.end()
    }

    private func browser() async throws -> Browser {
        if let browser = idle.popLast() { return browser }
        return try await Browser.start()
    }

    private func giveBack(_ browser: Browser) { idle.append(browser) }

    private func begin() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func end() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}
