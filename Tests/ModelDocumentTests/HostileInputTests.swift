import Foundation
import ModelDocument
import Testing

/// What a document can cost is bounded: each of these ends in an error soon, with no more memory than the document is
/// large, and its place is named. The limit is for what never ends: it counts the time that other tests take, too.
@Suite("Hostile documents end in an error, soon", .timeLimit(.minutes(60)))
struct HostileInputTests {
    private func error(reading text: String) -> ModelDocumentError? {
        #expect(throws: ModelDocumentError.self) { try Model(contents: Data(text.utf8)) }
    }

    @Test("A million nested elements")
    func nesting() {
        let error = error(reading: "<model>\n" + String(repeating: "<a>", count: 1_000_000))
        #expect(error?.code == .excessiveContent && error?.line == 2)
    }

    @Test("A hundred thousand attributes of one element")
    func attributes() {
        let attributes = (0..<100_000).map { " a\($0)=\"\"" }.joined()
        #expect(error(reading: "<model\(attributes)/>")?.code == .excessiveContent)
    }

    @Test("A million elements")
    func elements() {
        let error = error(reading: "<model>" + String(repeating: "<a/>", count: 1_000_000) + "</model>")
        #expect(error?.code == .excessiveContent)
    }

    @Test("A document of a hundred megabytes")
    func size() {
        let error = #expect(throws: ModelDocumentError.self) { try Model(contents: Data(count: 100_000_000)) }
        #expect(error?.code == .excessiveContent)
    }

    @Test("Entities that multiply are never expanded")
    func entities() {
        let text = """
            <!DOCTYPE model [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
            <model name="&b;"/>
            """
        let error = error(reading: text)
        #expect(error?.code == .damagedXML && error?.message.contains("document type") == true)
        #expect(self.error(reading: "<model>\n<entity name=\"&b;\"/></model>")?.line == 2)
    }

    @Test("External entities are never fetched")
    func externalEntities() {
        let text = "<!DOCTYPE model [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><model name=\"&a;\"/>"
        #expect(error(reading: text)?.code == .damagedXML)
    }

    @Test(
        "What is not well-formed is named, with its line",
        arguments: [
            ("<model>\n<entity name=\"A\">\n</model>", 3, "</model>"),
            ("<model>\n<entity name=\"A\" name=\"B\"/></model>", 2, "twice"),
            ("<model>\n<entity name=A/></model>", 2, "quotation mark"),
            ("<model>\n<entity name/></model>", 2, "no value"),
            ("<model>\n\n<entity name=\"A&B\"/></model>", 3, "'&'"),
            ("<model>\n<entity name=\"&#0;\"/></model>", 2, "no character"),
            ("<model>\n<entity name=\"&#xD800;\"/></model>", 2, "no character"),
            ("<model>\n<entity name=\"\u{1}\"/></model>", 2, "XML cannot hold"),
            ("<model>\n<!-- </model>", 2, "comment"),
            ("<model/>\n<model/>", 2, "after the end"),
            ("<model>\n<1/></model>", 2, "name of the element"),
            ("<?xml version=\"1.0\" encoding=\"UTF-16\"?>\n<model/>", 1, "UTF-16"),
            ("<?xml version=\"1>0\"?>\n<model/>", 1, "version of XML"),
            ("text", 1, "should begin"),
        ])
    func malformed(text: String, line: Int, part: String) {
        let error = error(reading: text)
        #expect(error?.code == .damagedXML && error?.line == line, "\(text)")
        #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
    }

    @Test("References, sections and white space mean what XML says they mean")
    func wellFormed() throws {
        let text =
            "\u{FEFF}<model name='a&#x42;&lt;&gt;&amp;&apos;&quot;\n\tb'><n><![CDATA[<x>]]> &amp; y</n ></model >\n"
        let model = try Model(contents: Data(text.utf8))
        #expect(model.documentInfo?.name == "aB<>&'\"  b")
        #expect(model.foreign.children.first?.node == .element(name: "n", children: [.text("<x> & y")]))
    }

    @Test("Mapping models are bounded like models")
    func mappingModel() {
        for text in [
            "<database><object type=\"A\"/></database>", "<database>" + String(repeating: "<a>", count: 99_999),
        ] {
            #expect(throws: ModelDocumentError.self) { try XMLStoreDocument(data: Data(text.utf8)) }
        }
    }
}
