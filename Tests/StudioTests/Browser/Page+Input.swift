import Foundation

// The mouse and the keyboard.

extension Page {
    struct Spot: Sendable, Hashable {
        var x: Double
        var y: Double
    }

    /// Where an element is on the screen, after it was scrolled into view.
    func spot(_ selector: String, atX part: Double = 0.5, atY upPart: Double = 0.5) async throws -> Spot {
        try await wait(for: selector)
        let found = try await read(
            """
            (() => {
                const element = document.querySelector(\(Self.quoted(selector)));
                element.scrollIntoView({block: "nearest", inline: "nearest"});
                const box = element.getBoundingClientRect();
                return [box.left + box.width * \(part), box.top + box.height * \(upPart)];
            })()
            """)
        guard let x = found[0].number, let y = found[1].number else {
            throw Browser.Failure(description: "\(selector) is nowhere.")
        }
        return Spot(x: x, y: y)
    }

    /// Presses the right button, as one does for a context menu.
    func rightClick(_ selector: String) async throws {
        try await rightClick(try await spot(selector))
    }

    func rightClick(_ spot: Spot) async throws {
        try await mouse("mouseMoved", spot)
        try await mouse("mousePressed", spot, button: "right", count: 1)
        try await mouse("mouseReleased", spot, button: "right", count: 1)
    }

    /// Moves the mouse over an element, and lets it rest there.
    func point(at selector: String) async throws {
        try await mouse("mouseMoved", try await spot(selector))
    }

    /// Clicks an element, wherever it is by then.
    ///
    /// An answer of the server may move an element, or put another one in its place, after one looked where it is. A
    /// press that would meet something else is kept from the page, and tried once more.
    func click(_ selector: String, count: Int = 1, modifiers: Modifiers = []) async throws {
        let isHit = try await comesTrue {
            let spot = try await spot(selector)
            try await guardPress(selector)
            try await click(spot, count: count, modifiers: modifiers)
            return try await pressMet()
        }
        if isHit { return }
        throw Browser.Failure(description: "\(selector) can't be clicked: something is before it.")
    }

    func click(_ spot: Spot, count: Int = 1, modifiers: Modifiers = []) async throws {
        try await mouse("mouseMoved", spot, modifiers: modifiers)
        try await Slowness.rest()
        for number in 1...count {
            try await mouse("mousePressed", spot, button: "left", count: number, modifiers: modifiers)
            if count == 1 { try await Slowness.rest() }
            try await mouse("mouseReleased", spot, button: "left", count: number, modifiers: modifiers)
        }
    }

    /// Presses the left button, until `release(at:)` lets it go.
    func press(at spot: Spot) async throws {
        try await mouse("mouseMoved", spot)
        try await mouse("mousePressed", spot, button: "left", count: 1)
    }

    func release(at spot: Spot) async throws {
        try await mouse("mouseReleased", spot, button: "left", count: 1)
    }

    /// Has the page take the next press only if it meets an element of that kind.
    private func guardPress(_ selector: String) async throws {
        _ = try await read(
            """
            (() => {
                const kinds = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick'];
                const press = { met: null };
                const take = (event) => {
                    press.met ??= document.querySelector(\(Self.quoted(selector)))?.contains(event.target) ?? false;
                    if (press.met) return;
                    event.stopImmediatePropagation();
                    event.preventDefault();
                };
                for (const kind of kinds) addEventListener(kind, take, true);
                press.end = () => { for (const kind of kinds) removeEventListener(kind, take, true); };
                window.guardedPress = press;
            })()
            """)
    }

    /// Whether the guarded press met its element. A page that goes to another one has forgotten it, so it did.
    private func pressMet() async throws -> Bool {
        do {
            let met = try await read(
                """
                (() => {
                    const press = window.guardedPress;
                    if (!press) return true;
                    press.end();
                    return press.met === true;
                })()
                """)
            return met.boolean == true
        } catch let failure as Browser.Failure where failure.description.contains("navigated or closed") {
            return true
        }
    }

    /// Drags from one place to another, with that many moves between.
    func drag(from start: Spot, to end: Spot, steps: Int = 8, modifiers: Modifiers = []) async throws {
        try await mouse("mouseMoved", start, modifiers: modifiers)
        try await mouse("mousePressed", start, button: "left", count: 1, modifiers: modifiers)
        for step in 1...steps {
            let part = Double(step) / Double(steps)
            let spot = Spot(x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part)
            try await mouse("mouseMoved", spot, button: "left", modifiers: modifiers)
        }
        try await mouse("mouseReleased", end, button: "left", count: 1, modifiers: modifiers)
    }

