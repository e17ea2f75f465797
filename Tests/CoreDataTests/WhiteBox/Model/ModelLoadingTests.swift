import CoreData
import Foundation
import ModelArchive
import ModelDocument
import Testing

@Suite("Loading models")
struct ModelLoadingTests {
    @Test("From Xcode's documents: properties of every kind arrive as descriptions")
    func document() throws {
        let url = ModelSamples.document("SwiftGen-SwiftGen-Model/Model.xcdatamodeld")
        let model = try #require(NSManagedObjectModel(contentsOf: url))
        #expect(model.configurations == ["Custom"])
        let main = try #require(model.entitiesByName["MainEntity"])
        #expect(main.managedObjectClassName == "CustomMainEntity" && main.userInfo?["key"] as? String == "value")
        #expect(main.attributesByName["decimal"]?.defaultValue as? NSDecimalNumber == 0)
        #expect((main.attributesByName["int32"]?.defaultValue as? NSNumber)?.intValue == 0)
        #expect(main.attributesByName["boolean"]?.defaultValue == nil)
        #expect(main.attributesByName["attributedString"]?.attributeValueClassName == "NSAttributedString")
        let many = try #require(main.relationshipsByName["oneToMany"])
        #expect(many.isToMany && many.isOrdered && many.destinationEntity?.name == "SecondaryEntity")
        #expect(many.inverseRelationship === many.destinationEntity?.relationshipsByName["oneToMany"])
        let fetched = try #require(main.propertiesByName["fetchedProperty"] as? NSFetchedPropertyDescription)
        #expect(fetched.fetchRequest?.entityName == "NewEntity" && fetched.fetchRequest?.predicate != nil)

        let child = try #require(model.entitiesByName["ChildEntity"])
        let derived = try #require(child.attributesByName["derivedCount"] as? NSDerivedAttributeDescription)
        #expect(derived.derivationExpression == NSExpression(format: "oneToMany.@count"))
        #expect(child.superentity === main && child.managedObjectClassName == "SwiftGen.ChildEntity")

        let new = try #require(model.entitiesByName["NewEntity"])
        #expect(new.superentity?.isAbstract == true && new.uniquenessConstraints as? [[String]] == [["identifier"]])
        #expect(new.indexes.first?.elements.first?.property === new.propertiesByName["identifier"])
        #expect(model.entities(forConfigurationName: "Custom")?.first === new)
    }

    @Test("Templates come with their flags; what a document leaves open is as Xcode compiles it")
    func templates() throws {
        let url = ModelSamples.document("SwiftGen-SwiftGen-Model/Model.xcdatamodeld")
        let model = try #require(NSManagedObjectModel(contentsOf: url))
        let objects = try #require(model.fetchRequestTemplate(forName: "ObjectFetchRequest"))
        #expect(objects.returnsDistinctResults && objects.includesPendingChanges && objects.entityName == "MainEntity")
        #expect(objects.predicate == NSPredicate(format: "uuid == $UUID"))
        let dictionaries = try #require(model.fetchRequestTemplate(forName: "DictionaryFetchRequest"))
        #expect(dictionaries.resultType == .dictionaryResultType && !dictionaries.includesPendingChanges)
        #expect(!dictionaries.returnsDistinctResults && dictionaries.includesSubentities)
        let ids = try #require(model.fetchRequestTemplate(forName: "ObjectIDFetchRequest"))
        #expect(ids.resultType == .managedObjectIDResultType)
    }

    @Test("A composite attribute comes with its elements")
    func composite() throws {
        let url = ModelSamples.document(
            "fatbobman-CoreDataEvolution-GeneratedFlowModel/GeneratedFlowModel.xcdatamodeld")
        let task = try #require(NSManagedObjectModel(contentsOf: url)?.entitiesByName["FlowTask"])
        let location = try #require(task.attributesByName["location"] as? NSCompositeAttributeDescription)
        #expect(location.elements.map(\.name) == ["lat", "lng"] && location.elements[0].type == .double)
        #expect((location.elements[0].defaultValue as? NSNumber)?.doubleValue == 0)
    }

