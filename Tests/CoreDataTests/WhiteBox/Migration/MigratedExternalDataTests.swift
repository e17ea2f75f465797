import Foundation
import Testing

@testable import CoreData

@Suite("Large values come into the rows, and into files of their own, whichever way a migration goes")
struct MigratedExternalDataTests {
    private let folder: StoreFolder
    private var old: URL { folder.file("Old.sqlite") }

    init() throws { folder = try StoreFolder() }

    enum Way: CaseIterable, Sendable { case inDatabase, objectByObject, objectByObjectInPlace }

    private static func model(isExternal: Bool, isNew: Bool) -> NSManagedObjectModel {
        let book = NSEntityDescription()
        book.name = "Book"
        let cover = attribute("cover", .binaryDataAttributeType)
        cover.allowsExternalBinaryDataStorage = isExternal
        book.properties = [attribute("name", .stringAttributeType), cover]
        if isNew { book.properties.append(attribute("pages", .integer64AttributeType)) }
        let model = NSManagedObjectModel()
        model.entities = [book]
        return model
    }

    @Test("the data are the same", arguments: Way.allCases, [true, false])
    func sameData(way: Way, isExternal: Bool) throws {
        let source = Self.model(isExternal: isExternal, isNew: false)
        let destination = Self.model(isExternal: !isExternal, isNew: true)
        // The first byte of a stored value says whether a file has it: bytes that look like one must do no harm.
        let covers = (0...3).map { Data(repeating: $0, count: 110_000) } + (0...3).map { Data([$0, 5]) } + [Data()]
        try MigrationLeague.open(old, source) { context in
            for (place, cover) in covers.enumerated() {
                _ = context.insert("Book", ["name": "\(place)", "cover": cover])
            }
            try context.save()
        }
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
        let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
        manager.usesStoreSpecificMigrationManager = way == .inDatabase
        var new = folder.file("New.sqlite")
        if way == .objectByObjectInPlace {
            new = old
            try manager.migrateStore(at: old, type: NSSQLiteStoreType, mapping: mapping)
        } else {
            try manager.migrateStore(
                from: old, sourceType: NSSQLiteStoreType, options: nil, with: mapping, toDestinationURL: new,
                destinationType: NSSQLiteStoreType, destinationOptions: nil)
        }
        try MigrationLeague.open(new, destination) { context in
            let books = try context.all("Book").sorted { ($0.string("name") ?? "") < ($1.string("name") ?? "") }
            #expect(books.map { $0.value(forKey: "cover") as? Data } == covers)
        }
    }
}
