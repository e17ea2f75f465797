import CoreData
import Foundation
import Observation
import Testing

@Suite("Objects are made as Apple's code makes them")
struct MakingTests {
    let stack: Stack
    let context: NSManagedObjectContext

    init() throws {
        let names = ["Larry", "Magic", "Private", "Redeclaring", "Counting", "Required", "Watched"]
        let entities = names.map {
            entity($0, className: "CoreDataTests.Made\($0)", [attribute("name", .stringAttributeType)])
        }
        let model = NSManagedObjectModel()
        model.entities = entities
        stack = try Stack(model)
        context = stack.context()
    }

    private func make<T: NSManagedObject>(_ type: T.Type) -> T { T(context: context) }

    @Test("T(context:) in generic code makes an object of the class")
    func generic() {
        let object: MadeLarry = make(MadeLarry.self)
        #expect(object.entity.name == "Larry" && object.isInserted && object.managedObjectContext === context)
    }

    @Test("Self(context:) in protocol extensions and class methods makes an object of the class")
    func selfType() {
        let object = MadeMagic.named("Johnson", in: context)
        #expect(type(of: object) == MadeMagic.self && object.string("name") == "Johnson")
        #expect(type(of: MadeMagic.new(in: context)) == MadeMagic.self)
    }

    @Test("a class that is known at run time only")
    func metatypes() {
        let types: [NSManagedObject.Type] = [MadeLarry.self, MadeMagic.self]
        #expect(types.map { $0.init(context: context).entity.name } == ["Larry", "Magic"])
    }

    @Test("a private override of init(entity:insertInto:), and convenience initialisers of all kinds")
    func initialisers() {
        #expect(MadePrivate(title: "x", context: context).string("name") == "x")
        #expect(MadePrivate(context: context).isInserted && make(MadePrivate.self).isInserted)
        #expect(MadeRedeclaring(context: context).string("name") == "own")
        #expect(MadeRequired(context: context).isInserted)
        #expect(MadeLarry(in: context, named: "Bird").string("name") == "Bird")
        let makers: [(NSManagedObjectContext) -> NSManagedObject] = [
            MadeLarry.init(context:), MadeMagic.init(context:),
        ]
        #expect(makers.map { $0(context).entity.name } == ["Larry", "Magic"])
    }

    @Test("an override of init(entity:insertInto:) runs once for each, and nothing is left behind")
    func counting() {
        let before = MadeCounting.made
        weak var kept: MadeCounting?
        autoreleasepool {
            let object = make(MadeCounting.self)
            kept = object
            #expect(MadeCounting.made == before + 1)
            context.rollback()
        }
        #expect(kept == nil)
    }

    @Test("init() makes an object of the class's entity, without a context")
    func withoutContext() {
        let object = MadeLarry()
        object.setValue("Bird", forKey: "name")
        #expect(object.entity.name == "Larry" && object.managedObjectContext == nil && object.string("name") == "Bird")
    }

    @Test("init() of coordinators, constraint conflicts and results controllers")
    func emptyOnes() throws {
        #expect(NSPersistentStoreCoordinator().persistentStores.isEmpty)
        let conflict = NSConstraintConflict()
        #expect(conflict.constraint.isEmpty && conflict.conflictingObjects.isEmpty && conflict.databaseObject == nil)
        #expect(NSFetchedResultsController<MadeLarry>().fetchedObjects == nil)
    }

    @Test("a class conforms to Observable by itself, and its reads are still followed")
    func observable() throws {
        let main = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        main.persistentStoreCoordinator = stack.coordinator
        main.tracksObservedReads = true
        let object = MadeLarry(context: main)
        let told = Told()
        withObservationTracking {
            _ = object.value(forKey: "name")
        } onChange: {
            told.count += 1
        }
        object.setValue("Bird", forKey: "name")
        let observable: any Observable = object
        #expect(told.count == 1 && observable is MadeLarry)
    }

    @Test("the macro Observable follows a class's stored properties, and managed ones are followed as before")
    func observableMacro() throws {
        let main = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        main.persistentStoreCoordinator = stack.coordinator
        main.tracksObservedReads = true
        let object = MadeWatched(context: main)
        let told = Told()
        func follow(_ read: () -> Void) { withObservationTracking(read) { told.count += 1 } }
        follow { _ = object.scratch }
        object.setValue("Bird", forKey: "name")
        #expect(told.count == 0)
        object.scratch = 1
        #expect(told.count == 1)
        follow { _ = object.value(forKey: "name") }
        object.scratch = 2
        #expect(told.count == 1)
        object.setValue("Magic", forKey: "name")
        let observable: any Observable = object
        #expect(told.count == 2 && observable is MadeWatched)
    }

    private final class Told: @unchecked Sendable {
        // Unchecked: one thread.
        var count = 0
    }
}

private protocol Nameable {}

extension Nameable where Self: NSManagedObject {
    static func named(_ name: String, in context: NSManagedObjectContext) -> Self {
        let object = Self(context: context)
        object.setValue(name, forKey: "name")
        return object
    }
}

extension NSManagedObject {
    fileprivate static func new(in context: NSManagedObjectContext) -> Self { self.init(context: context) }

    fileprivate convenience init(in context: NSManagedObjectContext, named name: String) {
        self.init(context: context)
        setValue(name, forKey: "name")
    }
}

final class MadeLarry: NSManagedObject {}

extension MadeLarry: Observable {}

@Observable
final class MadeWatched: NSManagedObject {
    var scratch = 0
}

class MadeMagic: NSManagedObject, Nameable {}

final class MadePrivate: NSManagedObject {
    private override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        super.init(entity: entity, insertInto: context)
    }

    convenience init(title: String, context: NSManagedObjectContext) {
        self.init(context: context)
        setValue(title, forKey: "name")
    }
}

class MadeRedeclaring: NSManagedObject {
    convenience init(context moc: NSManagedObjectContext) {
        self.init(entity: MadeRedeclaring.entity(), insertInto: moc)
        setValue("own", forKey: "name")
    }
}

class MadeCounting: NSManagedObject {
    nonisolated(unsafe) static var made = 0

    override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        super.init(entity: entity, insertInto: context)
        Self.made += 1
    }
}

class MadeRequired: NSManagedObject {
    required convenience init(context: NSManagedObjectContext) {
        self.init(entity: MadeRequired.entity(), insertInto: context)
    }
}
