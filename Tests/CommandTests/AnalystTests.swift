import Foundation
import StoreBrowsing
import Testing

@testable import CoreDataCommand

@Suite("What an analyst asks of a store")
struct AnalystTests {
    private static let recipes = Samples.path("apple-recipes/Recipes.sqlite")
    private static let moody = Samples.path("objcio-moody/Moody_3.moody")
    private static let bookmarks = Samples.path("ddg-bookmarks/Bookmarks_V5.sqlite")
    private static let cars = Samples.path("coredataplus-samplemodel-2018/SampleModelV2.sqlite")

    // MARK: Evidence

    @Test(
        "--verify prints the SHA-256 of store and log before and after",
        arguments: [
            ["inspect"], ["inspect", "--deleted"], ["export"], ["export", "--deleted"], ["check"], ["model"],
            ["model", "show", "--hashes"], ["query", "BookmarkEntity"], ["tree", "BookmarkEntity/p1"],
        ])
    func verify(command: [String]) throws {
        // The store comes after the subcommand, before other operands.
        let place = command.first == "model" && command.count > 1 ? 2 : 1
        let arguments = command[..<place] + [Self.bookmarks] + command[place...]
        let run = try Command(Array(arguments) + ["--verify"])
        #expect(run.status == 0, "\(run.errors)")
        var expected: [String] = []
        for when in ["before", "after "] {
            for suffix in ["", "-wal"] {
                let file = Self.bookmarks + suffix
                let sum = try Command(executable: URL(fileURLWithPath: "/usr/bin/env"), arguments: ["sha256sum", file])
                let name = URL(fileURLWithPath: file).lastPathComponent
                expected.append("\(when)  SHA-256 \(sum.output.prefix(64))  \(name)")
            }
        }
        let told = run.errors.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("note: ") }
        #expect(told == expected + ["verified: nothing has changed"])
        #expect(run.output == (try Command(Array(arguments)).output))
    }

    @Test("a store behind a symbolic link is read with the log that lies beside it")
    func link() throws {
        let folder = try TemporaryFolder()
        let link = folder.url.appendingPathComponent("Link.sqlite")
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: Self.bookmarks)
        let run = try Command(["inspect", link.path, "--json"])
        #expect(run.output == Samples.recorded("ddg-bookmarks/Bookmarks_V5.sqlite", "inspect.json"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Link.sqlite"])
    }

    // MARK: Values

    @Test("--dates local shows the clock of the time zone on that day, daylight saving included")
    func dates() throws {
        let arguments = [
            "query", Self.moody, "Country", "--sort", "updatedAt", "--limit", "1", "--columns", "updatedAt",
        ]
        let utc = try Command(arguments)
        #expect(utc.output.contains("2015-09-23T07:44:21.668Z"))
        let zones = [
            "Europe/Berlin": "2015-09-23T09:44:21.668+02:00", "America/St_Johns": "2015-09-23T05:14:21.668-02:30",
            "UTC": "2015-09-23T07:44:21.668+00:00",
        ]
        for (zone, date) in zones {
            let run = try Command(arguments + ["--dates", "local"], environment: ["TZ": zone])
            #expect(run.output.contains(date), "\(zone): \(run.output)")
        }
        let winter = try #require(TimeZone(identifier: "Europe/Berlin"))
        #expect(ISODate.localText(milliseconds: 0, zone: winter) == "2001-01-01T01:00:00.000+01:00")
    }

    @Test("--decode shows keyed archives as JSON")
    func decode() throws {
        let run = try Command([
            "export", Samples.path("bookmigration/Model1.sqlite"), "--entity", "Book", "--decode",
        ])
        #expect(run.status == 0)
        let books = try ExportedObject.all(run.output)
        #expect(books["Book/p9"]?.attributes["fileurl"] as? String == "The Trial.file")
    }

    @Test("--extract writes each blob to a file of its own, and the export says which")
    func extract() throws {
        let folder = try TemporaryFolder()
        let target = folder.url.appendingPathComponent("blobs")
        let arguments = ["export", Self.recipes, "--entity", "Image", "--extract", target.path]
        let run = try Command(arguments)
        #expect(run.status == 0, "\(run.errors)")
        let plain = try ExportedObject.all(Command(["export", Self.recipes, "--entity", "Image"]).output)
        let images = try ExportedObject.all(run.output)
        #expect(images.count == 7)
        for (id, image) in images {
            let blob = try #require(image.attributes["image"] as? [String: Any])
            let name = try #require(blob["file"] as? String)
            #expect(name == id.replacing("/", with: "-") + ".image.jpg")
            let data = try Data(contentsOf: target.appendingPathComponent(name))
            #expect(data.base64EncodedString() == plain[id]?.attributes["image"] as? String)
            #expect(blob["bytes"] as? Int == data.count)
            #expect((blob["sha256"] as? String)?.count == 64)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.path).count == 7)
        let again = try Command(arguments)
        #expect(again.status == 1 && again.errors.contains("exists already"))
    }

    @Test("nothing is extracted into the store's own folder")
    func extractBeside() throws {
        let copy = try StoreCopy("apple-recipes/Recipes.sqlite")
        let run = try Command(["export", copy.path, "--extract", copy.folder.url.path])
        #expect(run.status == 1 && run.errors.contains("the store's own folder"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: copy.folder.url.path) == ["Copy.sqlite"])
    }

    // MARK: Key paths

    @Test("columns follow relationships, to-manys and collection operators")
    func keyPaths() throws {
        let run = try Command([
            "query", Self.cars, "Person", "--where", "cars.@count > 1", "--sort", "lastName,firstName", "--limit", "1",
            "--format", "jsonl", "--columns",
            "lastName,cars.@count,cars.numberPlate,cars.@max.numberPlate,cars.owner.lastName",
        ])
        #expect(run.status == 0, "\(run.errors)")
        let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        let plates = try #require(json?["cars.numberPlate"] as? [String])
        #expect(plates.count > 1 && plates.count == json?["cars.@count"] as? Int)
        #expect(plates.max() == json?["cars.@max.numberPlate"] as? String)
        let owners = try #require(json?["cars.owner.lastName"] as? [String])
        #expect(Set(owners) == [json?["lastName"] as? String ?? ""])
    }

    @Test("--explain shows SQL, parameters and plan, and says in words what is scanned and which index would help")
    func explain() throws {
        let run = try Command([
            "query", Self.cars, "Person", "--where", "lastName == 'Smith'", "--sort", "firstName", "--explain",
        ])
        let parts = run.output.components(separatedBy: "\n\n")
        #expect(parts.count == 4 && parts[0].hasPrefix("SELECT t0.Z_PK, "))
        #expect(parts[1] == "parameters\n  ?1 = 'Smith'")
        #expect(parts[2].hasPrefix("plan\n  SCAN t0"))
        #expect(
            parts[3] == """
                in words
                  Walks through all of Person in the order of the index Z_Person_UNIQUE_firstName_lastName.
                  A fetch index of Person over lastName, firstName would help.

                """)
        let all = try Command(["query", Self.cars, "Person", "--explain"])
        #expect(all.output.contains("parameters\n  none\n"))
        #expect(all.output.contains("Reads the whole table ZPERSON, as it is asked for all of Person."))
    }

    @Test("CSV of a query is that of an export")
    func queryCSV() throws {
        let columns = [
            "query", Self.moody, "Country", "--sort", "-updatedAt", "--limit", "1", "--columns", "id,moods.@count",
        ]
        #expect(try Command(columns + ["--format", "csv"]).output == "\u{FEFF}id,moods.@count\r\nCountry/p2,2\r\n")
        #expect(try Command(columns + ["--format", "csv", "--exact"]).output == "id,moods.@count\r\nCountry/p2,2\r\n")
    }

    // MARK: Trees

    @Test("a tree shows an object, its relationships, and no object twice")
    func tree() throws {
        let run = try Command(["tree", Self.recipes, "Ingredient/p4", "--depth", "2", "--members", "1"])
        let expected = """
            Ingredient/p4
            ├─ amount  7 ounces
            ├─ displayorder  7
            ├─ name  Self-raising flour
            └─ recipe → Recipe/p1
            """
        #expect(run.status == 0)
        #expect(run.output.hasPrefix(expected), "\(run.output)")
        #expect(run.output.contains("│  └─ recipe → Recipe/p1  above") || run.output.contains("Recipe/p1  above"))
        #expect(run.output.contains("… 8 more"))
        #expect(run.output.contains("<") && run.output.contains(" bytes>"))
        let flat = try Command(["tree", Self.recipes, "Ingredient/p4", "--depth", "0"])
        #expect(flat.output.split(separator: "\n").count == 5)
    }

    @Test("a tree takes the URI of an object, and the name of an entity above its own")
    func treeIdentifiers() throws {
        let byName = try Command(["tree", Self.moody, "Country/p2"])
        #expect(byName.status == 0 && byName.output.hasPrefix("Country/p2\n"))
        #expect(try Command(["tree", Self.moody, "x-coredata://374C5961/Country/p2"]).output == byName.output)
        #expect(try Command(["tree", Self.moody, "GeographicRegion/p2"]).output == byName.output)
        let json = try Command(["tree", Self.moody, "Country/p2", "--json"])
        let tree = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        let moods = (tree?["relationships"] as? [String: Any])?["moods"] as? [String: Any]
        #expect(moods?["count"] as? Int == 2)
    }

    // MARK: What is gone

    @Test("--deleted lists what the history says of deleted objects, and which keys have no row")
    func deleted() throws {
        let sql = """
            UPDATE ACHANGE SET ZCHANGETYPE = 2, ZENTITYPK = 7; ALTER TABLE ACHANGE ADD COLUMN ZTOMBSTONE0 VARCHAR;
            UPDATE ACHANGE SET ZTOMBSTONE0 = 'cart-7'
            """
        let copy = try StoreCopy("cartkit-swiftdata/CartKitSwiftData_v1.sqlite", sql: sql)
        let run = try Command(["export", copy.path, "--deleted"])
        let expected =
            #"{"author":null,"bundle":"com.apple.dt.xctest.tool","context":null,"date":"2026-01-30T15:01:45.827Z","#
            + #""entity":"CartModel","id":"CartModel/p7","process":"xctest","tombstone":{"ZTOMBSTONE0":"cart-7"},"#
            + #""transaction":1}"# + "\n"
        #expect(run.status == 0 && run.output == expected, "\(run.output)")
        let csv = try Command(["export", copy.path, "--deleted", "--format", "csv", "--exact"])
        #expect(csv.output.hasPrefix("id,entity,date,transaction,author,context,bundle,process,ZTOMBSTONE0\r\n"))
        #expect(csv.output.hasSuffix(",cart-7\r\n"))
        #expect(try Command(["export", copy.path, "--deleted", "--entity", "CartItemModel"]).output.isEmpty)
        let inspect = try Command(["inspect", copy.path, "--deleted"])
        #expect(inspect.output.contains("CartModel/p7") && inspect.output.contains("cart-7"))
    }

    @Test("that there is no history to ask is said")
    func noHistory() throws {
        let run = try Command(["export", Self.recipes, "--deleted"])
        #expect(run.status == 0 && run.output.isEmpty)
        #expect(run.errors == "note: the store has no history; inspect --deleted counts the keys that have no row\n")
        let empty = try Command([
            "export", Samples.path("cartkit-swiftdata/CartKitSwiftData_v1.sqlite"), "--deleted",
        ])
        #expect(empty.status == 0 && empty.output.isEmpty && empty.errors.isEmpty)
        let inspect = try Command(["inspect", Self.recipes, "--deleted"])
        #expect(inspect.output.contains("The store has no history."))
    }

    @Test("keys without a row are counted, in stores without history too")
    func vacantKeys() throws {
        let run = try Command(["inspect", Self.recipes, "--deleted", "--json"])
        let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        let vacant = (json?["deleted"] as? [String: Any])?["keysWithoutRow"] as? [String: Int]
        #expect(vacant == ["Image": 2, "Ingredient": 2, "Recipe": 3, "RecipeType": 0])
    }

    // MARK: Check

    @Test("check is silent on clean stores", arguments: Samples.storeNames)
    func clean(store: String) throws {
        let run = try Command(["check", Samples.path(store)])
        #expect(run.status == 0, "\(run.output)")
        #expect(run.output.isEmpty)
        #expect(run.errors.isEmpty == Samples.storeNamesWithModel.contains(store))
    }

    @Test("a finding is a line with its place, or an object of JSON, and the exit code is 1")
    func findings() throws {
        let copy = try StoreCopy(
            "coredataplus-samplemodel-2018/SampleModelV2.sqlite", sql: "UPDATE ZCAR SET ZOWNER = 999 WHERE Z_PK = 3")
        let run = try Command(["check", copy.path])
        #expect(run.status == 1 && run.errors.isEmpty)
        #expect(
            run.output == "error dangling-reference ZCAR Car/p3.owner: the row 999 of ZPERSON is not there\n",
            "\(run.output)")
        let json = try Command(["check", copy.path, "--json"])
        #expect(json.status == 1)
        let findings = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]]
        #expect(findings?.count == 1)
        #expect(findings?.first?["kind"] as? String == "dangling-reference")
        #expect(findings?.first?["row"] as? Int == 3)
        #expect(try Command(["check", Self.cars, "--json"]).output == "[]\n")
    }
}

