import Foundation
import Synchronization
import Testing

/// One page of a browser, used as a person uses it: by the mouse and the keyboard. What is on it can be read.
struct Page: Sendable {
    let browser: Browser
    let session: String
    /// The browser's name for the profile that the page lives in.
    let context: JSONValue
    let log = PageLog()

    func send(_ method: String, _ parameters: JSONValue = [:]) async throws -> JSONValue {
        try await browser.send(method, parameters, session: session)
    }

    func open(_ address: String) async throws {
        _ = try await send("Page.navigate", ["url": .string(address)])
    }

    func resize(width: Int, height: Int) async throws {
        _ = try await send(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .number(Double(width)), "height": .number(Double(height)), "deviceScaleFactor": 1,
                "mobile": false,
            ])
    }

    /// Makes the page think that the system is dark, or light.
    func setDark(_ isDark: Bool) async throws {
        let feature: JSONValue = ["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]
        _ = try await send("Emulation.setEmulatedMedia", ["features": [feature]])
    }

    // MARK: Reading

    /// The value of an expression; for reading only, what is done is done by hand.
    func read(_ expression: String) async throws -> JSONValue {
        let answer = try await send(
            "Runtime.evaluate",
            ["expression": .string(expression), "returnByValue": true, "awaitPromise": true])
        if let text = answer["exceptionDetails"]["exception"]["description"].string {
            throw Browser.Failure(description: text)
        }
        return answer["result"]["value"]
    }

    /// The text that is to be seen in the first element of that kind.
    func text(_ selector: String) async throws -> String {
        try await read("document.querySelector(\(Self.quoted(selector)))?.innerText ?? ''").string ?? ""
    }

    func value(_ selector: String) async throws -> String {
        try await read("document.querySelector(\(Self.quoted(selector)))?.value ?? ''").string ?? ""
    }

    func count(_ selector: String) async throws -> Int {
        Int(try await read("document.querySelectorAll(\(Self.quoted(selector))).length").number ?? 0)
    }

    /// Waits until an expression is true.
    ///
    /// - Throws: After twenty seconds, with what was waited for.
    func wait(until expression: String, _ purpose: String? = nil) async throws {
        if try await comesTrue({ try await isTrue(expression) }) { return }
        throw Browser.Failure(
            description: "Waited in vain for \(purpose ?? expression). \(log.lines.joined(separator: "\n"))")
    }

    /// Whether an expression is true; a page that goes to another one has none that is.
    private func isTrue(_ expression: String) async throws -> Bool {
        do {
            return try await read("Boolean(\(expression))").boolean == true
        } catch let failure as Browser.Failure where failure.description.contains("navigated or closed") {
            return false
        }
    }

    /// Waits until there is an element of that kind.
    func wait(for selector: String) async throws {
        try await wait(until: "document.querySelector(\(Self.quoted(selector)))", selector)
    }

    func screenshot() async throws -> Data {
        let data = try await send("Page.captureScreenshot", ["format": "png"])["data"].string ?? ""
        return Data(base64Encoded: data) ?? Data()
    }

    /// Keeps what was to be seen when a test went wrong. `swift test --attachments-path FOLDER` writes it into a
    /// folder, and so does the variable `COREDATA_FAILURES`.
    func recordFailure() async {
        guard let picture = try? await screenshot() else { return }
        Attachment.record(picture, named: "failure.png")
        guard let folder = ProcessInfo.processInfo.environment["COREDATA_FAILURES"] else { return }
        try? picture.write(to: URL(filePath: folder).appending(path: "failure-\(UUID().uuidString).png"))
    }

    static func quoted(_ text: String) -> String {
        let data = (try? JSONEncoder().encode(text)) ?? Data()
        return String(decoding: data, as: UTF8.self)
    }
}

/// Whether something becomes true within twenty seconds.
///
/// Other tests may keep all threads from this one for as long, so it is asked a hundred times at least.
func comesTrue(_ condition: () async throws -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + .seconds(20)
    var tries = 0
    while tries < 100 || ContinuousClock.now < end {
        if try await condition() { return true }
        tries += 1
        try await Task.sleep(for: .milliseconds(15))
    }
    return false
}

/// What a page has complained of.
final class PageLog: Sendable {
    private let complaints = Mutex<[String]>([])

    var lines: [String] { complaints.withLock { $0 } }

    func take(_ method: String, _ parameters: JSONValue) {
        let line: String?
        switch method {
        case "Runtime.exceptionThrown":
            let details = parameters["exceptionDetails"]
            line = details["exception"]["description"].string ?? details["text"].string
        case "Runtime.consoleAPICalled" where ["error", "assert"].contains(parameters["type"].string ?? ""):
            line = parameters["args"].array.map { $0["value"].string ?? $0["description"].string ?? "" }
                .joined(separator: " ")
        case "Log.entryAdded" where parameters["entry"]["level"].string == "error":
            let entry = parameters["entry"]
            line = "\(entry["text"].string ?? "") \(entry["url"].string ?? "")"
        default: line = nil
        }
        if let line { complaints.withLock { $0.append(line) } }
    }
}
