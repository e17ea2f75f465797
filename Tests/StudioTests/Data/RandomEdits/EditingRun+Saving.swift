import CoreData
import Foundation
import RandomSeeds
import Testing

@testable import CoreDataStudio

// Saves, and what has to come of them.

extension EditingRun {
    private static let mostTries = 12

    /// What a window answers to the conflicts that it was shown.
    private struct Answer {
        var choices: ConflictChoices.ByObject = [:]
        /// What the store had when the window was shown the conflicts.
        var shown: ShopWorld
    }

    func save(_ studio: EditedStudio) async throws {
        let window = window(studio)
        var answer = Answer(shown: stored)
        var told: Set<String> = []
        for _ in 0..<Self.mostTries {
            note("\(window.name): save \(answer.choices)")
            let outcome = try await studio.session.saveEdits(
                StepRequest(client: window.name, choices: answer.choices))
            let conflicts = outcome["conflicts"]?.array ?? []
            try settle(answer, toldAgain: conflicts, studio)
            if outcome["saved"] == true { return try await wasSaved(outcome, window, studio, told) }
            note("  conflicts \(JSON.line(.array(conflicts)))")
            note("  problems \(JSON.line(outcome["problems"] ?? .null))")
            if !conflicts.isEmpty {
                answer = Answer(choices: try choices(conflicts, studio), shown: stored)
                told.formUnion(answer.choices.keys)
                if numbers.chance(15), try await comeBetween(answer, window, studio, told) { return }
                continue
            }
            let problems = outcome["problems"]?.array ?? []
            if !answer.choices.isEmpty, answer.shown != stored {
                // Which of the choices still count is not told.
                try await discard(studio)
            } else {
                told.formUnion(try await repair(problems, studio))
            }
            answer = Answer(shown: stored)
        }
        throw fail("\(Self.mostTries) saves were not enough")
    }

    /// Others save while a window shows a conflict. Another window of the studio may be shown what they saved.
    ///
    /// - Returns: Whether the other window has saved all: what both sides changed was no conflict of values, and the
    ///   studio has followed the others.
    private func comeBetween(
        _ answer: Answer, _ window: ListeningWindow, _ studio: EditedStudio, _ told: Set<String>
    ) async throws -> Bool {
        let object = answer.choices.keys.sorted().randomElement(using: &numbers)
        // Mostly it is what the window has just been shown.
        if let object, stored.entities[object] != nil, numbers.chance(70) {
            try await editElsewhere(object, Set(answer.choices[object]?.keys.sorted() ?? []))
        } else {
            try await editElsewhere()
        }
        guard let other = studio.windows.first(where: { $0 !== window }), numbers.chance(40) else { return false }
        note("\(other.name): save")
        let answer = try await studio.session.saveEdits(StepRequest(client: other.name))
        tally.count("saves of another window beside a conflict")
        guard answer["saved"] == true else { return false }
        try await wasSaved(answer, other, studio, told)
        return true
    }

    private func choices(
        _ conflicts: [JSON], _ studio: EditedStudio
    ) throws -> ConflictChoices.ByObject {
        var choices: ConflictChoices.ByObject = [:]
        for conflict in conflicts {
            let properties = (conflict["properties"]?.array ?? []).compactMap { $0["name"]?.text }
            var sides: [String: ConflictChoices.Side] = [:]
            if conflict["isGone"] == true {
                tally.count("conflicts with a deletion")
                sides[""] = .theirs
            } else if conflict["isDeleted"] == true {
                tally.count("conflicts of a deletion")
                if numbers.chance(50) { sides[""] = .theirs }
            } else {
                tally.count(properties.isEmpty ? "conflicts without properties" : "conflicts")
                for name in properties { sides[name] = numbers.chance(50) ? .mine : .theirs }
            }
            choices[studio.known(conflict["object"]?.text ?? "")] = sides
        }
        return choices
    }

    /// What the choices do to what is staged. Those about objects that others have saved again since do nothing: the
    /// conflict is told again.
    private func settle(_ answer: Answer, toldAgain conflicts: [JSON], _ studio: EditedStudio) throws {
        let again = Set(conflicts.compactMap { $0["object"]?.text }.map(studio.known))
        let choices = answer.choices.filter { !again.contains($0.key) }
        if choices.count < answer.choices.count {
            guard stored != answer.shown else { throw fail("conflicts that were settled are told again") }
            tally.count("conflicts told again")
        }
        if !choices.isEmpty { settle(choices, answer.shown, studio) }
    }

