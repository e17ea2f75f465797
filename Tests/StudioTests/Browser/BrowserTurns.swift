/// Lets two tests at a time have a browser. A test waits for its page most of the time, but many pages at once would
/// all be slow.
actor BrowserTurns {
    static let shared = BrowserTurns()

    private var free = 2
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func begin() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func end() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}