    @Test("Bounds and pattern become validation predicates with Core Data's codes")
    func validation() throws {
        let url = ModelSamples.document("manicmaniac-core_data_model-model/model.xcdatamodeld/model.xcdatamodel")
        let entity = try #require(NSManagedObjectModel(contentsOf: url)?.entitiesByName["AllTypesOfAttributes"])
        func rules(_ name: String) -> [String] {
            guard let attribute = entity.attributesByName[name] else { return [] }
            return zip(attribute.validationPredicates, attribute.validationWarnings).map {
                "\($0.predicateFormat) \(($1 as? NSNumber)?.intValue ?? 0)"
            }
        }
        #expect(rules("integer16Attribute") == ["SELF >= 0 1620", "SELF <= 1 1610"])
        #expect(
            rules("stringAttribute") == [
                "length >= 0 1670", "length <= 100 1660", "SELF MATCHES \"Regular Expression\" 1680",
            ])
        let date = try #require(entity.attributesByName["dateAttribute"])
        #expect(date.validationWarnings as? [NSNumber] == [1640, 1630])
        let moment = Date(timeIntervalSinceReferenceDate: 479_176_980)
        #expect(date.defaultValue as? Date == moment)
        #expect(date.validationPredicates.allSatisfy { $0.evaluate(with: moment) })
        #expect(!date.validationPredicates[0].evaluate(with: moment.addingTimeInterval(-1)))
        #expect(!date.validationPredicates[1].evaluate(with: moment.addingTimeInterval(1)))
    }

    @Test("From compiled models, single and in folders, with the hashes that Xcode computed")
    func compiled() throws {
        let folder = ModelSamples.compiled.appendingPathComponent("SwiftGen-Model.momd")
        let model = try #require(NSManagedObjectModel(contentsOf: folder))
        let info = try PropertyListSerialization.propertyList(
            from: Data(contentsOf: folder.appendingPathComponent("VersionInfo.plist")), format: nil)
        let plist = try #require(info as? [String: Any])
        let versions = try #require(plist["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]])
        let current = try #require(plist["NSManagedObjectModel_CurrentVersionName"] as? String)
        #expect(model.entityVersionHashesByName == versions[current])

        let file = ModelSamples.compiled.appendingPathComponent("XMPPRoster.mom")
        #expect(NSManagedObjectModel(contentsOf: file)?.entities.isEmpty == false)
    }

    @Test("From every folder that Xcode compiled: the version that it names, whatever else lies there")
    func compiledFolders() throws {
        let folders = try FileManager.default.contentsOfDirectory(
            at: ModelSamples.compiled, includingPropertiesForKeys: nil
        ).filter { $0.pathExtension == "momd" }
        #expect(folders.count > 10)
        for folder in folders {
            let info = try PropertyListSerialization.propertyList(
                from: Data(contentsOf: folder.appendingPathComponent("VersionInfo.plist")), format: nil)
            let plist = try #require(info as? [String: Any])
            let versions = try #require(plist["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]])
            let current =
                plist["NSManagedObjectModel_CurrentVersionName"] as? String
                ?? (versions.count == 1 ? versions.keys.first : nil)
            try withModelFolder { place in
                let copy = place.appendingPathComponent(folder.lastPathComponent)
                try FileManager.default.copyItem(at: folder, to: copy)
                try Data("momv2$".utf8).write(to: copy.appendingPathComponent("\(current ?? "").omo"))
                let model = try #require(NSManagedObjectModel(contentsOf: copy))
                #expect(
                    model.entityVersionHashesByName == versions[try #require(current)], "\(folder.lastPathComponent)")
            }
        }
    }

    @Test("A bundle's compiled models, single and in folders, are merged; versions inside a folder count once")
    func merged() throws {
        try withModelFolder { place in
            let bundle = place.appendingPathComponent("Some.bundle")
            try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
            for name in ["SampleModel3.momd", "XMPPRoster.mom", "CartStorage.momd"] {
                try FileManager.default.copyItem(
                    at: ModelSamples.compiled.appendingPathComponent(name), to: bundle.appendingPathComponent(name))
            }
            try Data("hello".utf8).write(to: bundle.appendingPathComponent("Broken.mom"))
            let resources = try #require(Bundle(url: bundle))
            let merged = try #require(NSManagedObjectModel.mergedModel(from: [resources]))
            #expect(
                merged.entitiesByName.keys.sorted() == [
                    "CDCart", "CDCartItem", "CDCartItemModifier", "User", "XMPPGroupCoreDataStorageObject",
                    "XMPPResourceCoreDataStorageObject", "XMPPUserCoreDataStorageObject",
                ])
        }
    }

    @Test("A compiled folder is no model if its version info is damaged or names what is not there")
    func damagedFolders() throws {
        try withModelFolder { place in
            let folder = place.appendingPathComponent("Some.momd")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            #expect(throws: ModelDocumentError.self) { try NSManagedObjectModel(reading: folder) }
            let sample = ModelSamples.compiled.appendingPathComponent("SampleModel3.momd/SampleModel3.mom")
            try FileManager.default.copyItem(at: sample, to: folder.appendingPathComponent("A.mom"))
            #expect(try NSManagedObjectModel(reading: folder).entitiesByName.keys.sorted() == ["User"])
            let info = folder.appendingPathComponent("VersionInfo.plist")
            for text in [
                "hello",
                "<plist><dict><key>NSManagedObjectModel_CurrentVersionName</key><string>B</string></dict></plist>",
            ] {
                try Data(text.utf8).write(to: info)
                let error = #expect(throws: ModelDocumentError.self) { try NSManagedObjectModel(reading: folder) }
                #expect(error?.code == .damagedVersionList)
            }
        }
    }

    @Test("Document and compiled model of the same source agree")
    func agreement() throws {
        let document = ModelSamples.document("SwiftGen-SwiftGen-Model/Model.xcdatamodeld")
        let compiled = ModelSamples.compiled.appendingPathComponent("SwiftGen-Model.momd/Model 2.mom")
        let first = try NSManagedObjectModel(reading: document, version: "Model 2")
        let second = try NSManagedObjectModel(reading: compiled)
        #expect(first.entityVersionHashesByName == second.entityVersionHashesByName)
        let (values, others) = (first.document.normalized, second.document.normalized)
        for (value, other) in zip(values.entities, others.entities) {
            #expect(value == other)
        }
        #expect(values == others)
    }

    @Test("From the one-file resource of a build, which says the module")
    func resource() throws {
        let document = try ModelDocumentFolder(
            contentsOf: ModelSamples.document("manicmaniac-core_data_model-model/model.xcdatamodeld"))
        try withModelFolder { folder in
            let file = folder.appendingPathComponent("model.momd")
            try ModelBundleFile(document: document, moduleName: "App").data().write(to: file)
            let model = try #require(NSManagedObjectModel(contentsOf: file))
            #expect(model.entitiesByName["UserInfo"]?.managedObjectClassName == "App.UserInfo")
            #expect(model.versionIdentifiers == ["model version 2"])
            let old = try NSManagedObjectModel(reading: file, version: "model")
            #expect(old.versionIdentifiers == ["model version 1"])
        }
    }

    @Test("What is no model gives nil, and a reason")
    func failures() throws {
        try withModelFolder { folder in
            let missing = folder.appendingPathComponent("Missing.momd")
            #expect(NSManagedObjectModel(contentsOf: missing) == nil)
            let text = folder.appendingPathComponent("Text.mom")
            try Data("hello".utf8).write(to: text)
            #expect(NSManagedObjectModel(contentsOf: text) == nil)
            #expect(throws: CocoaError.self) { try NSManagedObjectModel(reading: text) }
            let broken = folder.appendingPathComponent("Broken.momd")
            try Data("hello".utf8).write(to: broken)
            let error = #expect(throws: ModelDocumentError.self) { try NSManagedObjectModel(reading: broken) }
            #expect(error?.code == .damagedBundleFile && error?.url == broken)
        }
    }

    @Test(
        "A document that no model can be made of says what is missing",
        arguments: [
            ("<entity name=\"A\" parentEntity=\"B\"/>", "\"B\""),
            ("<entity name=\"A\" parentEntity=\"A\"/>", "its own ancestor"),
            ("<entity name=\"A\"/><entity name=\"A\"/>", "same name"),
            ("<entity name=\"A\"><relationship name=\"r\" destinationEntity=\"B\"/></entity>", "A.r"),
            ("<entity name=\"A\"><relationship name=\"r\"/></entity>", "A.r"),
            (
                "<entity name=\"A\"><relationship name=\"r\" destinationEntity=\"A\" inverseName=\"s\"/></entity>",
                "\"s\""
            ),
            (
                "<entity name=\"A\"><attribute name=\"n\" attributeType=\"Integer 16\" defaultValueString=\"x\"/></entity>",
                "A.n"
            ),
            (
                "<entity name=\"A\"><attribute name=\"n\"/><attribute name=\"n\"/></entity>",
                "two properties named \"n\""
            ),
            ("<entity name=\"A\"/><fetchRequest name=\"f\" entity=\"A\" predicateString=\"n ==\"/>", "\"f\""),
            ("<entity name=\"A\"/><configuration name=\"c\"><memberEntity name=\"B\"/></configuration>", "\"c\""),
            (
                "<entity name=\"A\"><attribute name=\"n\" attributeType=\"Composite\" composite=\"C\"/></entity>",
                "\"C\""
            ),
        ])
    func impossible(content: String, part: String) throws {
        let document = try Model(contents: Data("<model>\(content)</model>".utf8))
        let error = #expect(throws: ModelDocumentError.self) { try NSManagedObjectModel(document: document) }
        #expect(error?.code == .invalidContent && error?.message.contains(part) == true, "\(error?.message ?? "")")
    }

    @Test("Checksums of all versions of a model")
    func checksums() throws {
        let url = ModelSamples.document("alemar11-CoreDataPlus-SampleModel3/SampleModel3.xcdatamodeld")
        let checksums = try NSManagedObjectModel.__checksumsForVersionedModel(at: url)
        #expect(checksums.keys.sorted() == ["SampleModel3", "SampleModel3_v2", "SampleModel3_v3"])
        #expect(checksums["SampleModel3"] == "u970QgYhRHEJGIt0zQr1UhuZL2ZJ1KxBS+B7rkAx0ik=")
    }

    @Test("A reference finds the version with its checksum")
    func references() throws {
        let url = ModelSamples.document("alemar11-CoreDataPlus-SampleModel3/SampleModel3.xcdatamodeld")
        let checksum = "u970QgYhRHEJGIt0zQr1UhuZL2ZJ1KxBS+B7rkAx0ik="
        let model = NSManagedObjectModelReference(fileURL: url, versionChecksum: checksum).resolvedModel
        #expect(model.versionChecksum == checksum && model.entitiesByName.keys.contains("User"))
        #expect(NSManagedObjectModelReference(model: model, versionChecksum: checksum).resolvedModel === model)
        try withModelFolder { folder in
            let bundle = folder.appendingPathComponent("Some.bundle")
            try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
            try FileManager.default.copyItem(at: url, to: bundle.appendingPathComponent("SampleModel3.xcdatamodeld"))
            let place = try #require(Bundle(url: bundle))
            let named = NSManagedObjectModelReference(name: "SampleModel3", in: place, versionChecksum: checksum)
            #expect(named.resolvedModel.entityVersionHashesByName == model.entityVersionHashesByName)
            let hashed = NSManagedObjectModelReference(
                entityVersionHashes: model.entityVersionHashesByName, in: place, versionChecksum: checksum)
            #expect(hashed.resolvedModel.versionChecksum == checksum)
            let merged = NSManagedObjectModel.mergedModel(
                from: [place], forStoreMetadata: [NSStoreModelVersionHashesKey: model.entityVersionHashesByName])
            #expect(merged?.versionChecksum == checksum)
            #expect(NSManagedObjectModel.mergedModel(from: [place])?.versionChecksum == checksum)
        }
        let missing = NSManagedObjectModelReference(fileURL: url, versionChecksum: "AAAA")
        let error = #expect(throws: NSError.self) { try missing.resolve() }
        #expect(error?.code == NSManagedObjectModelReferenceNotFoundError && error?.domain == NSCocoaErrorDomain)
    }

    @Test("A model is found by its name beside the executable; a missing one names the places")
    func lookup() throws {
        let error = #expect(throws: ModelDocumentError.self) { try NSManagedObjectModel.named("No such model") }
        #expect(error?.message.contains(Bundle.main.bundleURL.path) == true)
        let bundle = Bundle.main.bundleURL.appendingPathComponent("ModelLookup-\(UUID().uuidString).resources")
        try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: bundle) }
        let name = "Lookup\(UUID().uuidString.prefix(8))"
        try FileManager.default.copyItem(
            at: ModelSamples.compiled.appendingPathComponent("XMPPRoster.mom"),
            to: bundle.appendingPathComponent("\(name).mom"))
        #expect(try !NSManagedObjectModel.named(name).entities.isEmpty)
    }
}

