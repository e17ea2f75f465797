import Foundation
import ModelDocument
import Testing

/// The inspectors' fields, each seen again in the file.
extension BrowserTests {
    @Suite struct InspectorTests {
        @Test func indexesConstraintsAndUserInfoOfAnEntityAreEdited() async throws {
            try await Editor.use(StudioSamples.league) { editor in
                let page = editor.page
                try await editor.open("Player")
                try await editor.add(row("Add Index"), named: "byName")
                try await page.choose(".inspector .index-element select[aria-label=\"Indexed property\"]", "lastName")
                try await editor.settle()
                try await page.choose(".inspector .index-element select[aria-label=\"Order\"]", "↓ Descending")
                try await editor.settle()
                try await editor.add(row("Add Constraint"), named: "firstName,lastName", field: "names")
                try await editor.add(row("Add Key"), named: "documentation", field: "key")
                try await page.fill(".inspector input[data-field=value]", "Who plays")
                try await editor.settle()
                try await editor.save()
                let player = try #require(try Model(contents: editor.contents()).entity(named: "Player"))
                #expect(player.fetchIndexes.map(\.name) == ["byName"])
                #expect(player.fetchIndexes.first?.elements.first?.propertyName == "lastName")
                #expect(player.fetchIndexes.first?.elements.first?.isAscending == false)
                #expect(player.uniquenessConstraints.map(\.names) == [["firstName", "lastName"]])
                #expect(player.userInfo?["documentation"]?.string == "Who plays")
            }
        }

        @Test func compositesAndDerivedAttributesAreMade() async throws {
            try await Editor.use(StudioSamples.league) { editor in
                let page = editor.page
                let hands = try await TableHands(editor)
                try await editor.add(".sidebar button[aria-label=\"Add Composite\"]", named: "Address")
                try await hands.addAttribute("street", "String", to: "Address")
                try await hands.addAttribute("address", "Composite", to: "Team")
                try await editor.choose("Composite", "Address")
                try await hands.addAttribute("searchName", "String", to: "Team")
                try await editor.check("Derived", true)
                try await page.click(".inspector textarea[aria-label=\"Derivation expression\"]")
                try await page.type("canonical:(name)")
                try await page.wait(until: "!document.querySelector('.inspector .field-error')")
                try await page.press("Enter")
                try await editor.settle()
                try await editor.save()
                let model = try Model(contents: editor.contents())
                #expect(model.composites.first?.elements.map(\.name) == ["street"])
                let team = try #require(model.entity(named: "Team"))
                #expect(team.attributes.first { $0.name == "address" }?.compositeName == "Address")
                #expect(team.attributes.first { $0.name == "searchName" }?.derivationExpression == "canonical:(name)")
                #expect(try await page.text("#problem-count").contains("No problems"))
            }
        }

        @Test func aConfigurationHasItsEntitiesAndTheGraphItsColours() async throws {
            try await Editor.use(StudioSamples.league) { editor in
                let page = editor.page
                for (name, row) in [("Local", 1), ("Cloud", 2)] {
                    try await editor.add(".sidebar button[aria-label=\"Add Configuration\"]", named: name)
                    try await page.click(".editor tbody tr:nth-child(\(row)) input")
                    try await editor.settle()
                }
                try await editor.open("Team")
                try await page.click("#style-graph")
                try await page.wait(for: ".legend")
                try await page.wait(for: ".entity.hue-1")
                #expect(try await page.count(".entity.hue-1") == 1)
                try await editor.save()
                let model = try Model(contents: editor.contents())
                #expect(model.configurations.map(\.name).sorted() == ["Cloud", "Local"])
                #expect(model.configurations.map(\.entityNames.count) == [1, 1])
            }
        }

        @Test func aFetchRequestHasLimitsAndFlags() async throws {
            try await Editor.use(StudioSamples.league) { editor in
                try await editor.open("GreenTeams")
                try await editor.set("Fetch Limit", "5")
                try await editor.set("Batch Size", "20")
                try await editor.check("Return Distinct Results", true)
                try await editor.check("Include Subentities", false)
                try await editor.choose("Result Type", "Object IDs")
                try await editor.save()
                let request = try #require(try Model(contents: editor.contents()).fetchRequests.first)
                #expect((request.fetchLimit, request.fetchBatchSize) == (5, 20))
                #expect((request.returnsDistinctResults, request.includesSubentities) == (true, false))
                #expect(request.resultType == 1)
            }
        }

        private func row(_ title: String) -> String {
            let place =
                ["Add Constraint": "Constraints", "Add Index": "Fetch Indexes", "Add Key": "User Info"][title] ?? ""
            return ".inspector details[data-group=\"\(place)\"] .group-rows > .add-row"
        }
    }
}
