import Foundation
import ModelDocument
import Testing

@testable import CoreDataStudio

@Suite("A mapping model is edited, and checked against both models")
struct MappingSessionTests {
    private func check(_ tab: MappingTab, _ text: String, _ element: String, use: String = "expression") async throws
        -> JSON
    {
        let body: JSON = ["text": .text(text), "use": .text(use), "element": .text(element)]
        return try await tab.session.check(JSONDecoder().decode(MappingTextRequest.self, from: body.data()))
    }

    @Test("Both models are found beside the mapping") func models() async throws {
        let tab = try MappingTab(try MappingWorkspace())
        #expect(await tab.session.models.source?.name == "Ledger")
        #expect(await tab.session.models.destination?.name == "Ledger 2")
        #expect(
            await tab.session.models.choices == [
                "GeneratedClassesTests/Ledger.xcdatamodeld/Ledger.xcdatamodel",
                "GeneratedClassesTests/Ledger.xcdatamodeld/Ledger 2.xcdatamodel",
            ])
        #expect(await tab.session.state()["problems"] == [])
    }

    @Test("What no mapping model is known to say is told, and saved as it is") func unknown() async throws {
        let workspace = try MappingWorkspace()
        var document = try XMLStoreDocument(contentsOf: workspace.mapping)
        let index = try #require(document.objects.firstIndex { $0.entityName == "XDDEVENTITYMAPPING" })
        document.objects[index].attributes.append(.init(name: "colour", type: "string", value: .text("red")))
        try document.write(to: workspace.mapping)
        let tab = try MappingTab(workspace)
        let id = document.objects[index].id
        #expect(await tab.problems(id) == ["unknown-statement"])
        try await tab.set(id, ["policy": "Other"])
        try await tab.save()
        #expect(try XMLStoreDocument(contentsOf: workspace.mapping).objects[index].text("colour") == "red")
    }

    @Test("A required attribute without a value is told; an expression mends it") func missing() async throws {
        let workspace = try MappingWorkspace.shop()
        let tab = try await workspace.inferred()
        let name = try await tab.id("CustomerToCustomer", "fullName")
        #expect(await tab.problems(name) == ["missing-value"])
        try await tab.set(name, ["expression": "$source.naem"])
        #expect(await tab.problems(name) == ["unknown-key"])
        try await tab.set(name, ["expression": "$source.orders"])
        #expect(await tab.problems(name) == ["wrong-value"])
        try await tab.set(name, ["expression": "$source.name"])
        #expect(await tab.problems(name) == [])
        #expect(try await tab.record(name)["expression"] == "$source.name")
    }

    @Test(
        "What can't work is told at the expression",
        arguments: [
            ("$nothing.name", "unknown-variable"),
            ("FUNCTION($entityPolicy, \"nameOf:\", $source.name)", "unknown-function"),
            ("FUNCTION($manager, \"nothing:\", 1)", "unknown-function"),
            (
                "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"No\", $source)",
                "unknown-mapping"
            ),
            ("$source", "wrong-value"), ("$source.orders.number", "unknown-key-or-none"),
        ])
    func wrong(text: String, code: String) async throws {
        let tab = try await MappingWorkspace.shop().inferred()
        let name = try await tab.id("CustomerToCustomer", "fullName")
        try await tab.set(name, ["expression": .text(text)])
        let found = await tab.problems(name)
        if code == "unknown-key-or-none" { #expect(found == []) } else { #expect(found.first == code, "\(found)") }
    }

    @Test("A relationship to objects of the old store is wrong, and has a button that mends it") func relationship()
        async throws
    {
        let tab = try await MappingWorkspace.shop().inferred()
        let orders = try await tab.id("CustomerToCustomer", "orders")
        try await tab.set(orders, ["expression": "$source.orders"])
        let problems = await tab.session.state()["problems"]?.array ?? []
        let own = try #require(problems.first { $0["element"]?.text == orders })
        #expect(own["code"] == "wrong-value")
        try await tab.perform(try #require(own["fixes"]?.array?.first?["action"]))
        #expect(await tab.problems(orders) == [])
    }

    @Test("An expression that can't be read is refused with the parser's words and the place") func syntax()
        async throws
    {
        let tab = try MappingTab(try MappingWorkspace())
        let owner = try await tab.id("AccountToAccount", "owner")
        await #expect(throws: StudioError.self) { try await tab.set(owner, ["expression": "$source."]) }
        let answer = try await check(tab, "$source.", owner)
        #expect(answer["isValid"] == false)
        #expect(answer["error"]?["column"] != .null)
        #expect(try await check(tab, "$source.owner", owner)["isValid"] == true)
        #expect(try await check(tab, "$source.nobody", owner)["warnings"]?.array?.count == 1)
    }

    @Test("Completions are properties of the source, variables and mappings") func completions() async throws {
        let tab = try MappingTab(try MappingWorkspace())
        let owner = try await tab.id("AccountToAccount", "owner")
        func texts(_ text: String, _ use: String = "expression") async throws -> [String] {
            (try await check(tab, text, owner, use: use)["completions"]?.array ?? []).compactMap { $0["text"]?.text }
        }
        #expect(try await texts("$source.").contains("owner"))
        #expect(try await texts("$s") == ["source"])
        #expect(try await texts("ow") == ["$source.owner"])
        #expect(try await texts("FUNCTION($manager, \"a:\", \"Ent") == ["EntryToEntry"])
        #expect(try await texts("own", "filter").contains("owner"))
    }

    @Test("A filter is checked against the source entity") func filter() async throws {
        let tab = try MappingTab(try MappingWorkspace())
        let account = try await tab.id("AccountToAccount")
        try await tab.set(account, ["filter": "owner =="])
        #expect(await tab.problems(account).contains("wrong-filter"))
        try await tab.set(account, ["filter": "owner != nil"])
        #expect(await !tab.problems(account).contains("wrong-filter"))
    }

    @Test("A new mapping has all properties of its destination; another name follows where it is named") func naming()
        async throws
    {
        let tab = try await MappingWorkspace.shop().inferred()
        let orders = try await tab.id("CustomerToCustomer", "orders")
        try await tab.perform(["kind": "generate", "element": .text(orders)])
        #expect(try await tab.record(orders)["expression"]?.text?.contains("OrderToOrder") == true)
        let order = try await tab.id("OrderToOrder")
        try await tab.perform(["kind": "rename", "element": .text(order), "name": "Orders \"new\""])
        #expect(try await tab.record(orders)["expression"]?.text?.contains("Orders \\\"new\\\"") == true)
        #expect(await tab.problems(orders) == [])
        let answer = try await tab.perform([
            "kind": "addEntityMapping", "source": "Newsletter", "destination": "Order",
        ])
        let id = try await tab.id("NewsletterToOrder")
        #expect(answer["created"]?.array?.contains(.text(id)) == true)
        #expect(try await tab.record(id)["properties"]?.array?.count == 3)
        await #expect(throws: StudioError.self) {
            try await tab.perform(["kind": "rename", "element": .text(id), "name": "CustomerToCustomer"])
        }
    }

    @Test("Steps are undone and made again; steps with one mark are one") func undo() async throws {
        let tab = try MappingTab(try MappingWorkspace())
        let account = try await tab.id("AccountToAccount")
        let before = await tab.session.edited
        let set: (String) -> JSON = { ["kind": "set", "element": .text(account), "changes": ["filter": .text($0)]] }
        try await tab.perform([set("owner == \"a\"")], merge: "filter")
        try await tab.perform([set("owner == \"ab\"")], merge: "filter")
        let after = await tab.session.edited
        await tab.undo()
        #expect(await tab.session.edited == before)
        _ = await tab.session.redo(MappingRequest())
        #expect(await tab.session.edited == after)
        #expect(await tab.session.past.count == 1)
    }

    @Test("A step of another revision is a conflict, and changes nothing") func conflict() async throws {
        let tab = try MappingTab(try MappingWorkspace())
        let account = try await tab.id("AccountToAccount")
        try await tab.set(account, ["filter": "owner != nil"])
        await #expect {
            try await tab.perform([["kind": "delete", "elements": [.text(account)]]], revision: 1)
        } throws: {
            ($0 as? StudioError)?.code == .conflict
        }
        #expect(try await tab.id("AccountToAccount") == account)
    }

    @Test("Several actions are one step, or none") func together() async throws {
        let tab = try MappingTab(try MappingWorkspace())
        let account = try await tab.id("AccountToAccount")
        let before = await tab.session.edited
        let actions: [JSON] = [
            ["kind": "duplicate", "element": .text(account)], ["kind": "delete", "elements": ["z999"]],
        ]
        await #expect(throws: StudioError.self) { try await tab.perform(actions) }
        #expect(await tab.session.edited == before)
    }

    @Test("A file that another program wrote is not replaced unasked") func disk() async throws {
        let workspace = try MappingWorkspace()
        let tab = try MappingTab(workspace)
        try await tab.set(try await tab.id("AccountToAccount"), ["filter": "owner != nil"])
        let other = try workspace.text().replacing("LedgerPolicy", with: "OtherPolicy")
        try Data(other.utf8).write(to: workspace.file)
        await #expect { try await tab.save() } throws: { ($0 as? StudioError)?.code == .changedOnDisk }
        #expect(try workspace.text() == other)
        _ = try await tab.session.reload(MappingRequest())
        #expect(await tab.session.edited.mapping.entityMappings[0].migrationPolicyClassName == "OtherPolicy")
        await tab.undo()
        _ = try await tab.session.save(MappingRequest(overwrites: true))
        #expect(try workspace.text().contains("owner != nil"))
    }

    @Test("A mapping that is made does not replace a file, and goes to the disk when it is saved") func new()
        async throws
    {
        let workspace = try MappingWorkspace.shop()
        let request = NewMappingRequest(source: "Shop", destination: "Shop 2", name: "ShopToShop2")
        let (session, leftOpen) = try MappingSession.infer(request, from: workspace.model)
        #expect(!leftOpen.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: workspace.mapping.path))
        #expect(await session.isDirty)
        _ = try await session.save(MappingRequest())
        #expect(FileManager.default.fileExists(atPath: workspace.file.path))
        #expect(throws: StudioError.self) { try MappingSession.infer(request, from: workspace.model) }
        for name in ["", "../Out", "a/b", ".hidden", "\u{0}"] {
            #expect(throws: StudioError.self) {
                try MappingSession.infer(
                    NewMappingRequest(source: "Shop", destination: "Shop 2", name: name), from: workspace.model)
            }
        }
    }
}
