import Foundation
import ModelArchive
import ModelDocument
import RandomSeeds
import Testing
import PropertyLists

/// Damaged and hostile archives end in an error of Cocoa's, soon.
@Suite struct HostileArchiveTests {
    /// How many damaged archives a random test reads: more of them in the full tests.
    private static let rounds = ProcessInfo.processInfo.environment["COREDATA_FULL_TESTS"] == nil ? 100 : 3000

    @Test func aTruncatedArchiveIsRefused() throws {
        let data = try Samples.compiled("SampleModel3.momd/SampleModel3_v3.mom")
        for length in 0..<data.count {
            #expect(throws: CocoaError.self) { try ModelArchive.read(data.prefix(length)) }
        }
    }

    /// Any byte may be anything: the archive is read, or refused with an error of Cocoa's, never more.
    @Test(arguments: ["SwiftGen-Model.momd/Model 2.mom", "SampleModel.momd/SampleModel2.mom", "Contacts.mom"])
    func aDamagedArchiveIsReadOrRefused(path: String) throws {
        let seed = SeededGenerator.seed
        var generator = SeededGenerator(seed: seed)
        let original = Array(try Samples.compiled(path))
        var refused = 0
        for _ in 0..<Self.rounds {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 8..<bytes.count, using: &generator)
                bytes[place] = UInt8.random(in: 0...255, using: &generator)
            }
            do {
                _ = try VersionHashes(ModelArchive.read(Data(bytes)))
            } catch {
                refused += 1
                #expect(error is CocoaError, "seed \(seed): \(error)")
            }
        }
        #expect(refused > 0, "seed \(seed)")
    }

    /// References between objects are turned anywhere: cycles, wrong kinds, objects shared by many.
    @Test func anArchiveWhoseReferencesAreShuffledIsReadOrRefused() throws {
        let seed = SeededGenerator.seed
        var generator = SeededGenerator(seed: seed)
        let archive = try PropertyListValue(binary: Samples.compiled("SwiftGen-Model.momd/Model 2.mom"))
        let count = try #require(archive.dictionary?["$objects"]?.array?.count)
        for _ in 0..<Self.rounds {
            let rate = Double.random(in: 0...0.05, using: &generator)
            let shuffled = archive.mapReferences { number in
                Double.random(in: 0..<1, using: &generator) < rate
                    ? Int.random(in: 0..<count, using: &generator) : number
            }
            do {
                _ = try VersionHashes(ModelArchive.read(shuffled.binary))
            } catch {
                #expect(error is CocoaError, "seed \(seed): \(error)")
            }
        }
    }

    @Test func aClassThatNoModelHasIsRefused() throws {
        let archive = try PropertyListValue(binary: Samples.compiled("Contacts.mom"))
        let foreign = archive.mapStrings { $0 == "NSEntityDescription" ? "NSTask" : $0 }
        #expect {
            try ModelArchive.read(foreign.binary)
        } throws: { error in
            error.localizedDescription.contains("NSTask")
        }
    }

    @Test func anEntityThatIsItsOwnParentIsRefused() throws {
        var objects = ArchiveObjects()
        let entity = objects.reserve()
        objects.fill(
            entity, "NSEntityDescription", ["NSEntityName": objects.add(.string("A")), "NSSuperentity": .uid(entity)])
        let data = objects.model(entities: [("A", entity)])
        #expect(throws: CocoaError.self) { try ModelArchive.read(data) }
    }

    /// 60 compound predicates, each of twice the next one: 2⁶⁰ comparisons, were they followed.
    @Test func aPredicateThatRepeatsItselfIsRefused() throws {
        var objects = ArchiveObjects()
        var predicate = objects.reserve()
        objects.fill(predicate, "NSTruePredicate", [:])
        for _ in 0..<60 {
            let list = objects.reserve()
            objects.fill(list, "NSArray", ["NS.objects": .array([.uid(predicate), .uid(predicate)])])
            let outer = objects.reserve()
            objects.fill(
                outer, "NSCompoundPredicate", ["NSCompoundPredicateType": .integer(1), "NSSubpredicates": .uid(list)])
            predicate = outer
        }
        let data = objects.model(predicate: predicate)
        #expect(throws: CocoaError.self) { try ModelArchive.read(data) }
    }

    @Test func aPredicateThatContainsItselfIsRefused() throws {
        var objects = ArchiveObjects()
        let predicate = objects.reserve()
        let list = objects.reserve()
        objects.fill(list, "NSArray", ["NS.objects": .array([.uid(predicate)])])
        objects.fill(
            predicate, "NSCompoundPredicate", ["NSCompoundPredicateType": .integer(1), "NSSubpredicates": .uid(list)])
        let data = objects.model(predicate: predicate)
        #expect(throws: CocoaError.self) { try ModelArchive.read(data) }
    }

    @Test(arguments: ["NS.objects", "NS.keys"])
    func anEntityListOfUnequalLengthsIsRefused(key: String) throws {
        var objects = ArchiveObjects()
        let list = objects.reserve()
        var fields: [String: PropertyListValue] = ["NS.objects": .array([]), "NS.keys": .array([])]
        fields[key] = .array([.uid(0)])
        objects.fill(list, "NSDictionary", fields)
        let data = objects.model(fields: ["NSEntities": .uid(list)])
        #expect(throws: CocoaError.self) { try ModelArchive.read(data) }
    }

    /// Many entities that share one long list of properties would take time by the square of the size.
    // The limit is for what never ends: it counts the time that other tests take, too.
    @Test(.timeLimit(.minutes(60))) func aListThatManyObjectsShareIsRefused() throws {
        var objects = ArchiveObjects()
        let names = (0..<3000).map { objects.add(.string("p\($0)")) }
        let list = objects.reserve()
        objects.fill(list, "NSDictionary", ["NS.keys": .array(names), "NS.objects": .array(names)])
        var entities: [(String, Int)] = []
        for number in 0..<3000 {
            let entity = objects.reserve()
            let name = objects.add(.string("E\(number)"))
            objects.fill(entity, "NSEntityDescription", ["NSEntityName": name, "NSUserInfo": .uid(list)])
            entities.append(("E\(number)", entity))
        }
        let data = objects.model(entities: entities)
        #expect(throws: CocoaError.self) { try ModelArchive.read(data) }
    }
}

