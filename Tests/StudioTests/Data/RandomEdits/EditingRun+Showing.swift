import CoreData
import Foundation
import RandomSeeds
import Testing

@testable import CoreDataStudio

// What the windows show, beside what they have to show.

extension EditingRun {
    /// How a window shows a fact now.
    func shown(_ fact: Fact, _ studio: EditedStudio) async throws -> FactValue? {
        let view = ShopView(stored, studio.staged)
        switch fact {
        case .value(let id, let key), .link(let id, let key):
            let object = try await studio.session.object(ObjectRequest(object: studio.asked(id).text ?? ""))
            let value = object["values"]?.array?.first { $0["name"]?.text == key }?["value"] ?? .null
            var text = text(value, studio)
            if text?.hasPrefix("bytes") == true {
                text = try await studio.session.bytes(studio.asked(id).text ?? "", key, 0..<1 << 20)
                    .base64EncodedString()
            }
            let isCertain = studio.isFollowing && !studio.isHeld(id, stored)
            if isCertain, view[fact] != .text(text), case .value = fact {
                throw fail("\(studio.name) shows \(text ?? "nil") as \(id).\(key), not \(view[fact])")
            }
            return .text(text)
        case .order(let id, let key): return .list(view.members(id, key))
        case .exists, .member: return nil
        }
    }

    /// A value as the store has it; of data, how many bytes it has.
    private func text(_ value: JSON, _ studio: EditedStudio) -> String? {
        switch value {
        case .text(let text): text
        case .bool(let flag): flag ? "true" : "false"
        case .object(let members):
            members["date"]?.text ?? members["id"]?.text.map(studio.known) ?? Self.bytes(members["bytes"])
        default: nil
        }
    }

    private static func bytes(_ count: JSON?) -> String? {
        if case .integer(let count)? = count { "bytes \(count)" } else { nil }
    }

    /// Expects that a studio's requests answer what its windows have to show.
    func expectWindows(_ studio: EditedStudio, all: Bool = false) async throws {
        let view = ShopView(stored, studio.staged)
        for entity in WideShop.entities + ["Voucher"] { try await expectRows(entity, view, studio) }
        let owners = view.entities.keys.sorted()
        for owner in all ? owners : some(owners, 4) where !studio.isHeld(owner, stored) {
            for key in WideShop.manyKeys(of: view.entities[owner] ?? "") {
                try await expectMembers(owner, key, view, studio)
            }
        }
    }

    private func expectRows(_ entity: String, _ view: ShopView, _ studio: EditedStudio) async throws {
        let keys = WideShop.attributes(of: entity).map(\.key)
        let links = WideShop.links.filter { $0.entity == entity }.map(\.key)
        let request = RowsRequest(query: RowQuery(entity: entity), from: 0, count: 200, columns: keys + links)
        let answer = try await studio.session.rows(request)
        var found: Set<String> = []
        for row in answer["rows"]?.array ?? [] {
            let id = studio.known(row["id"]?.text ?? "")
            if row["state"] == "deleted" {
                if view.entities[id] != nil { throw fail("\(studio.name) shows \(id) as deleted") }
                continue
            }
            found.insert(id)
            let cells = (row["cells"]?.array ?? []).map { text($0, studio) }
            lastRow = JSON.line(row)
            for (key, cell) in zip(keys, cells) { try expectCell(.value(id, key), cell, view, studio) }
            for (key, cell) in zip(links, cells.dropFirst(keys.count)) {
                try expectCell(.link(id, key), cell, view, studio)
            }
        }
        let wanted = Set(view.ids(entity))
        if found != wanted {
            throw fail(
                "\(studio.name) shows \(found.subtracting(wanted)) too much, and not \(wanted.subtracting(found))")
        }
        if let total = answer["total"], total != .integer(answer["rows"]?.array?.count ?? 0) {
            throw fail("\(studio.name) counts \(total) of \(entity)")
        }
    }