@Suite("What survives the way through a model's values and back")
struct ModelRoundTripTests {
    @Test("User info of every kind of value, the localization dictionary, and version identifiers")
    func userInfo() throws {
        let league = ModelLeague()
        let info: [AnyHashable: Any] = [
            "text": "x", "number": 7, "real": 1.5, "flag": true, "date": Date(timeIntervalSinceReferenceDate: 3),
            "data": Data([1, 2]), "list": ["a", 1] as [Any], "nested": ["k": "v"],
        ]
        league.team.userInfo = info
        league.players.userInfo = info
        league.team.attributesByName["name"]?.userInfo = info
        league.model.localizationDictionary = ["Property/name/Entity/Team": "Name"]
        league.model.versionIdentifiers = ["1", "2"]
        let second = try NSManagedObjectModel(document: league.model.document)
        let team = try #require(second.entitiesByName["Team"])
        for copy in [
            team.userInfo, team.propertiesByName["players"]?.userInfo, team.propertiesByName["name"]?.userInfo,
        ] {
            #expect(copy as NSDictionary? == info as NSDictionary)
        }
        #expect(second.localizationDictionary == ["Property/name/Entity/Team": "Name"])
        #expect(second.versionIdentifiers == ["1", "2"])
    }

    @Test("Default values of every type")
    func defaults() throws {
        let league = ModelLeague()
        let values: [(NSAttributeDescription.AttributeType, NSObject)] = [
            (.integer64, NSNumber(value: Int64.min)), (.double, NSNumber(value: 0.1)),
            (.float, NSNumber(value: Float(0.1))),
            (.boolean, NSNumber(value: false)), (.decimal, NSDecimalNumber(string: "12345678901234567890.123456789")),
            (.string, "" as NSString), (.date, NSDate(timeIntervalSinceReferenceDate: 0.125)),
            (.binaryData, NSData(bytes: [1, 2], length: 2)), (.uuid, UUID() as NSUUID),
            (.uri, NSURL(string: "https://example.com/a?b")!),
        ]
        league.coach.properties = values.enumerated().map { index, pair in
            let attribute = league.attribute("a\(index)", pair.0)
            attribute.defaultValue = pair.1
            return attribute
        }
        let coach = try #require(try NSManagedObjectModel(document: league.model.document).entitiesByName["Coach"])
        for (index, pair) in values.enumerated() {
            let value = coach.attributesByName["a\(index)"]?.defaultValue
            #expect(
                (value as? NSObject ?? value as? AnyHashable as? NSObject) == pair.1 || equal(value, pair.1), "\(pair)")
        }
    }

    private func equal(_ value: Any?, _ object: NSObject) -> Bool {
        switch value {
        case let text as String: text == (object as? NSString).map(String.init)
        case let date as Date: date == object as? Date
        case let data as Data: data == object as? Data
        case let uuid as UUID: uuid.uuidString == (object as? NSUUID)?.uuidString
        case let url as URL: url.absoluteString == (object as? NSURL)?.absoluteString
        default: false
        }
    }

    @Test("Validation, a partial index with an expression, and templates with an order")
    func predicates() throws {
        let league = ModelLeague()
        let name = try #require(league.team.attributesByName["name"])
        name.setValidationPredicates(
            [NSPredicate(format: "length > 3"), NSPredicate(format: "SELF MATCHES %@", "\\w+ \"x\"")],
            withValidationWarnings: ["short", "pattern"])
        let length = NSExpressionDescription()
        length.name = "length"
        length.expression = NSExpression(format: "uppercase:(name)")
        length.resultType = .string
        let index = NSFetchIndexDescription(
            name: "i",
            elements: [
                NSFetchIndexElementDescription(property: name, collationType: .binary),
                NSFetchIndexElementDescription(property: length, collationType: .binary),
            ])
        index.elements[0].isAscending = false
        index.partialIndexPredicate = NSPredicate(format: "uniformColor == 'Green'")
        league.team.indexes = [index]
        let template = NSFetchRequest<any NSFetchRequestResult>(entityName: "Team")
        template.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
        template.fetchOffset = 3
        league.model.setFetchRequestTemplate(template, forName: "T")

        let second = try NSManagedObjectModel(document: league.model.document)
        let team = try #require(second.entitiesByName["Team"])
        #expect(team.propertiesByName["name"]?.validationPredicates == name.validationPredicates)
        #expect(team.propertiesByName["name"]?.validationWarnings as? [String] == ["short", "pattern"])
        let copy = try #require(team.indexes.first)
        #expect(
            copy.partialIndexPredicate == index.partialIndexPredicate
                && copy.elements.map(\.isAscending) == [false, true])
        let expression = try #require(copy.elements[1].property as? NSExpressionDescription)
        #expect(expression.expression == length.expression && expression.resultType == .string)
        #expect(copy.elements[1].propertyName == nil)
        let request = try #require(second.fetchRequestTemplate(forName: "T"))
        #expect(request.sortDescriptors?.first?.key == "name" && request.sortDescriptors?.first?.ascending == false)
        #expect(request.fetchOffset == 3 && request.entity === team)
    }
}