/// Builds archives that no archiver would write.
private struct ArchiveObjects {
    private var objects: [PropertyListValue] = [.string("$null")]

    mutating func add(_ value: PropertyListValue) -> PropertyListValue {
        objects.append(value)
        return .uid(objects.count - 1)
    }

    mutating func reserve() -> Int {
        objects.append(.null)
        return objects.count - 1
    }

    mutating func fill(_ number: Int, _ className: String, _ fields: [String: PropertyListValue]) {
        var fields = fields
        fields["$class"] = add(
            .dictionary(["$classname": .string(className), "$classes": .array([.string(className)])]))
        objects[number] = .dictionary(fields)
    }

    mutating func model(entities: [(name: String, number: Int)]) -> Data {
        let list = reserve()
        let names = entities.map { add(.string($0.name)) }
        let numbers = entities.map { PropertyListValue.uid($0.number) }
        fill(list, "NSDictionary", ["NS.keys": .array(names), "NS.objects": .array(numbers)])
        return model(fields: ["NSEntities": .uid(list)])
    }

    mutating func model(predicate: Int) -> Data {
        let request = reserve()
        fill(request, "NSFetchRequest", ["NSPredicate": .uid(predicate)])
        let list = reserve()
        let name = add(.string("Template"))
        fill(list, "NSDictionary", ["NS.keys": .array([name]), "NS.objects": .array([.uid(request)])])
        return model(fields: ["NSFetchRequestTemplates": .uid(list)])
    }

    mutating func model(fields: [String: PropertyListValue]) -> Data {
        let root = reserve()
        fill(root, "NSManagedObjectModel", fields)
        return PropertyListValue.dictionary([
            "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
            "$top": .dictionary(["root": .uid(root)]), "$objects": .array(objects),
        ]).binary
    }
}

extension PropertyListValue {
    fileprivate func mapReferences(_ change: (Int) -> Int) -> PropertyListValue {
        switch self {
        case .uid(let number): .uid(change(number))
        case .array(let elements): .array(elements.map { $0.mapReferences(change) })
        case .dictionary(let entries): .dictionary(entries.mapValues { $0.mapReferences(change) })
        default: self
        }
    }

    fileprivate func mapStrings(_ change: (String) -> String) -> PropertyListValue {
        switch self {
        case .string(let text): .string(change(text))
        case .array(let elements): .array(elements.map { $0.mapStrings(change) })
        case .dictionary(let entries): .dictionary(entries.mapValues { $0.mapStrings(change) })
        default: self
        }
    }
}
