import Foundation
import Testing

@Suite("Stores without their model")
struct MissingModelTests {
    private static let sample = "coredataplus-samplemodel/SampleModel_V1.sqlite"
    private static let compiled = Samples.compiledModels.appendingPathComponent("SampleModel.momd").path

    @Test(
        "without its model every store is exported, with the values and references that it has with it",
        arguments: Samples.storeNamesWithModel)
    func inferred(store: String) throws {
        let copy = try StoreCopy(store, sql: "DROP TABLE Z_MODELCACHE")
        let run = try Command(["export", copy.path])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("note: there is no model; entities and columns are inferred"))
        let inferred = try ExportedObject.all(run.output)
        let known = try ExportedObject.all(#require(Samples.recorded(store, "export.jsonl")))
        // An entity that was renamed in place has its old name in Z_PRIMARYKEY, which is all that is left.
        let renamed =
            known.keys.contains { $0.hasPrefix("LuxuryCar/") } && !inferred.keys.contains { $0.hasPrefix("Lux") }
        if !renamed { #expect(Set(inferred.keys) == Set(known.keys)) }
        for (id, object) in inferred {
            guard let expected = known[id] else { continue }
            compare(object, expected)
        }
    }

    private func compare(_ object: ExportedObject, _ expected: ExportedObject) {
        for (name, value) in expected.attributes {
            guard let text = value as? String, let found = object.attributes[name.lowercased()] as? String else {
                continue
            }
            #expect(found == text, "\(object.id).\(name)")
        }
        for (name, value) in expected.relationships {
            let found = object.relationships[name.lowercased()]
            if let id = value as? String, let found = found as? String { #expect(found == id, "\(object.id).\(name)") }
            if let ids = value as? [String], let found = found as? [String] {
                #expect(found == ids, "\(object.id).\(name)")
            }
        }
    }

    @Test("what is taken for a relationship is said, and followed")
    func relationships() throws {
        let copy = try StoreCopy(
            "coredataplus-samplemodel-2018/SampleModelV2.sqlite", sql: "DROP TABLE Z_MODELCACHE")
        let run = try Command(["export", copy.path])
        // All keys of owners are keys of cars, too, and no name tells.
        #expect(run.errors.contains("Car.owner is indexed, as references are, but it is not clear what it refers to"))
        #expect(run.errors.contains("(Car or Person): it is read as an integer"))
        #expect(run.errors.contains("Car.previousowners and Person.previouscars are to-many relationships"))
    }

    @Test("--model takes the version that made the store, and nothing is inferred")
    func given() throws {
        let copy = try StoreCopy(Self.sample, sql: "DROP TABLE Z_MODELCACHE")
        let run = try Command(["export", copy.path, "--model", Self.compiled])
        #expect(run.status == 0)
        #expect(run.output == Samples.recorded(Self.sample, "export.jsonl"))
        #expect(run.errors == Samples.recorded(Self.sample, "export.warnings") ?? "")
        let check = try Command(["check", copy.path, "--model", Self.compiled])
        #expect(check.status == 0 && check.output.isEmpty && check.errors.isEmpty, "\(check.output)\(check.errors)")
    }

    @Test("a model of another version is fitted as far as it goes, and check says that it is another")
    func otherVersion() throws {
        let copy = try StoreCopy(Self.sample, sql: "DROP TABLE Z_MODELCACHE")
        let other = Self.compiled + "/SampleModel3.mom"
        let run = try Command(["export", copy.path, "--model", other])
        #expect(run.status == 0)
        #expect(run.errors.contains("warning: no version of the given model made this store"))
        #expect(run.output.split(separator: "\n").count >= 135)
        let check = try Command(["check", copy.path, "--model", other])
        #expect(check.status == 1)
        #expect(check.output.contains("error version-hash Z_METADATA Car:"))
        #expect(
            try Command(["query", copy.path, "Car", "--model", other, "--limit", "1", "--columns", "id"]).status == 0)
    }

    @Test("a model that is missing or none has the exit code that it has elsewhere")
    func noModelAtPath() throws {
        let path = Samples.path(Self.sample)
        #expect(try Command(["inspect", path, "--model", "/nowhere.mom"]).status == 2)
        #expect(try Command(["inspect", path, "--model", Samples.stores.path]).status == 5)
    }

    @Test("a damaged model in the store is told, and the store is read without it")
    func damagedModel() throws {
        let copy = try StoreCopy(Self.sample, sql: "UPDATE Z_MODELCACHE SET Z_CONTENT = x'00ff00ff'")
        let run = try Command(["export", copy.path])
        #expect(run.status == 0)
        #expect(run.errors.contains("warning: the model in the store can't be read"))
        #expect(try Command(["model", copy.path]).status == 4)
        let check = try Command(["check", copy.path])
        #expect(check.status == 1 && check.output.hasPrefix("error model-cache Z_MODELCACHE: "))
    }

    @Test("query, its predicates and its key paths work on what is inferred")
    func query() throws {
        let run = try Command([
            "query", Samples.path("apple-recipes/Recipes.sqlite"), "Recipe", "--where", "type.name == 'Dessert'",
            "--sort", "name", "--limit", "2", "--columns", "id,name,ingredients.@count,image",
        ])
        #expect(run.status == 0)
        let expected = """
            id         name            ingredients.@count  image
            ─────────  ──────────────  ──────────────────  ────────
            Recipe/p1  Chocolate Cake                   9  Image/p2
            """
        #expect(run.output.hasPrefix(expected), "\(run.output)")
    }
}

@Suite("Stores with oddities")
struct OddStoreTests {
    private static let sample = "coredataplus-samplemodel/SampleModel_V1.sqlite"

