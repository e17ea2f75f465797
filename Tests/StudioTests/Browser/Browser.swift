import Foundation

/// Debian's Chromium without a window, driven over its own protocol through two pipes.
///
/// The protocol's file descriptors are 3 and 4, which Foundation's `Process` can't hand on; a shell joins them to named
/// pipes.
actor Browser {
    /// Where the browser is, if it is installed. `COREDATA_BROWSER` names another one.
    ///
    /// The first is the same browser without what only its windows need, and takes half the processor's time.
    static let executable = ([ProcessInfo.processInfo.environment["COREDATA_BROWSER"]].compactMap(\.self) + known)
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    private static let known = [
        "/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome",
    ]

    private let process = Process()
    private let folder: URL
    private let writer: FileHandle
    private var waiting: [Int: CheckedContinuation<JSONValue, any Error>] = [:]
    private var listeners: [String: (String, JSONValue) -> Void] = [:]
    private var lastID = 0
    private var isClosed = false

    /// What the browser refused, or that it went away.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Starts a browser with a profile of its own.
    static func start() async throws -> Browser {
        guard let executable else { throw Failure(description: "Chromium is not installed.") }
        let browser = try Browser(executable)
        _ = try await browser.send("Browser.getVersion")
        return browser
    }

    private init(_ executable: String) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "browser-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (input, output) = (folder.appending(path: "in").path, folder.appending(path: "out").path)
        guard mkfifo(input, 0o600) == 0, mkfifo(output, 0o600) == 0 else {
            throw Failure(description: "No named pipes could be made in \(folder.path).")
        }
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", #"exec "$0" "$@" 3<"$IN" 4>"$OUT""#, executable] + Self.arguments(folder)
        process.environment = ProcessInfo.processInfo.environment.merging(["IN": input, "OUT": output]) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        // Opened for both directions, a named pipe does not wait for its other end.
        let (inFile, outFile) = (open(input, O_RDWR), open(output, O_RDWR))
        guard inFile >= 0, outFile >= 0 else { throw Failure(description: "The pipes can't be opened.") }
        writer = FileHandle(fileDescriptor: inFile, closeOnDealloc: true)
        try process.run()
        RunningBrowsers.add(process.processIdentifier, folder)
        let reader = FileHandle(fileDescriptor: outFile, closeOnDealloc: true)
        Thread.detachNewThread { [weak self] in
            MessageReader(reader).readAll { message in
                guard let self else { return }
                Task { await self.take(message) }
            }
        }
    }

    private static func arguments(_ folder: URL) -> [String] {
        [
            "--headless", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--no-first-run", "--mute-audio",
            "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update",
            "--disable-features=Translate,MediaRouter,OptimizationHints", "--hide-scrollbars",
            "--force-color-profile=srgb",
            "--user-data-dir=\(folder.appending(path: "profile").path)", "--lang=en-GB", "about:blank",
        ]
    }

    /// A new page, in a window of that size.
    func newPage(width: Int = 1280, height: Int = 800) async throws -> Page {
        let context = try await send("Target.createBrowserContext")["browserContextId"]
        let target = try await send("Target.createTarget", ["url": "about:blank", "browserContextId": context])[
            "targetId"]
        let session = try await send("Target.attachToTarget", ["targetId": target, "flatten": true])["sessionId"]
        guard let session = session.string else { throw Failure(description: "The page can't be attached to.") }
        let page = Page(browser: self, session: session, context: context)
        listeners[session] = { page.log.take($0, $1) }
        for domain in ["Page", "Runtime", "Log", "DOM"] { _ = try await send("\(domain).enable", session: session) }
        if let script = Slowness.script {
            _ = try await page.send("Page.addScriptToEvaluateOnNewDocument", ["source": .string(script)])
        }
        try await page.resize(width: width, height: height)
        return page
    }

    /// Sends a command and waits for its answer.
    func send(_ method: String, _ parameters: JSONValue = [:], session: String? = nil) async throws -> JSONValue {
        guard !isClosed else { throw Failure(description: "The browser is closed.") }
        lastID += 1
        let id = lastID
        var message: [String: JSONValue] = ["id": .number(Double(id)), "method": .string(method), "params": parameters]
        if let session { message["sessionId"] = .string(session) }
        let data = try JSONEncoder().encode(JSONValue.object(message)) + [0]
        return try await withCheckedThrowingContinuation { continuation in
            waiting[id] = continuation
            Task { await self.expire(id, method) }
            do {
                try writer.write(contentsOf: data)
            } catch {
                waiting.removeValue(forKey: id)?.resume(throwing: error)
            }
        }
    }

    /// A browser that does not answer must not keep the tests waiting.
    private func expire(_ id: Int, _ method: String) async {
        try? await Task.sleep(for: .seconds(30))
        waiting.removeValue(forKey: id)?.resume(throwing: Failure(description: "\(method) was not answered."))
    }

    /// Closes a page, and forgets the profile that it lived in.
    func close(_ page: Page) async throws {
        listeners[page.session] = nil
        _ = try await send("Target.disposeBrowserContext", ["browserContextId": page.context])
    }

    /// Ends the browser and removes its profile.
    func close() async {
        guard !isClosed else { return }
        _ = try? await send("Browser.close")
        isClosed = true
        for continuation in waiting.values {
            continuation.resume(throwing: Failure(description: "The browser is closed."))
        }
        waiting = [:]
        process.waitUntilExit()
        RunningBrowsers.remove(process.processIdentifier)
        try? FileManager.default.removeItem(at: folder)
    }

    private func take(_ message: JSONValue) {
        if let id = message["id"].number, let continuation = waiting.removeValue(forKey: Int(id)) {
            if let error = message["error"]["message"].string {
                continuation.resume(throwing: Failure(description: error))
            } else {
                continuation.resume(returning: message["result"])
            }
        } else if let session = message["sessionId"].string, let method = message["method"].string {
            listeners[session]?(method, message["params"])
            // A page with unsaved changes asks before it is left; a person would say yes.
            if method == "Page.javascriptDialogOpening" {
                Task { try await send("Page.handleJavaScriptDialog", ["accept": true], session: session) }
            }
        }
    }
}

/// Cuts what comes from the browser into messages, which end in a zero byte.
private struct MessageReader {
    private let file: FileHandle

    init(_ file: FileHandle) {
        self.file = file
    }

    func readAll(_ body: (JSONValue) -> Void) {
        var pending = Data()
        while true {
            let part = file.availableData
            guard !part.isEmpty else { return }
            pending.append(part)
            while let end = pending.firstIndex(of: 0) {
                if let message = try? JSONDecoder().decode(JSONValue.self, from: pending[..<end]) { body(message) }
                pending = Data(pending[pending.index(after: end)...])
            }
        }
    }
}