    private func expectCell(_ fact: Fact, _ cell: String?, _ view: ShopView, _ studio: EditedStudio) throws {
        if studio.staged[fact] == nil, studio.isHeld(fact.objects[0], stored) { return }
        var wanted = view[fact].text
        if case .link(let id, let key) = fact {
            if let wanted, view.entities[wanted] == nil { return }
            wanted = view.target(id, key)
        }
        if cell?.hasPrefix("bytes") == true {
            wanted = wanted.flatMap { Data(base64Encoded: $0) }.map { "bytes \($0.count)" }
        }
        if cell == wanted { return }
        throw fail("\(studio.name) shows \(cell ?? "nil") for \(fact), not \(wanted ?? "nil"); \(studio.staged)")
    }

    private func expectMembers(
        _ owner: String, _ key: String, _ view: ShopView, _ studio: EditedStudio
    ) async throws {
        let entity = view.entities[owner] ?? ""
        let all = try await shownMembers(owner, key, entity, studio)
        // One that both sides gave another owner may be shown with both, until the conflict is settled. One that is
        // deleted may be shown until a save tells it.
        let free = studio.staged[.order(owner, key)]?.free ?? []
        func certain(_ ids: [String]) -> [String] {
            ids.filter { !studio.isHeld($0, stored) && view.entities[$0] != nil && !free.contains($0) }
        }
        let (found, wanted) = (certain(all), certain(view.members(owner, key)))
        let isRight = WideShop.isOrdered(entity, key) ? found == wanted : Set(found) == Set(wanted)
        if !isRight { throw fail("\(studio.name) shows \(found) as \(owner).\(key), not \(wanted)") }
    }

    // MARK: Others

    /// A studio hears of what others saved.
    func follow(_ studio: EditedStudio) async throws {
        await studio.session.storeChanged()
        try await dropShared(studio)
        studio.follow(stored)
        try await checkSteps(studio)
        try await expectWindows(studio)
    }

    /// Asks the windows whether changes that others have made too, and then taken back, are still there: what the
    /// windows show is what a save has to write.
    private func dropShared(_ studio: EditedStudio) async throws {
        for (fact, change) in studio.staged where change.isShared && stored[fact] != change.wants {
            guard case .member(let owner, let key, let member) = fact, let entity = stored.entities[owner] else {
                continue
            }
            let members = try await shownMembers(owner, key, entity, studio)
            if .flag(members.contains(member)) != change.wants { studio.staged[fact] = nil }
        }
    }

    /// The members that a window shows of a relationship, without those that are to be deleted: these stay in their
    /// places until they are.
    private func shownMembers(
        _ owner: String, _ key: String, _ entity: String, _ studio: EditedStudio
    ) async throws -> [String] {
        var query = RowQuery(entity: WideShop.destination(entity, key))
        query.member = RowQuery.Membership(object: studio.asked(owner).text ?? "", relationship: key)
        let rows = try await studio.session.rows(RowsRequest(query: query, from: 0, count: 200, columns: []))
        return (rows["rows"]?.array ?? []).filter { $0["state"] != "deleted" }
            .compactMap { $0["id"]?.text }.map(studio.known)
    }

    /// Steps that would take back what others saved are forgotten, and no others.
    func checkSteps(_ studio: EditedStudio) async throws {
        let state = try await studio.session.changes()
        if state["undo"] == .null, state["redo"] == .null, !studio.done.isEmpty || !studio.undone.isEmpty {
            guard studio.isOvertaken(stored) else { throw fail("\(studio.name) forgets its steps") }
            studio.forgetSteps(stored)
            tally.count("forgotten steps")
        }
    }

    /// All studios but one are told of a save, or some.
    func wasSaved(except own: EditedStudio?) async throws {
        for studio in studios where studio !== own {
            studio.isFollowing = false
            if studio.isListening || numbers.chance(50) { try await follow(studio) }
        }
    }

    /// Expects that all windows are told when the other process saves.
    func expectNews() async throws {
        guard let tag = stored.entities.filter({ $0.value == "Tag" }).keys.min() else { return }
        for studio in studios where !studio.isListening { studio.session.listenToStore() }
        let before = studios.map { $0.windows.map(\.storeEvents) }
        let saved = try writer.save([["kind": "set", "object": .text(tag), "key": "name", "value": "news"]])
        if let failure = saved.failure { throw fail(failure) }
        for (studio, counts) in zip(studios, before) {
            for (window, count) in zip(studio.windows, counts) {
                let isTold = try await eventually { window.storeEvents > count }
                if !isTold { throw fail("\(window.name) is not told that the other process saved") }
            }
        }
    }
}
