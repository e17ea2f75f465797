import Foundation
import ModelDocument
import Testing

@Suite("What is read and written anew, is what Xcode wrote")
struct RoundTripTests {
    @Test("Every committed document survives byte for byte")
    func committed() throws {
        let files = try DocumentFile.files(at: Samples.committed)
        #expect(Set(files.map(\.kind)) == Set(DocumentFile.Kind.allCases))
        for file in files { try check(file) }
    }

    @Test("Every document of the collection does", .enabled(if: Samples.hasCollection))
    func collection() throws {
        let files = try ["models", "mappings"].flatMap {
            try DocumentFile.files(at: Samples.collection.appending(path: $0))
        }
        #expect(files.count { $0.kind == .model } >= 400 && files.count { $0.kind == .mappingModel } >= 20)
        for file in files { try check(file) }
    }

    private func check(_ file: DocumentFile) throws {
        let expected = file.kind == .binaryModel ? DocumentFile.RoundTrip.binary : .equal
        #expect(try file.roundTrip() == expected, "\(file.url.path)")
    }

    @Test("A change of one value changes its line alone")
    func smallestChange() throws {
        let original = try Samples.document("SwiftGen-SwiftGen-Model/Model.xcdatamodeld").contents(ofVersion: "Model 2")
        var model = try Model(contents: original)
        let place = try #require(model.entities.firstIndex { !$0.attributes.isEmpty })
        model.entities[place].attributes[0].isOptional.toggle()
        let (old, new) = (lines(original), lines(try model.contents()))
        #expect(old.count == new.count && zip(old, new).count { $0 != $1 } == 1)
    }

