import Foundation
import ModelArchive
import ModelDocument
import RandomSeeds
import Testing

@Suite struct CompiledMappingTests {
    @Test func aCompiledMappingIsRead() throws {
        let mapping = try CompiledMapping(Samples.mapping("alemar11-CoreDataPlus-V2toV3/V2toV3.cdm"))
        #expect(
            mapping.entityMappings.map(\.name) == [
                "CarToCar", "LuxuryCarToLuxuryCar", "PersonToPerson", "SportCarToSportCar", "Maker",
            ])
        #expect(mapping.entityMappings.map(\.type) == [.custom, .custom, .copy, .custom, .add])
        let car = try #require(mapping.entityMappings.first)
        #expect(car.sourceEntityName == "Car" && car.destinationEntityName == "Car")
        #expect(car.migrationPolicyClassName == "REPLACE_AT_RUNTIME.V2to3MakerPolicy")
        #expect(
            car.sourceExpression == """
                FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Car", "TRUEPREDICATE"), \
                $manager.sourceContext, 0)
                """)
        #expect(car.attributeMappings.map(\.name) == ["markedForDeletionAsOf", "model", "numberPlate"])
        #expect(car.attributeMappings.map(\.valueExpression).last == "$source.numberPlate")
        #expect(car.relationshipMappings.map(\.name) == ["createdBy", "owner", "previousOwners"])
        #expect(
            car.relationshipMappings.map(\.valueExpression) == [
                nil,
                """
                FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "PersonToPerson", \
                $source.owner)
                """,
                """
                FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "PersonToPerson", \
                $source.owner)
                """,
            ])
        let maker = try #require(mapping.entityMappings.last)
        #expect(maker.sourceEntityName == nil && maker.sourceExpression == nil && maker.sourceEntityVersionHash == nil)
    }

    /// The hashes in a compiled mapping are those of its models' entities.
    @Test func theHashesAreThoseOfTheModels() throws {
        let mapping = try CompiledMapping(Samples.mapping("alemar11-CoreDataPlus-V2toV3/V2toV3.cdm"))
        let old = try VersionInfo(Samples.compiled("SampleModel.momd/VersionInfo.plist")).hashes["SampleModel2"]
        let new = try VersionInfo(Samples.compiled("SampleModel.momd/VersionInfo.plist")).hashes["SampleModel3"]
        for entity in mapping.entityMappings {
            #expect(entity.sourceEntityVersionHash == entity.sourceEntityName.flatMap { old?[$0] })
            #expect(entity.destinationEntityVersionHash == entity.destinationEntityName.flatMap { new?[$0] })
        }
    }

    /// Whether lists of arguments are mutable can't matter; all else is the same.
    @Test func whatIsWrittenIsObjectForObjectWhatXcodeWrote() throws {
        let apples = try Samples.mapping("alemar11-CoreDataPlus-V2toV3/V2toV3.cdm")
        let ours = try CompiledMapping(apples).data()
        let differences = try ArchiveComparison(apples: apples, ours: ours).differences
        #expect(differences.filter { $0.key != "NSArguments" || !$0.isOfMutability }.isEmpty)
    }

    @Test func whatIsWrittenIsReadAsItWas() throws {
        var mapping = try CompiledMapping(Samples.mapping("alemar11-CoreDataPlus-V2toV3/V2toV3.cdm"))
        mapping.entityMappings[0].userInfo = ["note": "kept"]
        mapping.entityMappings[0].attributeMappings[0].userInfo = ["note": "kept too"]
        mapping.entityMappings[0].type = .transform
        #expect(try CompiledMapping(mapping.data()) == mapping)
        #expect(try CompiledMapping(CompiledMapping().data()) == CompiledMapping())
    }

    @Test func whatIsWrongIsRefusedWithASentence() throws {
        var first = CompiledMapping.EntityMapping(name: "A", type: .add)
        #expect(throws: CocoaError.self) { try CompiledMapping(entityMappings: [first, first]).data() }
        first.attributeMappings = [.init(name: "name", valueExpression: "$source.")]
        #expect {
            try CompiledMapping(entityMappings: [first]).data()
        } throws: { error in
            (error as? CocoaError)?.code == .fileWriteUnknown && error.localizedDescription.contains("“name” in “A”")
        }
    }

    /// A truncated file, a damaged one and a model instead of a mapping end in an error of Cocoa's.
    @Test func hostileDataIsRefused() throws {
        let data = try Samples.mapping("alemar11-CoreDataPlus-V2toV3/V2toV3.cdm")
        for length in stride(from: 0, to: data.count, by: 7) {
            #expect(throws: CocoaError.self) { try CompiledMapping(data.prefix(length)) }
        }
        #expect(throws: CocoaError.self) { try CompiledMapping(Samples.compiled("Contacts.mom")) }
        #expect(throws: CocoaError.self) { try ModelArchive.read(data) }
        let seed = SeededGenerator.seed
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            var bytes = Array(data)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 8..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            do {
                _ = try CompiledMapping(Data(bytes))
            } catch {
                #expect(error is CocoaError, "seed \(seed): \(error)")
            }
        }
    }
}