@Suite("Models of the collections")
struct ModelCollectionTests {
    @Test("Every document loads, and keeps all that it says through descriptions and values")
    func committed() throws {
        try checkAll(in: ModelSamples.documents)
    }

    @Test(
        "So does every document of the whole collection",
        .enabled(if: FileManager.default.fileExists(atPath: ModelSamples.collection.path)))
    func collection() throws {
        try checkAll(in: ModelSamples.collection)
    }

    private func checkAll(in folder: URL) throws {
        var count = 0
        for url in try ModelSamples.allDocuments(in: folder) {
            let document = try ModelDocumentFolder(contentsOf: url)
            for version in document.versionNames {
                guard let value = try readable(document, version) else { continue }
                let place = Comment(rawValue: "\(url.path) \(version)")
                let model: NSManagedObjectModel
                do {
                    model = try NSManagedObjectModel(document: value)
                } catch {
                    Issue.record("\(place): \(error)")
                    continue
                }
                let second = try NSManagedObjectModel(document: model.document)
                #expect(second.document == model.document, place)
                #expect(try VersionHashes(value) == VersionHashes(model.document), place)
                let copy = try #require(model.copy() as? NSManagedObjectModel)
                #expect(copy.document == model.document, place)
                count += 1
            }
        }
        #expect(count > 10)
    }

    /// nil for the binary kind of Xcode 3.
    private func readable(_ document: ModelDocumentFolder, _ version: String) throws -> Model? {
        do {
            return try document.model(version: version)
        } catch let error as ModelDocumentError where error.code == .binaryDocument {
            return nil
        }
    }
}

func withModelFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("model-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
}

extension Model {
    /// Without what only a document or only a compiled model says.
    fileprivate var normalized: Model {
        var model = self
        for entity in model.entities.indices {
            model.entities[entity].attributes.sort { $0.name < $1.name }
            model.entities[entity].relationships.sort { $0.name < $1.name }
            for index in model.entities[entity].attributes.indices {
                // Old models mark an attribute as indexed where new ones have a fetch index.
                model.entities[entity].attributes[index].isIndexed = false
                // `pages.@count` is compiled to `count:(pages)`; the hashes are compared instead.
                model.entities[entity].attributes[index].derivationExpression = nil
            }
            model.entities[entity].compoundIndexes = []
        }
        model.entities.sort { $0.name < $1.name }
        return model
    }
}
