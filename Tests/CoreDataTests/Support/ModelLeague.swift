import CoreData
import Foundation
import Testing

/// A league made in code: `Person` (abstract), `Player` and `Coach` below it, `Team`.
struct ModelLeague {
    let model = NSManagedObjectModel()
    let person = NSEntityDescription()
    let player = NSEntityDescription()
    let coach = NSEntityDescription()
    let team = NSEntityDescription()
    let players = NSRelationshipDescription()
    let playerTeam = NSRelationshipDescription()

    init() {
        for (entity, name) in [(person, "Person"), (player, "Player"), (coach, "Coach"), (team, "Team")] {
            entity.name = name
        }
        person.isAbstract = true
        person.properties = [attribute("dateOfBirth", .date), attribute("shoeSize", .integer16)]
        players.name = "players"
        players.destinationEntity = player
        players.deleteRule = .cascadeDeleteRule
        playerTeam.name = "team"
        playerTeam.destinationEntity = team
        playerTeam.maxCount = 1
        players.inverseRelationship = playerTeam
        playerTeam.inverseRelationship = players
        player.properties = [attribute("lastName", .string), playerTeam]
        team.properties = [attribute("name", .string), attribute("uniformColor", .string), players]
        team.uniquenessConstraints = [["name"]]
        person.subentities = [player, coach]
        model.entities = [person, player, coach, team]
    }

    func attribute(_ name: String, _ type: NSAttributeDescription.AttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.type = type
        return attribute
    }
}

/// Runs nothing itself: checks what a process that was to stop has written.
func expectMessage(_ result: ExitTest.Result?, _ parts: String..., sourceLocation: SourceLocation = #_sourceLocation) {
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    for part in parts {
        #expect(text.contains(part), "\(text)", sourceLocation: sourceLocation)
    }
}

/// Where the sample models are.
enum ModelSamples {
    static let documents = TestFolders.tests.appendingPathComponent("ModelDocumentTests/Fixtures")
    static let compiled = TestFolders.tests.appendingPathComponent("ModelArchiveTests/Fixtures/Compiled")
    /// The whole collection beside the package, where it is at hand.
    static let collection = TestFolders.shared.appendingPathComponent("fixtures/models")

    static func document(_ path: String) -> URL { documents.appendingPathComponent(path) }

    /// Every document folder below a folder.
    static func allDocuments(in folder: URL) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension != "md" }
            .flatMap { try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil) }
            .filter { ["xcdatamodeld", "xcdatamodel"].contains($0.pathExtension) }
            .sorted { $0.path < $1.path }
    }
}
