import Foundation
import ModelDocument
import Testing

/// Whatever a model says is text on the page.
extension BrowserTests {
    @Suite struct HostileNamesTests {
        private static let evil =
            #"<img src=x onerror="document.title='taken'"><script>document.title='taken'</script>"#

        @Test func namesAndValuesOfAModelNeverBecomeMarkup() async throws {
            let original = try document()
            defer { try? FileManager.default.removeItem(at: original.deletingLastPathComponent()) }
            try await Editor.use(original, name: "Evil") { editor in
                let page = editor.page
                try await page.click(".item")
                for step in ["#problem-count", "#code", "#style-graph"] {
                    try await page.click(step)
                    try await editor.settle()
                    try await page.rest()
                }
                try await page.click(".entity .box-row .row-hit")
                try await editor.settle()
                for words in ["source of", "compare with"] {
                    try await page.press("k", .control)
                    try await page.wait(for: ".palette")
                    try await page.type(words)
                    try await page.press("Enter")
                    try await page.rest()
                }
                try await page.click("#search")
                try await page.type("onerror")
                try await page.wait(for: "section[aria-label=\"Search results\"] .item")
                #expect(try await page.text(".item-name").contains("<img"))
                #expect(try await page.count("img, script:not([src])") == 0)
                #expect(try await page.read("document.title").string?.contains("taken") == false)
            }
        }

        private func document() throws -> URL {
            var model = Model(entities: [Model.Entity(name: Self.evil), Model.Entity(name: Self.evil + "2")])
            model.documentInfo = .newDocument()
            var attribute = Model.Attribute(name: Self.evil, type: .string)
            attribute.defaultValueString = Self.evil
            attribute.userInfo = ["key": .string(Self.evil)]
            model.entities[0].attributes = [attribute]
            model.entities[0].relationships = [
                Model.Relationship(name: Self.evil + "r", destinationName: Self.evil + "2")
            ]
            model.fetchRequests = [
                Model.FetchRequest(name: Self.evil, entityName: Self.evil, predicateFormat: Self.evil)
            ]
            model.configurations = [Model.Configuration(name: Self.evil, entityNames: [Self.evil])]
            let folder = FileManager.default.temporaryDirectory.appending(path: "evil-\(UUID().uuidString)")
            let version = folder.appending(path: "Evil.xcdatamodeld/Evil.xcdatamodel")
            try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
            try model.contents().write(to: version.appending(path: "contents"))
            return folder.appending(path: "Evil.xcdatamodeld")
        }
    }
}
