import CoreData
import Foundation

/// A clean store with everything that a check looks at: inheritance, each kind of relationship, order, a constraint,
/// rules, and a value in a file of its own.
enum ClubStore {
    static func model() -> NSManagedObjectModel {
        let player = entity(
            "Player",
            [
                attribute("number", .integer16AttributeType), attribute("salary", .decimalAttributeType),
                attribute("isFit", .booleanAttributeType), attribute("kit", .UUIDAttributeType),
                attribute("site", .URIAttributeType), attribute("rating", .doubleAttributeType),
                attribute("photo", .binaryDataAttributeType),
            ])
        player.attributesByName["photo"]!.allowsExternalBinaryDataStorage = true
        player.attributesByName["salary"]!.setValidationPredicates(
            [NSPredicate(format: "SELF >= 0")], withValidationWarnings: ["1620"])
        let coach = entity("Coach", [attribute("level", .integer32AttributeType)])
        let person = entity(
            "Person", abstract: true,
            [
                attribute("name", .stringAttributeType, optional: false), attribute("born", .dateAttributeType),
                attribute("email", .stringAttributeType),
            ], subentities: [coach, player])
        person.attributesByName["email"]!.setValidationPredicates(
            [NSPredicate(format: "SELF MATCHES '.+@.+'")], withValidationWarnings: ["1680"])
        let team = entity("Team", [attribute("name", .stringAttributeType)])
        team.uniquenessConstraints = [["name"]]
        let league = entity("League", [attribute("name", .stringAttributeType)])
        let note = entity("Note", [attribute("text", .stringAttributeType)])
        relate(person, player, coach, team, league, note)
        return CoreDataTests.model(person, player, coach, team, league, note)
    }

    private static func relate(
        _ person: NSEntityDescription, _ player: NSEntityDescription, _ coach: NSEntityDescription,
        _ team: NSEntityDescription, _ league: NSEntityDescription, _ note: NSEntityDescription
    ) {
        func pair(
            _ a: NSEntityDescription, _ aSide: NSRelationshipDescription, _ b: NSEntityDescription,
            _ bSide: NSRelationshipDescription
        ) {
            a.properties.append(aSide)
            b.properties.append(bSide)
            connect(a, aSide, b, bSide)
        }
        pair(player, toOne("team"), team, toMany("players", 0...3, ordered: true))
        pair(team, toOne("captain"), player, toOne("captainOf"))
        pair(team, toOne("league", optional: false), league, toMany("teams", 1...20, optional: false))
        pair(coach, toMany("teams"), team, toMany("coaches", ordered: true))
        pair(note, toOne("author"), person, toMany("writings"))
        let friends = toMany("friends")
        person.properties.append(friends)
        friends.destinationEntity = person
        friends.inverseRelationship = friends
        let notes = toMany("notes")
        team.properties.append(notes)
        notes.destinationEntity = note
    }

    /// Makes the store in a folder and returns its file.
    static func make(in folder: URL) throws -> URL {
        let url = folder.appendingPathComponent("Club.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            fill(context)
            try context.save()
        }
        try coordinator.remove(store)
        return url
    }

    private static func fill(_ context: NSManagedObjectContext) {
        let league = context.insert("League", ["name": "Premier"])
        let people = ["Ann", "Bob", "Cid", "Dan"].enumerated().map { index, name in
            context.insert(
                "Player",
                [
                    "name": name, "number": index + 1, "salary": NSDecimalNumber(string: "1000.50"), "isFit": true,
                    "kit": UUID(), "site": URL(string: "https://example.com/\(name)")!, "rating": 0.5,
                    "born": Date(timeIntervalSinceReferenceDate: -1e8 + Double(index)),
                    "email": "\(name)@example.com", "photo": Data(repeating: 7, count: index == 0 ? 200_000 : 10),
                ])
        }
        let coaches = ["Eve", "Fay"].map { context.insert("Coach", ["name": $0, "level": 3]) }
        let reds = context.insert("Team", ["name": "Reds", "league": league])
        let blues = context.insert("Team", ["name": "Blues", "league": league])
        reds.setValue(NSOrderedSet(array: [people[2], people[0], people[1]]), forKey: "players")
        blues.setValue(NSOrderedSet(array: [people[3]]), forKey: "players")
        reds.setValue(people[0], forKey: "captain")
        blues.setValue(people[3], forKey: "captain")
        reds.setValue(NSOrderedSet(array: coaches), forKey: "coaches")
        blues.setValue(NSOrderedSet(array: [coaches[1]]), forKey: "coaches")
        people[0].setValue(NSSet(array: [people[1], coaches[0]]), forKey: "friends")
        let notes = [("Praise", coaches[0]), ("Blame", people[0])].map {
            context.insert("Note", ["text": $0.0, "author": $0.1])
        }
        reds.setValue(NSSet(array: notes), forKey: "notes")
    }
}
