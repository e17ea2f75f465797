import Foundation
import Testing

@Suite("coredata model reads every form of a model")
struct ModelTests {
    private static let compiled =
        ((try? FileManager.default.subpathsOfDirectory(atPath: Samples.compiledModels.path)) ?? [])
        .filter { $0.hasSuffix(".mom") }.sorted()

    @Test("a compiled model, as the independent reader describes it", arguments: compiled)
    func compiledModel(file: String) throws {
        let url = Samples.compiledModels.appendingPathComponent(file)
        let run = try Command(["model", url.path, "--json"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output == Samples.recorded("compiled/" + file, "model.json"))
    }

    @Test("a .momd folder stands for its current version, and for another one by name")
    func folder() throws {
        let folder = Samples.compiledModels.appendingPathComponent("SampleModel3.momd")
        for version in ["SampleModel3", "SampleModel3_v2", "SampleModel3_v3"] {
            let direct = try Command(["model", folder.appendingPathComponent(version + ".mom").path, "--json"])
            let named = try Command(["model", folder.path, "--model-version", version, "--json"])
            #expect(direct.status == 0)
            #expect(named.output == direct.output)
        }
        let plist = try PropertyListSerialization.propertyList(
            from: Data(contentsOf: folder.appendingPathComponent("VersionInfo.plist")), format: nil)
        let current = try #require((plist as? [String: Any])?["NSManagedObjectModel_CurrentVersionName"] as? String)
        let expected = try Command(["model", folder.path, "--model-version", current, "--hashes"])
        #expect(try Command(["model", folder.path, "--hashes"]).output == expected.output)
    }

    @Test("a document has the hashes of the model that Xcode compiled from it")
    func document() throws {
        let document = Samples.modelDocuments.appendingPathComponent(
            "alemar11-CoreDataPlus-SampleModel3/SampleModel3.xcdatamodeld")
        for version in ["SampleModel3", "SampleModel3_v2", "SampleModel3_v3"] {
            let source = try Command(["model", document.path, "--model-version", version, "--hashes", "--json"])
            let compiled = Samples.compiledModels.appendingPathComponent("SampleModel3.momd/\(version).mom")
            #expect(source.status == 0, "\(source.errors)")
            #expect(try Command(["model", compiled.path, "--hashes", "--json"]).output == source.output)
            let single = document.appendingPathComponent(version + ".xcdatamodel")
            #expect(try Command(["model", single.path, "--hashes", "--json"]).output == source.output)
        }
    }

    @Test("the hashes' JSON has its three members in order, on one line")
    func hashesLayout() throws {
        let model = Samples.compiledModels.appendingPathComponent("SampleModel3.momd/SampleModel3.mom")
        let expected = """
            {"hashes":{"User":"6b31f4e97b691d16c4c820bae55f89408d47013bd42151ecfde1eac7fe4be798"},\
            "digest":"0KLB/FnL8roMcgeszeCxnPnvYqnn4VzB2DpFP6csqrDKzLB6fyG5rrVfjY5DtnQxx4355oWuKFublPf2Jo1UWg==",\
            "checksum":"u970QgYhRHEJGIt0zQr1UhuZL2ZJ1KxBS+B7rkAx0ik="}

            """
        #expect(try Command(["model", model.path, "--hashes", "--json"]).output == expected)
    }

    @Test("the listing names types, options and inverses")
    func listing() throws {
        let model = Samples.compiledModels.appendingPathComponent("SampleModel.momd/SampleModel3.mom")
        let expected = """
            Car (unique numberPlate)
              markedForDeletionAsOf  Date
              model                  String
              numberPlate            String    required
              createdBy              Maker     inverse cars
              owner                  Person    inverse cars
              previousOwners         [Person]  inverse previousCars

            LuxuryCar: SportCar
              isLimitedEdition  Boolean  default false

            Maker (unique name)
              name  String  required
              cars  [Car]   inverse createdBy

            Person (unique firstName + lastName)
              firstName     String
              lastName      String
              updatedAt     Date    required
              cars          [Car]   inverse owner
              previousCars  [Car]   inverse previousOwners

            SportCar: Car

            """
        #expect(try Command(["model", model.path]).output == expected)
    }

    @Test("a damaged model is told apart from a missing and a foreign one")
    func failures() throws {
        let folder = try TemporaryFolder()
        let model = try Data(contentsOf: Samples.compiledModels.appendingPathComponent("Contacts.mom"))
        #expect(try Command(["model", folder.file("Cut.mom", model.prefix(100)).path]).status == 4)
        #expect(try Command(["model", folder.url.appendingPathComponent("None.mom").path]).status == 2)
        #expect(try Command(["model", folder.url.path]).status == 5)
    }
}