    @Test("An added attribute is one added line, laid out like the others")
    func addition() throws {
        let original = try Samples.document("SwiftGen-SwiftGen-Model/Model.xcdatamodeld").contents(ofVersion: "Model 2")
        var model = try Model(contents: original)
        var attribute = Model.Attribute(name: "a<b>&\"c\"\n", type: .integer64)
        attribute.isOptional = true
        attribute.defaultValueString = "0"
        attribute.usesScalarValueType = true
        attribute.isSyncable = false
        let place = try #require(model.entities.firstIndex { !$0.attributes.isEmpty })
        model.entities[place].attributes.append(attribute)
        let added = lines(try model.contents()).difference(from: lines(original))
        #expect(added.count == 1)
        guard case .insert(_, let line, _)? = added.first else { return }
        #expect(
            line == """
                        <attribute name="a&lt;b&gt;&amp;&quot;c&quot;&#10;" optional="YES" attributeType="Integer 64" \
                defaultValueString="0" usesScalarValueType="YES"/>
                """)
    }

    @Test("A model made in code is written as Xcode writes a new document")
    func newDocument() throws {
        var player = Model.Entity(name: "Player")
        player.representedClass = "Player"
        player.codeGeneration = .classDefinition
        player.attributes = [.init(name: "name", type: .string)]
        player.attributes[0].isOptional = true
        player.attributes[0].isSyncable = false
        let text = String(decoding: try Model(entities: [player]).contents(), as: UTF8.self)
        #expect(
            text == """
                <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
                <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" \
                lastSavedToolsVersion="24512" systemVersion="25B78" minimumToolsVersion="Automatic" \
                sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
                    <entity name="Player" representedClassName="Player" syncable="YES" codeGenerationType="class">
                        <attribute name="name" optional="YES" attributeType="String"/>
                    </entity>
                </model>
                """)
    }

    @Test("Windows line ends, a last line end, unknown content, comments and odd spellings survive")
    func handMade() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <!-- before -->
            <model type="x" future="1 > 0" documentVersion="1.0" userDefinedModelVersionIdentifier="">
                <!-- inside -->
                <entity name="A" syncable="NO">
                    <attribute name="b" optional="NO" vector="512" attributeType="String"/>
                    <relationship name="c" toMany="YES" maxCount="1" deletionRule="Nullify" destinationEntity="A"/>
                    <novelty z="2" a="1">
                        <part/>
                    </novelty>
                    <?tool setting?>
                </entity>
                <novelty>text &amp; text</novelty>
                <elements/>
            </model>
            <!-- after -->

            """
        // Before Xcode 8, which the missing source language stands for, the identifier came first.
        let old = text.replacing(#" userDefinedModelVersionIdentifier="""#, with: "")
            .replacing("<model ", with: #"<model userDefinedModelVersionIdentifier="" "#)
        for variant in [
            old, old.replacing("\n", with: "\r\n"),
            text.replacing("\"1.0\" user", with: "\"1.0\" sourceLanguage=\"Swift\" user"),
        ] {
            let data = Data(variant.utf8)
            #expect(String(decoding: try Model(contents: data).contents(), as: UTF8.self) == variant)
        }
    }

    @Test("An odd spelling yields to a change of what it says")
    func changedSpelling() throws {
        let text = #"<model><entity name="A" syncable="true" isAbstract="NO"/></model>"#
        var model = try Model(contents: Data(text.utf8))
        #expect(String(decoding: try model.contents(), as: UTF8.self).contains(#"isAbstract="NO" syncable="true""#))
        model.entities[0].isAbstract = true
        model.entities[0].isSyncable = false
        #expect(String(decoding: try model.contents(), as: UTF8.self).contains(#"<entity name="A" isAbstract="YES"/>"#))
    }

    @Test("What only a compiled model can say is refused, and named")
    func unwritable() throws {
        var model = Model(entities: [.init(name: "A")])
        var attribute = Model.Attribute(name: "b", type: .string)
        attribute.validationRules = [.init(predicateFormat: "length > 3", warning: .code(1670))]
        model.entities[0].attributes = [attribute]
        let error = #expect(throws: ModelDocumentError.self) { try model.contents() }
        #expect(error?.code == .unwritableContent)
        #expect(error?.message.contains("validation predicates of 'b'") == true)

        model.entities[0].attributes = [.init(name: "bell\u{7}", type: .string)]
        let second = #expect(throws: ModelDocumentError.self) { try model.contents() }
        #expect(second?.code == .unwritableContent && second?.message.contains("U+7") == true)
    }

    private func lines(_ data: Data) -> [String] {
        String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

@Suite("The list of versions")
struct ModelVersionListTests {
    @Test("It is written as Xcode writes it")
    func writing() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
            \t<key>_XCCurrentVersionName</key>
            \t<string>R&amp;D 2.xcdatamodel</string>
            </dict>
            </plist>

            """
        let list = ModelVersionList(currentVersionName: "R&D 2")
        #expect(String(decoding: try list.data(), as: UTF8.self) == text)
        #expect(try ModelVersionList(data: Data(text.utf8)) == list)
    }

    @Test("What else it says is kept: every kind of value that a property list has")
    func others() throws {
        var list = ModelVersionList()
        list.others = [
            "a": .array([.integer(-3), .real(0.5), .boolean(true), .boolean(false), .string(" x "), .string("")]),
            "b": .dictionary([:]), "c": .data(Data(0..<200)), "d": .date(700_000_000),
        ]
        #expect(try ModelVersionList(data: list.data()) == list)
        let plist = try PropertyListSerialization.propertyList(from: list.data(), format: nil) as? [String: Any]
        #expect(plist?["c"] as? Data == Data(0..<200))
        #expect((plist?["d"] as? Date)?.timeIntervalSinceReferenceDate == 700_000_000)
    }

    @Test(
        "A damaged list is refused, with its line",
        arguments: [
            ("<plist><dict>\n<key>a</key></dict></plist>", 2), ("<plist>\n<array/></plist>", nil),
            ("<plist>\n<dict>\n<key>_XCCurrentVersionName</key><integer>1</integer></dict></plist>", nil),
            ("<plist>\n<dict>", 2), ("", nil),
        ] as [(String, Int?)])
    func damage(text: String, line: Int?) {
        let error = #expect(throws: ModelDocumentError.self) { try ModelVersionList(data: Data(text.utf8)) }
        #expect(error?.code == .damagedVersionList && error?.line == line)
    }
}