    private func mouse(
        _ type: String, _ spot: Spot, button: String = "none", count: Int = 0, modifiers: Modifiers = []
    ) async throws {
        _ = try await send(
            "Input.dispatchMouseEvent",
            [
                "type": .string(type), "x": .number(spot.x), "y": .number(spot.y), "button": .string(button),
                "buttons": .number(type == "mouseReleased" ? 0 : ["left": 1, "right": 2][button] ?? 0),
                "clickCount": .number(Double(count)),
                "modifiers": .number(Double(modifiers.rawValue)),
            ])
    }

    struct Modifiers: OptionSet, Sendable {
        let rawValue: Int
        static let alt = Modifiers(rawValue: 1)
        static let control = Modifiers(rawValue: 2)
        static let shift = Modifiers(rawValue: 8)
    }

    /// Types a text, key by key.
    ///
    /// The keys have times that are close together: to a pop-up, a key that comes a second after the last one begins
    /// another name, and a machine with much to do can be that slow.
    func type(_ text: String) async throws {
        let start = Date.now.timeIntervalSince1970
        for (place, character) in text.enumerated() {
            let key = JSONValue.string(String(character))
            let time = JSONValue.number(start + Double(place) / 1_000)
            _ = try await send(
                "Input.dispatchKeyEvent", ["type": "keyDown", "key": key, "text": key, "timestamp": time])
            _ = try await send("Input.dispatchKeyEvent", ["type": "keyUp", "key": key, "timestamp": time])
        }
    }

    /// Presses a key by its name, such as `Enter`, `ArrowDown` or `k`.
    func press(_ key: String, _ modifiers: Modifiers = []) async throws {
        let code = Self.codes[key] ?? key.uppercased().utf16.first.map(Int.init) ?? 0
        var event: [String: JSONValue] = [
            "type": "keyDown", "key": .string(key), "windowsVirtualKeyCode": .number(Double(code)),
            "modifiers": .number(Double(modifiers.rawValue)),
            "code": .string(key.count == 1 ? "Key\(key.uppercased())" : key),
        ]
        if key == "Enter" { event["text"] = "\r" }
        if key == " " { event["text"] = " " }
        // The editing commands of the platform come from the window system, which a browser without a window has not.
        if modifiers == .control, key == "a" { event["commands"] = ["selectAll"] }
        _ = try await send("Input.dispatchKeyEvent", .object(event))
        event["type"] = "keyUp"
        event["text"] = nil
        event["commands"] = nil
        _ = try await send("Input.dispatchKeyEvent", .object(event))
    }

    private static let codes = [
        "Enter": 13, "Tab": 9, "Escape": 27, "Backspace": 8, "Delete": 46, "ArrowLeft": 37, "ArrowUp": 38,
        "ArrowRight": 39, "ArrowDown": 40, "Home": 36, "End": 35, " ": 32, "F2": 113, "F10": 121,
        "ContextMenu": 93, "Insert": 45, "PageUp": 33, "PageDown": 34,
    ]

    /// Clicks into a field, replaces what is there, and leaves with Return.
    func fill(_ selector: String, _ text: String) async throws {
        try await click(selector)
        try await wait(
            until: "document.activeElement === document.querySelector(\(Self.quoted(selector)))",
            "\(selector) to have the focus")
        try await press("a", .control)
        if text.isEmpty { try await press("Backspace") } else { try await type(text) }
        try await press("Enter")
    }

    /// Replaces what is in the field that has the focus, and leaves with Return.
    func fillFocused(_ text: String) async throws {
        try await press("a", .control)
        try await type(text)
        try await press("Enter")
    }

    /// Chooses in a pop-up by typing the choice's name, as one does with the keyboard.
    func choose(_ selector: String, _ title: String) async throws {
        try await wait(for: selector)
        _ = try await read("document.querySelector(\(Self.quoted(selector))).focus()")
        try await type(title)
        let shown = "document.querySelector(\(Self.quoted(selector)))?.selectedOptions[0]?.textContent"
        try await wait(until: "\(shown) === \(Self.quoted(title))", "\(title) in \(selector)")
    }
}
