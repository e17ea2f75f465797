import CoreData
import Foundation
import Testing

/// Statements of the articles Conflicts and The life of an object that readers look for, each as its own small program.
@Suite("What the articles state")
struct ArticleStatementTests {
    private func bench(_ team: NSManagedObject) -> [String] {
        (team.value(forKey: "bench") as? NSOrderedSet)?.compactMap { ($0 as? NSManagedObject)?.string("name") } ?? []
    }

    @Test(
        "two contexts append to an ordered relationship: the store's new members follow those of the context",
        arguments: [
            NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType,
        ])
    func ordered(policy: NSMergePolicyType) throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            for name in ["a", "b", "c", "d"] { _ = context.insert("Player", ["name": name]) }
            try context.save()
            let players = try context.all("Player", sortedBy: "name")
            team.setValue(NSOrderedSet(array: Array(players.prefix(2))), forKey: "bench")
            try context.save()
        }
        func append(_ name: String, _ context: NSManagedObjectContext) throws {
            let team = try #require(try context.all("Team").first)
            let player = try #require(try context.all("Player", "name == '\(name)'").first)
            team.mutableOrderedSetValue(forKey: "bench").add(player)
        }
        let ours = stack.context()
        ours.mergePolicy = NSMergePolicy(merge: policy)
        try ours.performAndWait { () throws in
            let team = try #require(try ours.all("Team").first)
            #expect(bench(team) == ["a", "b"])
            try stack.work { theirs throws in
                try append("c", theirs)
                try theirs.save()
            }
            try append("d", ours)
            try ours.save()
        }
        try stack.reopened { context throws in
            let found = bench(try #require(try context.all("Team").first))
            #expect(found == ["a", "b", "d", "c"])
        }
    }

    @Test("after a save that failed with a conflict, a refresh that keeps the changes lets the next save succeed")
    func refreshed() throws {
        let stack = try Stack(LeagueModel.make())
        let id = try stack.saved("Player", ["name": "Wade", "age": 40])
        let ours = stack.context()
        try ours.performAndWait { () throws in
            let player = try ours.existingObject(with: id)
            player.setValue("Flash", forKey: "name")
            try stack.work { theirs throws in
                try theirs.existingObject(with: id).setValue(41, forKey: "age")
                try theirs.save()
            }
            #expect(thrown { try ours.save() }?.code == NSManagedObjectMergeError)
            ours.refresh(player, mergeChanges: true)
            #expect(player.string("name") == "Flash" && player.value(forKey: "age") as? Int == 41)
            #expect(player.isUpdated)
            try ours.save()
        }
        try stack.reopened { context throws in
            let player = try #require(try context.all("Player").first)
            #expect(player.string("name") == "Flash" && player.value(forKey: "age") as? Int == 41)
        }
    }

    @Test("a merged deletion leaves no unsaved change behind, and what a cascade deleted goes, too")
    func mergedDeletion() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            _ = context.insert("Player", ["name": "Wade", "team": team])
            let fan = context.insert("Player", ["name": "Fan"])
            team.relate("captain", to: fan)
            try context.save()
        }
        let ours = stack.context()
        let theirs = stack.context()
        let collector = Collector(.NSManagedObjectContextDidSave, of: theirs)
        try ours.performAndWait { () throws in
            let wade = try #require(try ours.all("Player", "name == 'Wade'").first)
            let fan = try #require(try ours.all("Player", "name == 'Fan'").first)
            #expect(wade.object("team")?.string("name") == "Heat")
            #expect(fan.object("captainOf")?.string("name") == "Heat")
            try theirs.performAndWait { () throws in
                for team in try theirs.all("Team") { theirs.delete(team) }
                try theirs.save()
            }
            ours.mergeChanges(
                fromContextDidSave: Notification(
                    name: .NSManagedObjectContextDidSave, object: theirs, userInfo: collector.payloads.last))
            #expect(fan.object("captainOf") == nil)
            #expect(!fan.hasChanges)
            #expect(try ours.all("Player").compactMap { $0.string("name") } == ["Fan"])
        }
    }

    @Test("a fault whose row is gone has nil values and is deleted; the next save succeeds")
    func gone() throws {
        let stack = try Stack(LeagueModel.make())
        let id = try stack.saved("Player", ["name": "Wade"])
        let ours = stack.context()
        try ours.performAndWait { () throws in
            let player = ours.object(with: id)
            try stack.work { theirs throws in
                theirs.delete(try theirs.existingObject(with: id))
                try theirs.save()
            }
            #expect(player.string("name") == nil)
            #expect(player.isDeleted)
            try ours.save()
            #expect(!player.isDeleted && player.managedObjectContext == nil)
        }
    }
}