@Suite("Property lists and keyed archives as JSON")
struct ArchivedJSONTests {
    private func decode(_ object: NSObject) throws -> JSONValue? {
        let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false)
        return ArchivedJSON.decode(data, dates: .utc)
    }

    @Test("collections and values of Foundation are what they stand for")
    func known() throws {
        let object: NSDictionary = [
            "list": [1, "two"] as NSArray, "date": Date(timeIntervalSinceReferenceDate: 0),
            "data": Data([1, 2, 3]), "url": URL(string: "https://example.com/a")!,
            "set": NSSet(array: ["only"]), "real": 0.5,
        ]
        let expected: JSONValue = [
            "list": [1, "two"], "date": "2001-01-01T00:00:00.000Z", "data": "AQID",
            "url": "https://example.com/a", "set": ["only"], "real": .double(0.5),
        ]
        let decoded = try #require(try decode(object))
        #expect(decoded == expected, "\(JSONWriter(layout: .compact).string(decoded))")
    }

    @Test("a plain property list, binary or XML, needs no archive")
    func plain() throws {
        for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
            let data = try PropertyListSerialization.data(
                fromPropertyList: ["a": [1, 2], "b": true] as [String: Any], format: format, options: 0)
            #expect(ArchivedJSON.decode(data, dates: .utc) == ["a": [1, 2], "b": true])
        }
        #expect(ArchivedJSON.decode(Data("bplist00 and nothing more".utf8), dates: .utc) == nil)
        #expect(ArchivedJSON.decode(Data(), dates: .utc) == nil)
    }

    @Test("an unknown class is an object of its fields, a reference back is a number, an explosion is refused")
    func hostile() throws {
        let program = """
            import plistlib, sys, base64
            U = plistlib.UID
            def archive(objects):
                data = plistlib.dumps({"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": U(1)},
                                       "$objects": objects}, fmt=plistlib.FMT_BINARY)
                print(base64.b64encode(data).decode())
            array = {"$classname": "NSArray", "$classes": ["NSArray", "NSObject"]}
            archive(["$null", {"$class": U(2), "red": 0.5, "me": U(1)}, {"$classname": "UIColor"}])
            archive(["$null"] + [{"$class": U(60), "NS.objects": [U(n + 1)] * 9} for n in range(1, 59)] + ["end", array])
            archive(["$null"] + [{"$class": U(900), "NS.objects": [U(n + 1)]} for n in range(1, 899)] + ["end", array])
            def nested(value, depth):
                for _ in range(depth): value = [value]
                return value
            archive(["$null"] + [nested(U(n + 1), 120) for n in range(1, 190)] + ["end"])
            archive(["$null", nested(U(2), 120), nested("end", 120)])
            """
        let archives = try Python.run(program, input: "").split(separator: "\n").map {
            Data(base64Encoded: String($0))!
        }
        #expect(
            ArchivedJSON.decode(archives[0], dates: .utc)
                == ["$class": "UIColor", "red": .double(0.5), "me": ["$ref": 1]])
        #expect(ArchivedJSON.decode(archives[1], dates: .utc) == nil)
        #expect(ArchivedJSON.decode(archives[2], dates: .utc) == nil)
        // Lists between the references nest as well.
        #expect(ArchivedJSON.decode(archives[3], dates: .utc) == nil)
        let deep = try #require(ArchivedJSON.decode(archives[4], dates: .utc))
        #expect(JSONWriter(layout: .compact).string(deep).count { $0 == "[" } == 240)
    }
}
