import Foundation

/// Pauses that show which tests, and which scripts of the page, only work where all is fast.
///
/// `COREDATA_SLOWNESS=300` lets each answer of the server come up to 300 milliseconds late, and a hand rest that long
/// before and after each press. A test that fails with it, and passes without, does not wait for what it needs.
enum Slowness {
    /// The longest pause, in milliseconds; zero where the page is to be as fast as it can.
    static let longest = ProcessInfo.processInfo.environment["COREDATA_SLOWNESS"].flatMap(Int.init) ?? 0

    static func rest() async throws {
        guard longest > 0 else { return }
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...longest)))
    }

    /// A script that hands out the answers of the server late; nil where they come at once.
    static var script: String? {
        guard longest > 0 else { return nil }
        return """
            (() => {
                const send = window.fetch;
                window.fetch = async (...request) => {
                    const answer = await send(...request);
                    await new Promise((resolve) => { setTimeout(resolve, Math.random() * \(longest)); });
                    return answer;
                };
            })()
            """
    }
}