    /// What real stores were seen with, and what tools leave behind.
    private static let oddities = [
        "UPDATE Z_METADATA SET Z_PLIST = NULL", "UPDATE Z_METADATA SET Z_PLIST = x'01'", "DELETE FROM Z_METADATA",
        "UPDATE Z_METADATA SET Z_UUID = NULL", "UPDATE Z_PRIMARYKEY SET Z_MAX = 0", "UPDATE ZCAR SET ZOWNER = 9999",
        "UPDATE Z_PRIMARYKEY SET Z_MAX = NULL", "UPDATE ZCAR SET ZNUMBERPLATE = NULL", "UPDATE ZCAR SET Z_OPT = NULL",
        "UPDATE ZCAR SET Z_ENT = NULL WHERE Z_PK < 9", "UPDATE ZCAR SET Z_ENT = 99 WHERE Z_PK < 9",
        "UPDATE Z_PRIMARYKEY SET Z_SUPER = 3 WHERE Z_ENT = 2", "UPDATE Z_PRIMARYKEY SET Z_SUPER = NULL",
        "INSERT INTO Z_PRIMARYKEY VALUES (77, NULL, 0, 0)", "INSERT INTO Z_PRIMARYKEY VALUES (78, 'Ghost', 0, 5)",
        "UPDATE ZCAR SET ZISLIMITEDEDITION = 1",
        "ALTER TABLE ZPERSON ADD COLUMN ZEXTRA", "ALTER TABLE ZPERSON ADD COLUMN Z7_EXTRA INTEGER",
        "ALTER TABLE ZCAR DROP COLUMN ZMAKER", "CREATE VIEW v AS SELECT * FROM ZCAR", "CREATE TABLE Z_9X (a)",
        "CREATE TRIGGER t AFTER UPDATE ON ZCAR BEGIN SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue"
            + "('ZCAR', 1, NEW.Z_PK, 'x', 1); END", "CREATE TABLE \"Z;DROP\" (\"a\"\"b\")",
        "CREATE VIRTUAL TABLE Z_RT_Car_place USING rtree(Z_PK INTEGER PRIMARY KEY, a FLOAT, b FLOAT)",
        "CREATE TABLE Z_1CARS (Z_1CARS INTEGER, REFLEXIVE INTEGER)",
        "CREATE TABLE Z_1FOLKS (Z_1CARS1 INTEGER, Z_4FOLKS INTEGER)",
    ]

    @Test("an oddity never stops a look at a store, with or without its model", arguments: oddities)
    func odd(sql: String) throws {
        for model in ["", "; DROP TABLE Z_MODELCACHE"] {
            let copy = try StoreCopy(Self.sample, sql: sql + model)
            for arguments in [["inspect"], ["export"], ["inspect", "--deleted"]] {
                let run = try Command([arguments[0], copy.path] + arguments.dropFirst())
                #expect(run.status == 0, "\(arguments) \(run.errors)")
            }
            let query = try Command(["query", copy.path, "Car", "--columns", "id,owner,model"])
            #expect(query.status == 0, "\(query.errors)")
            let check = try Command(["check", copy.path])
            #expect([0, 1].contains(check.status) && (check.status == 1) == !check.output.isEmpty, "\(check.errors)")
        }
    }

    @Test("more entities than export can number are refused with their count, and up to 65,535 are read")
    func manyEntities() throws {
        func copy(entities: Int) throws -> StoreCopy {
            try StoreCopy(
                Self.sample,
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n)
                    INSERT INTO Z_PRIMARYKEY SELECT i, 'Ghost' || i, 0, 0 FROM n
                    LIMIT \(entities) - (SELECT COUNT(*) FROM Z_PRIMARYKEY)
                    """)
        }
        let expected = try Command(["export", Samples.path(Self.sample)])
        let most = try copy(entities: 65_535)
        let read = try Command(["export", most.path])
        #expect(read.status == 0 && read.output == expected.output, "\(read.errors.prefix(500))")
        let tooMany = try copy(entities: 65_536)
        let refused = try Command(["export", tooMany.path])
        #expect(refused.status == 4 && refused.output.isEmpty)
        #expect(refused.errors.contains("65536 entities; up to 65535 are read"), "\(refused.errors.prefix(500))")
    }
}
