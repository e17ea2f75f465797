import CoreData
import Foundation
import RandomSeeds
import Testing

@testable import CoreDataStudio

// What is done in windows, but for saves.

extension EditingRun {
    private static let typesOfEdits = [
        ("set", 30), ("create", 14), ("relate", 10), ("add", 10), ("remove", 6), ("move", 14), ("duplicate", 4),
        ("delete", 8), ("bytes", 4),
    ]

    func editInWindow(_ studio: EditedStudio) async throws {
        let view = ShopView(stored, studio.staged)
        let kind =
            Self.typesOfEdits.flatMap { Array(repeating: $0.0, count: $0.1) }
            .randomElement(using: &numbers) ?? "set"
        // What a window that shows other members than the store has makes of them can't be told.
        guard let edit = edit(kind, StudioEdits(view: view, studio: studio), view),
            edit.changes(["?"]).allSatisfy({ studio.isCurrent($0.fact, stored) })
        else { return }
        let created = try await carryOut(edit, kind, studio)
        for id in created { try await complete(id, studio) }
    }

    private func edit(_ kind: String, _ edits: StudioEdits, _ view: ShopView) -> StudioEdit? {
        switch kind {
        case "set", "bytes": setting(edits, view, ofData: kind == "bytes")
        case "create": creation(edits, view)
        case "relate": relating(edits, view)
        case "add", "remove", "move": changeOfMembers(kind, edits, view)
        case "duplicate": duplication(edits, view)
        default: view.entities.keys.sorted().randomElement(using: &numbers).map(edits.delete)
        }
    }

    private func setting(_ edits: StudioEdits, _ view: ShopView, ofData: Bool) -> StudioEdit? {
        guard let id = view.ids(ofData ? "Product" : any(view)).randomElement(using: &numbers),
            let entity = view.entities[id],
            let (key, type) = WideShop.attributes(of: entity).filter({ !ofData || $0.key == "photo" })
                .randomElement(using: &numbers)
        else { return nil }
        let value = value(.value(id, key), key, type, entity)
        if ofData, value == nil { return nil }
        return edits.set(id, key, value)
    }

    private func any(_ view: ShopView) -> String { WideShop.entities.randomElement(using: &numbers) ?? "Order" }

    private func creation(_ edits: StudioEdits, _ view: ShopView) -> StudioEdit? {
        let places = [
            ("Order", "Line", "lines"), ("Order", "Line", "lines"), ("Product", "Line", "lines"),
            ("Order", "Tag", "tags"), ("Tag", "Voucher", "products"), ("Product", "Tag", "tags"),
        ]
        if numbers.chance(40) {
            return edits.create(["Order", "Product", "Voucher", "Tag"].randomElement(using: &numbers) ?? "Tag")
        }
        guard let (entity, new, key) = places.randomElement(using: &numbers),
            let owner = view.ids(entity).randomElement(using: &numbers)
        else { return nil }
        return edits.create(new, owner: owner, key)
    }

    private func relating(_ edits: StudioEdits, _ view: ShopView) -> StudioEdit? {
        guard let link = WideShop.links.randomElement(using: &numbers),
            let id = view.ids(link.entity).randomElement(using: &numbers)
        else { return nil }
        let isNone = link.key == "product" && numbers.chance(15)
        let target = view.ids(link.owner).randomElement(using: &numbers)
        return isNone || target != nil ? edits.relate(id, link, isNone ? nil : target) : nil
    }

    private func duplication(_ edits: StudioEdits, _ view: ShopView) -> StudioEdit? {
        // A copy has what the studio has, which may not be what the store has.
        guard edits.studio.isFollowing, let id = view.entities.keys.sorted().randomElement(using: &numbers),
            !edits.studio.isHeld(id, stored)
        else { return nil }
        return edits.duplicate(id)
    }

    private func changeOfMembers(_ kind: String, _ edits: StudioEdits, _ view: ShopView) -> StudioEdit? {
        guard let owner = view.ids(any(view)).randomElement(using: &numbers), let entity = view.entities[owner],
            let key = WideShop.manyKeys(of: entity).randomElement(using: &numbers)
        else { return nil }
        let members = view.members(owner, key)
        switch kind {
        case "add":
            let others = view.ids(WideShop.destination(entity, key))
            return others.isEmpty ? nil : edits.add(owner, key, some(others, 2))
        case "remove":
            // A line without an order can't be saved.
            if members.isEmpty || (entity, key) == ("Order", "lines") && numbers.chance(80) { return nil }
            return edits.remove(owner, key, some(members, 2))
        default:
            // A window that does not show the store as it is can't name the place.
            guard members.count > 1, WideShop.isOrdered(entity, key), edits.studio.isFollowing,
                !edits.studio.isHeld(owner, stored), let member = members.randomElement(using: &numbers)
            else { return nil }
            return edits.move(owner, key, member, to: Int.random(in: members.indices, using: &numbers))
        }
    }

