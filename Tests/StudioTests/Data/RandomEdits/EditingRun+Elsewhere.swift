import CoreData
import Foundation
import RandomSeeds

@testable import CoreDataStudio

// What the other process saves.

extension EditingRun {
    /// Edits for the other process, and what they do to the store.
    struct OtherSave {
        var edits: [JSON] = []
        /// The changes, by what the edits created.
        var changes: [([String]) -> [(fact: Fact, value: FactValue, entity: String)]] = []

        /// Whether there may be no other edits.
        var isWhole = false

        mutating func add(_ edit: JSON, _ fact: Fact, _ value: FactValue) {
            edits.append(edit)
            changes.append { _ in [(fact, value, "")] }
        }
    }

    /// The other process saves one to three changes together.
    ///
    /// - Parameters:
    ///   - object: An object of which it sets a value, and nothing else.
    ///   - keys: The values among which it chooses; without any that it can set, it chooses among all.
    func editElsewhere(_ object: String? = nil, _ keys: Set<String> = []) async throws {
        var save = OtherSave()
        if let object {
            addSet(&save, object, keys)
        } else {
            for _ in 0..<Int.random(in: 1...3, using: &numbers) where !save.isWhole { addChange(&save) }
        }
        guard !save.edits.isEmpty else { return }
        note("process: \(JSON.line(.array(save.edits)))")
        let (created, failure) = try writer.save(save.edits)
        if let failure { throw fail("the process saves nothing: \(failure)") }
        tally.count("saves of the process")
        for change in save.changes {
            for (fact, value, entity) in change(created) { stored.enter(value, for: fact, entity: entity) }
        }
        let world = try writer.world()
        try expectEqual(stored, world, orders: { _, _ in nil })
        stored = world
        try await wasSaved(except: nil)
    }

    private func addChange(_ save: inout OtherSave) {
        let view = ShopView(stored)
        // A deletion is the only change of its save: others may be about the same object.
        switch Int.random(in: 0..<100, using: &numbers) {
        case 0..<40: addSet(&save, view)
        case 40..<55: addRelate(&save, view)
        case 55..<70: addMembers(&save, view)
        case 70..<80: if save.edits.isEmpty { addOrder(&save, view) }
        case 80..<90: if save.edits.isEmpty { addCreation(&save, view) }
        default: if save.edits.isEmpty { addDeletion(&save, view) }
        }
    }

    private func addSet(_ save: inout OtherSave, _ view: ShopView) {
        guard let id = view.entities.keys.sorted().randomElement(using: &numbers) else { return }
        addSet(&save, id, [])
    }

    private func addSet(_ save: inout OtherSave, _ id: String, _ keys: Set<String>) {
        let entity = stored.entities[id] ?? ""
        let all = WideShop.attributes(of: entity)
        let some = all.filter { keys.contains($0.key) }
        guard let (key, type) = (some.isEmpty ? all : some).randomElement(using: &numbers) else { return }
        let value = value(.value(id, key), key, type, entity)
        let edit: JSON = [
            "kind": "set", "object": .text(id), "key": .text(key), "value": .optional(value?.typed),
        ]
        save.add(edit, .value(id, key), .text(value?.stored))
    }

    private func addRelate(_ save: inout OtherSave, _ view: ShopView) {
        guard let link = WideShop.links.randomElement(using: &numbers),
            let id = view.ids(link.entity).randomElement(using: &numbers),
            let target = view.ids(link.owner).randomElement(using: &numbers)
        else { return }
        let edit: JSON = ["kind": "relate", "object": .text(id), "key": .text(link.key), "value": .text(target)]
        save.add(edit, .link(id, link.key), .text(target))
    }

    private func addMembers(_ save: inout OtherSave, _ view: ShopView) {
        guard let order = view.ids("Order").randomElement(using: &numbers) else { return }
        let all = view.ids("Tag")
        let new = all.filter { _ in numbers.chance(40) }
        save.edits.append(
            [
                "kind": "setMembers", "object": .text(order), "key": "tags",
                "members": .array(new.map(JSON.text)),
            ])
        save.changes.append { _ in
            all.map { (.member(order, "tags", $0), .flag(new.contains($0)), "") }
        }
    }

    /// Puts the members of an ordered relationship into another order, seldom without one of them.
    private func addOrder(_ save: inout OtherSave, _ view: ShopView) {
        let isOrder = numbers.chance(60)
        let key = isOrder ? "lines" : "products"
        guard let owner = view.ids(isOrder ? "Order" : "Tag").randomElement(using: &numbers) else { return }
        var list = view.members(owner, key).shuffled(using: &numbers)
        let left = !isOrder && numbers.chance(30) ? list.popLast() : nil
        save.add(
            [
                "kind": "setMembers", "object": .text(owner), "key": .text(key),
                "members": .array(list.map(JSON.text)),
            ], .order(owner, key), .list(list))
        if let left { save.changes.append { _ in [(.member(owner, key, left), .flag(false), "")] } }
    }

    private func addCreation(_ save: inout OtherSave, _ view: ShopView) {
        guard let order = view.ids("Order").randomElement(using: &numbers) else { return }
        let entity = ["Order", "Line", "Voucher"].randomElement(using: &numbers) ?? "Line"
        save.edits.append(["kind": "create", "entity": .text(entity)])
        save.changes.append { [(.exists($0[0]), .flag(true), entity)] }
        let key = WideShop.required[entity] ?? "quantity"
        let type = WideShop.attributes(of: entity).first { $0.key == key }?.type ?? .stringAttributeType
        let value = newValue(.exists(""), type)
        save.edits.append(["kind": "set", "key": .text(key), "value": .text(value.typed)])
        save.changes.append { [(.value($0[0], key), .text(value.stored), "")] }
        guard entity == "Line" else { return }
        save.edits.append(["kind": "relate", "key": "order", "value": .text(order)])
        save.changes.append { [(.link($0[0], "order"), .text(order), "")] }
    }

    private func addDeletion(_ save: inout OtherSave, _ view: ShopView) {
        let entity = ["Order", "Line", "Line", "Tag", "Product"].randomElement(using: &numbers) ?? "Line"
        guard view.ids(entity).count > 2, let id = view.ids(entity).randomElement(using: &numbers) else { return }
        let lines = entity == "Order" || entity == "Product" ? view.members(id, "lines") : []
        // The model forbids it.
        if entity == "Product", !lines.isEmpty { return }
        save.isWhole = true
        save.add(["kind": "delete", "object": .text(id)], .exists(id), .flag(false))
        for line in lines { save.changes.append { _ in [(.exists(line), .flag(false), "")] } }
    }
}