    private func settle(_ choices: ConflictChoices.ByObject, _ shown: ShopWorld, _ studio: EditedStudio) {
        let all = choices.sorted { $0.key < $1.key }
        var kept: [String] = []
        for (id, sides) in all where sides[""] == .theirs {
            // What the deletion would have taken with it stays, unless it has a choice of its own.
            let lines = stored.entities[id] == "Order" ? ShopView(stored).members(id, "lines") : []
            kept += [id] + lines.filter { choices[$0] == nil && studio.staged[.exists($0)]?.wants == .flag(false) }
        }
        for id in kept { giveUp(id, studio) }
        // Their places among members that are new here are free.
        studio.settled.formUnion(choices.keys)
        studio.settled.formUnion(kept)
        for id in kept { endLinks(id, studio) }
        for (id, sides) in all where sides[""] != .theirs {
            for (fact, change) in studio.staged where fact.objects[0] == id {
                settle(fact, change, sides, shown, studio)
            }
        }
        studio.forgetSteps(stored)
    }

    /// An object is as the store has it, and members and links are that lead to it.
    private func giveUp(_ id: String, _ studio: EditedStudio) {
        let isGone = stored.entities[id] == nil
        for (fact, change) in studio.staged {
            let leadsToGone = isGone && change.wants == .text(id)
            guard leadsToGone || fact.objects.contains(id) else { continue }
            studio.staged[fact] = nil
            if leadsToGone { studio.settled.formUnion(fact.objects) }
        }
    }

    /// A kept object leads no more to one that is still to be deleted.
    private func endLinks(_ id: String, _ studio: EditedStudio) {
        for link in WideShop.links where stored.entities[id] == link.entity {
            let fact = Fact.link(id, link.key)
            guard let target = stored[fact].text, studio.staged[.exists(target)]?.wants == .flag(false),
                link.key == "order"
            else { continue }
            studio.staged[fact] = StagedFact(saw: stored[fact], wants: .text(nil))
        }
    }

    /// - Parameter shown: What the person chose from. What others have saved since is no part of it.
    private func settle(
        _ fact: Fact, _ change: StagedFact, _ sides: [String: ConflictChoices.Side], _ shown: ShopWorld,
        _ studio: EditedStudio
    ) {
        var change = change
        switch fact {
        case .exists(let id):
            change.row = shown.row(id)
            if stored.entities[id] == "Order", change.wants == .flag(false) { deleteLines(of: id, studio) }
        case .value(_, let key), .link(_, let key):
            change.saw = shown[fact]
            if sides[key] == .theirs { change.wants = change.saw }
        case .order(_, let key): return studio.rebase(fact, shown, isTheirs: sides[key] == .theirs)
        case .member: return
        }
        studio.staged[fact] = change.saw == change.wants ? nil : change
    }

    /// The deletion of an order takes the lines with it that others added.
    private func deleteLines(of order: String, _ studio: EditedStudio) {
        for line in ShopView(stored).members(order, "lines")
        where studio.staged[.exists(line)] == nil && studio.staged[.link(line, "order")] == nil {
            studio.staged[.exists(line)] = StagedFact(
                saw: .flag(true), wants: .flag(false), entity: "Line", row: stored.row(line))
        }
    }

    /// Ends what the model forbids, or else gives all up.
    ///
    /// - Returns: The objects that the problems are about.
    private func repair(_ problems: [JSON], _ studio: EditedStudio) async throws -> [String] {
        tally.count("saves with problems")
        guard !problems.isEmpty else { throw fail("a save did nothing, and told nothing") }
        let ids = problems.compactMap { $0["object"]?.text }.map(studio.known)
        for (id, problem) in zip(ids, problems) {
            let view = ShopView(stored, studio.staged)
            let edits = StudioEdits(view: view, studio: studio)
            guard let entity = view.entities[id], let key = problem["key"]?.text, numbers.chance(90) else {
                try await discard(studio)
                return ids
            }
            if WideShop.required[entity] == key,
                let type = WideShop.attributes(of: entity).first(where: { $0.key == key })?.type
            {
                try await carryOut(edits.set(id, key, newValue(.value(id, key), type)), "set", studio)
            } else if entity == "Line", key == "order", let order = view.ids("Order").randomElement(using: &numbers) {
                try await carryOut(edits.relate(id, WideShop.links[0], order), "relate", studio)
            } else {
                try await discard(studio)
                return ids
            }
        }
        return ids
    }

    // MARK: What is saved