    /// New objects get what they can't be saved without; seldom it is forgotten.
    func complete(_ id: String, _ studio: EditedStudio) async throws {
        if numbers.chance(10) { return }
        let view = ShopView(stored, studio.staged)
        let edits = StudioEdits(view: view, studio: studio)
        let entity = view.entities[id] ?? ""
        if let key = WideShop.required[entity],
            let type = WideShop.attributes(of: entity).first(where: { $0.key == key })?.type
        {
            let value = value(.value(id, key), key, type, entity)
            _ = try await carryOut(edits.set(id, key, value), "set", studio)
        }
        if entity == "Line", view.target(id, "order") == nil,
            let order = view.ids("Order").randomElement(using: &numbers)
        {
            _ = try await carryOut(edits.relate(id, WideShop.links[0], order), "relate", studio)
        }
    }

    // MARK: Requests

    /// - Returns: The objects that the edit created.
    @discardableResult
    func carryOut(_ edit: StudioEdit, _ kind: String, _ studio: EditedStudio) async throws -> [String] {
        let window = window(studio)
        note("\(window.name): \(edit.text)")
        let before = edit.changes(["?"])
        var saw: [Fact: FactValue] = [:]
        for change in before where !change.fact.objects.contains("?") {
            saw[change.fact] = try await shown(change.fact, studio)
        }
        let answer: JSON
        do {
            answer = try await ask(edit, kind, window, studio)
        } catch {
            let isRefused = edit.isRefused || kind == "delete" && mayBeRefused(edit, studio)
            guard isRefused, StudioError(error).code == .invalidEdit else { throw error }
            tally.count("refused")
            return []
        }
        if edit.isRefused { throw fail("\(edit.action) was carried out") }
        tally.count(kind)
        let created = (answer["created"]?.array ?? []).compactMap(\.text).map(studio.known)
        studio.stage(
            edit.changes(created).map { change in
                var change = change
                change.saw = saw[change.fact] ?? change.saw(stored)
                return change
            }, stored)
        try await expectTold(answer, window.name, studio)
        return created
    }

    /// Whether a product may have a line that keeps it from its deletion: one that led to it when the studio followed
    /// the store last, or one that others gave to it, and this side to another one.
    private func mayBeRefused(_ edit: StudioEdit, _ studio: EditedStudio) -> Bool {
        if !studio.isFollowing { return true }
        return edit.changes([]).contains { change in
            guard case .exists(let id) = change.fact else { return false }
            return ShopView(stored).members(id, "lines").contains { studio.isHeld($0, stored) }
        }
    }

    private func ask(
        _ edit: StudioEdit, _ kind: String, _ window: ListeningWindow, _ studio: EditedStudio
    ) async throws -> JSON {
        if kind == "bytes", let object = edit.action["object"]?.text, let text = edit.action["value"]?.text {
            let data = try #require(Data(base64Encoded: text))
            return try await studio.session.setData(data, object, "photo", client: window.name)
        }
        let body: JSON = ["action": edit.action, "client": .text(window.name)]
        return try await studio.session.edit(JSONDecoder().decode(EditRequest.self, from: body.data()))
    }

    /// Each window of the studio is told of the change, and which one made it.
    func expectTold(_ answer: JSON, _ client: String, _ studio: EditedStudio) async throws {
        guard case .integer(let revision)? = answer["state"]?["revision"] else { throw fail("no revision") }
        for window in studio.windows where try await !window.isTold(revision, by: client) {
            throw fail("\(window.name) is not told of the change by \(client)")
        }
    }

    // MARK: Steps

    /// Takes some steps back, and some of them forth.
    func undoAndRedo(_ studio: EditedStudio) async throws {
        repeat { try await undoOrRedo(studio) } while numbers.chance(60)
    }

    private func undoOrRedo(_ studio: EditedStudio) async throws {
        // A studio that listens may follow the store at any time.
        try await checkSteps(studio)
        let window = window(studio)
        let isRedo = !studio.undone.isEmpty && numbers.chance(60)
        note("\(window.name): \(isRedo ? "redo" : "undo")")
        let request = StepRequest(client: window.name)
        let answer = try await isRedo ? studio.session.redoEdit(request) : studio.session.undoEdit(request)
        tally.count(isRedo ? "redo" : studio.done.isEmpty ? "undo of nothing" : "undo")
        if isRedo { studio.redo(stored) } else { studio.undo() }
        try await expectTold(answer, window.name, studio)
        try await checkSteps(studio)
        if studio.isFollowing { try await expectWindows(studio) }
    }

    func discard(_ studio: EditedStudio) async throws {
        let window = window(studio)
        note("\(window.name): discard")
        let answer = try await studio.session.discardEdits(StepRequest(client: window.name))
        tally.count("discard")
        studio.staged = [:]
        studio.settled = []
        studio.forgetSteps()
        if answer["state"]?["count"] != 0 { throw fail("discarded, and \(answer["state"] ?? .null) is left") }
        if studio.isFollowing { try await expectWindows(studio) }
    }
}

extension StudioEdit.Change {
    /// How the fact was, where no window can be asked for it.
    fileprivate func saw(_ stored: ShopWorld) -> FactValue {
        if case .exists = fact { return saw }
        return stored[fact]
    }
}

extension WideShop {
    /// The entity of a relationship's members.
    static func destination(_ entity: String, _ key: String) -> String {
        link(entity, key)?.entity ?? memberships.first { $0.owner == entity && $0.key == key }?.member
            ?? membership(entity, inverse: key)?.owner ?? ""
    }
}