    private func wasSaved(
        _ answer: JSON, _ window: ListeningWindow, _ studio: EditedStudio, _ told: Set<String>
    ) async throws {
        tally.count("saves")
        guard case .object(let members)? = answer["identifiers"] else { throw fail("no identifiers") }
        let names = Dictionary(
            uniqueKeysWithValues: members.map { (studio.known($0.key), $0.value.text ?? "") })
        rename(names, studio)
        let world = try writer.world()
        let expected = try merged(studio)
        try expectEqual(expected, world) { [stored] fact, saved in
            guard case .order(let owner, let key) = fact else { return nil }
            let change = studio.staged[fact]
            let mine = ShopView(stored, studio.staged).members(owner, key)
            let orders = ThreeOrders(
                base: change?.saw.list ?? mine.kept(stored[fact].list), mine: mine, theirs: stored[fact].list)
            let free = (change?.free ?? []).union(orders.added).union(studio.settled)
            return orders.without(free).flaw(saved.without(free))
        }
        stored = world
        studio.staged = [:]
        studio.settled = []
        studio.forgetSteps()
        try await expectNames(members, window, studio)
        if answer["state"]?["count"] != 0 { throw fail("saved, and \(answer["state"] ?? .null) is left") }
        studio.follow(stored)
        try await expectWindows(studio)
        try await wasSaved(except: studio)
    }

    private func expectNames(
        _ members: [String: JSON], _ window: ListeningWindow, _ studio: EditedStudio
    ) async throws {
        for other in studio.windows {
            let isTold = try await eventually { members.allSatisfy { other.names[$0.key] == $0.value.text } }
            if !isTold { throw fail("\(other.name) is not told what the objects of \(window.name) are called now") }
        }
        for (old, new) in members.prefix(2) {
            let object = try await studio.session.object(ObjectRequest(object: old))
            if object["id"] != new { throw fail("\(old) is not found as \(new)") }
        }
    }

    private func rename(_ names: [String: String], _ studio: EditedStudio) {
        let all = studio.staged.map { fact, change in
            var change = change
            change.saw = change.saw.renamed(names)
            change.wants = change.wants.renamed(names)
            return (fact.renamed(names), change)
        }
        studio.staged = Dictionary(uniqueKeysWithValues: all)
        for (fact, values) in history { history[fact.renamed(names)] = values }
    }

    /// What the store has to have: what is staged, on what others saved since.
    ///
    /// - Throws: What others saved and the save overwrites, and what it does not carry out, where no conflict was told.
    private func merged(_ studio: EditedStudio) throws -> ShopWorld {
        var world = stored
        let changes = studio.staged.sorted { "\($0.key)" < "\($1.key)" }
        for (fact, change) in changes {
            guard case .exists(let id) = fact, change.wants.flag else { continue }
            world.entities[id] = change.entity
        }
        let deleted = Set(
            changes.compactMap { fact, change in
                if case .exists(let id) = fact, !change.wants.flag { id } else { nil }
            })
        for (fact, change) in changes where !deleted.contains(fact.objects[0]) {
            try expectTold(fact, change, world, studio)
            if case .exists = fact { continue }
            world.facts[fact] = change.wants
        }
        for (fact, change) in changes {
            guard case .exists(let id) = fact, deleted.contains(id) else { continue }
            for (fact, value) in change.row where stored.entities[id] != nil && stored[fact] != value {
                throw fail("\(id) is deleted untold, with \(stored[fact]) for \(fact)")
            }
            world.enter(.flag(false), for: fact)
        }
        return world
    }

    private func expectTold(
        _ fact: Fact, _ change: StagedFact, _ world: ShopWorld, _ studio: EditedStudio
    ) throws {
        switch fact {
        case .value(let id, _), .link(let id, _):
            // A new object that was deleted before it was saved.
            if studio.isNew(id), world.entities[id] == nil { return }
            guard world.entities[id] != nil else { throw fail("that \(id) is deleted was not told: \(fact)") }
            if stored.entities[id] != nil, stored[fact] != change.saw, stored[fact] != change.wants {
                throw fail("\(fact): \(stored[fact]) and \(change) are no conflict")
            }
            if case .link = fact, let target = change.wants.text, world.entities[target] == nil {
                throw fail("that \(target) is deleted was not told: \(fact)")
            }
        case .exists, .member, .order: break
        }
    }

    /// Expects that a store has what it has to have.
    ///
    /// - Parameter orders: What is wrong with the order of some members.
    func expectEqual(
        _ wanted: ShopWorld, _ found: ShopWorld, orders: (Fact, [String]) -> String?
    ) throws {
        if let flaw = found.flaws.first { throw fail("the store contradicts itself: \(flaw)") }
        if wanted.entities != found.entities {
            let (a, b) = (Set(wanted.entities.keys), Set(found.entities.keys))
            throw fail("the store lacks \(a.subtracting(b).sorted()), and has \(b.subtracting(a).sorted())")
        }
        for fact in Set(wanted.facts.keys).union(found.facts.keys) {
            if case .order = fact {
                if let flaw = orders(fact, found[fact].list) { throw fail("\(fact): \(flaw)") }
                continue
            }
            // What is no more has no facts.
            if fact.objects.contains(where: { found.entities[$0] == nil }) { continue }
            if wanted[fact] != found[fact] {
                throw fail("the store has \(found[fact]) for \(fact), not \(wanted[fact])")
            }
        }
    }
}
