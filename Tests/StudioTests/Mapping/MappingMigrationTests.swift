import CoreData
import Foundation
import ModelArchive
import StoreBrowsing
import Synchronization
import Testing

@testable import CoreDataStudio

@Suite("A mapping is tried on a copy of the store, and carried out after a backup")
struct MappingMigrationTests {
    /// A studio with the mapping model and the store.
    private func opened(
        _ workspace: MappingWorkspace, _ tab: MappingTab, edits: Bool = false
    ) async throws -> OpenedThings {
        let store = try StoreSession(
            .file(workspace.store), modelsAt: edits ? [] : [workspace.model], isEdited: edits)
        let documents = OpenedDocuments(
            [tab.session, store], editsStores: edits,
            recent: RecentDocuments(in: workspace.folder.appending(path: "Recent")))
        return try await documents.things(nil)
    }

    /// The store of a studio, as it is now.
    private func store(_ opened: OpenedThings) async throws -> StoreSession {
        try await #require(opened.documents).things(nil).requiredStore()
    }

    /// Waits for the end of a job.
    private func end(_ session: MappingSession) async throws -> JSON {
        for _ in 0..<2000 {
            if let job = await session.job, job.state != .running { return job.json }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw StudioError(.internal, "The job does not end.")
    }

    /// The shop's mapping with what can't be inferred.
    private func mended(_ workspace: MappingWorkspace) async throws -> MappingTab {
        let tab = try await workspace.inferred()
        try await tab.set(try await tab.id("CustomerToCustomer", "fullName"), ["expression": "$source.name"])
        // What is not saved would have a journal beside it.
        try await tab.save()
        return tab
    }

    @Test("A dry run counts objects and losses, and changes no byte") func dryRun() async throws {
        let workspace = try MappingWorkspace.shop()
        let tab = try await mended(workspace)
        let opened = try await opened(workspace, tab)
        let before = try workspace.files()
        _ = try await tab.session.startDryRun(opened)
        let job = try await end(tab.session)
        #expect(job["state"] == "done", "\(job)")
        let report = try #require(job["report"])
        #expect(report["failures"] == [])
        let steps = try #require(report["steps"]?.array)
        let customers = try #require(steps.first { $0["name"] == "CustomerToCustomer" })
        #expect(customers["read"] == 5 && customers["made"] == 5 && customers["dropped"] == 0)
        let lines = (report["lines"]?.array ?? []).filter { $0["kind"] == "loss" }
        #expect(lines.contains { $0["entity"] == "Newsletter" && $0["rows"] == 3 })
        #expect(lines.contains { $0["property"] == "note" && $0["rows"] == 2 && $0["total"] == 5 })
        #expect(
            report["result"] == [["entity": "Customer", "count": 5], ["entity": "Order", "count": 10]])
        #expect(try workspace.files() == before)
    }

    @Test("Of several open stores the one is tried and migrated that is named") func several() async throws {
        let workspace = try MappingWorkspace.shop()
        let tab = try await mended(workspace)
        let other = workspace.folder.appending(path: "Other.sqlite")
        try FileManager.default.copyItem(at: workspace.store, to: other)
        let documents = OpenedDocuments(
            [
                tab.session, try StoreSession(.file(workspace.store), isEdited: true),
                try StoreSession(.file(other), isEdited: true),
            ], editsStores: true, recent: RecentDocuments(in: workspace.folder.appending(path: "Recent")))
        let opened = try await documents.things("d1", withOthers: true)
        _ = try await tab.session.startDryRun(await opened.choosing("d3"))
        #expect(try await end(tab.session)["store"] == "Other.sqlite")
        _ = try await tab.session.startDryRun(await opened.choosing(nil))
        #expect(try await end(tab.session)["store"] == "Shop.sqlite")
        for id in ["d1", "d9"] {
            await #expect { try await opened.choosing(id) } throws: { ($0 as? StudioError)?.code == .notOpen }
        }

        _ = try await tab.session.startMigration(await opened.choosing("d3"))
        #expect(try await end(tab.session)["state"] == "done")
        for (id, count) in [("d2", 3), ("d3", 2)] {
            let store = try await documents.things(id).requiredStore()
            #expect(try await store.schema()["entities"]?.array?.count == count, "\(id)")
            try await store.close()
        }
    }

    @Test("A filter's objects are counted, and those that it leaves out are lost") func filtered() async throws {
        let workspace = try MappingWorkspace.shop()
        let tab = try await mended(workspace)
        try await tab.set(try await tab.id("CustomerToCustomer"), ["filter": "note == nil"])
        _ = try await tab.session.startDryRun(await opened(workspace, tab))
        let report = try #require(try await end(tab.session)["report"])
        let customers = try #require(report["steps"]?.array?.first { $0["name"] == "CustomerToCustomer" })
        #expect(customers["total"] == 5 && customers["read"] == 3)
        #expect(report["lines"]?.array?.contains { $0["entity"] == "Customer" && $0["rows"] == 2 } == true)
        #expect(report["result"]?.array?.first?["count"] == 3)
    }

    @Test("What stands against it names the object and the property") func failures() async throws {
        let workspace = try MappingWorkspace.shop()
        let tab = try await mended(workspace)
        let name = try await tab.id("CustomerToCustomer", "fullName")
        try await tab.set(name, ["expression": "$source.note"])
        _ = try await tab.session.startDryRun(await opened(workspace, tab))
        let report = try #require(try await end(tab.session)["report"])
        let failures = try #require(report["failures"]?.array)
        #expect(failures.count == 3, "\(failures)")
        #expect(failures.first?["property"] == "fullName")
        #expect(failures.first?["object"]?.text?.hasPrefix("Customer/p") == true)

        try await tab.set(name, ["expression": "1 + $source.name"])
        _ = try await tab.session.startDryRun(await opened(workspace, tab))
        let others = try #require(try await end(tab.session)["report"]?["failures"]?.array)
        #expect(Set(others.compactMap { $0["object"]?.text }).count == 5, "\(others)")
        #expect(others.allSatisfy { $0["object"]?.text?.hasPrefix("Customer/p") == true }, "\(others)")
        #expect(others.allSatisfy { $0["mapping"] == "CustomerToCustomer" })
    }

    @Test("A dry run names a hundred objects that fail, and no more; a migration ends at the first") func mostFailures()
        async throws
    {
        let workspace = try MappingWorkspace.shop(customers: 130)
        let tab = try await mended(workspace)
        try await tab.set(
            try await tab.id("CustomerToCustomer", "fullName"), ["expression": "1 + $source.name"])
        let opened = try await opened(workspace, tab, edits: true)
        _ = try await tab.session.startDryRun(opened)
        #expect(try await end(tab.session)["report"]?["failures"]?.array?.count == 100)
        _ = try await tab.session.startMigration(opened)
        let job = try await end(tab.session)
        #expect(job["state"] == "failed")
        #expect(job["message"]?.text?.contains("CustomerToCustomer") == true, "\(job)")
    }

    @Test("A policy is a class of the app: the objects are counted, and the reason is told") func policy() async throws
    {
        let workspace = try MappingWorkspace.shop()
        let tab = try await mended(workspace)
        try await tab.set(try await tab.id("CustomerToCustomer"), ["policy": "Shop.CustomerPolicy"])
        _ = try await tab.session.startDryRun(await opened(workspace, tab))
        let report = try #require(try await end(tab.session)["report"])
        #expect(report["failures"]?.array?.first?["message"]?.text?.contains("Shop.CustomerPolicy") == true)
        #expect(report["steps"]?.array?.count == 3)
    }

    @Test("A migration makes a backup, and the store opens with the new model") func migration() async throws {
        let workspace = try MappingWorkspace.shop()
        let tab = try await mended(workspace)
        let opened = try await opened(workspace, tab, edits: true)
        _ = try await tab.session.startMigration(opened)
        let job = try await end(tab.session)
        #expect(job["state"] == "done", "\(job)")
        let backup = try #require(job["backup"]?.text)
        #expect(FileManager.default.fileExists(atPath: backup))
        let schema = try await store(opened).schema()
        #expect(schema["entities"]?.array?.count == 2)
        try await store(opened).close()
        #expect(try workspace.fullNames() == (0..<5).map { "Customer \($0)" })
        #expect(try StoreSession(.file(URL(filePath: backup))).model.entities.count == 3)
        // Once more, it is of the version already.
        let again = try await self.opened(workspace, tab, edits: true)
        _ = try await tab.session.startMigration(again)
        let refused = try await end(tab.session)
        #expect(refused["state"] == "failed")
        #expect(refused["message"]?.text?.contains("already") == true, "\(refused)")
        try await again.requiredStore().close()
    }

    @Test("The windows are told how far a migration is, in rising parts of the whole") func progress() async throws {
        let workspace = try MappingWorkspace.shop(customers: 200)
        let tab = try await mended(workspace)
        let opened = try await opened(workspace, tab, edits: true)
        let events = await tab.session.events()
        _ = try await tab.session.startMigration(opened)
        var fractions: [Double] = []
        for await event in events {
            guard case .job(let job) = event else { continue }
            if case .number(let fraction)? = job["fraction"] { fractions.append(fraction) }
            if job["state"] != "running" {
                #expect(job["state"] == "done", "\(job)")
                break
            }
        }
        try await store(opened).close()
        #expect(fractions == fractions.sorted() && fractions.last == 1, "\(fractions)")
        #expect(fractions.count > 1 && fractions[0] < 1, "\(fractions)")
    }

    @Test("A trial tells each part of the whole, and the mapping that is worked off") func parts() async throws {
        let workspace = try MappingWorkspace.shop(customers: 50)
        let tab = try await mended(workspace)
        let (mapping, models) = (await tab.session.edited.mapping, await tab.session.models)
        let (source, destination) = (try #require(models.source?.model), try #require(models.destination?.model))
        let compiled = try CompiledMapping(mapping, source: source, destination: destination)
        let told = Mutex<[MigrationControl.Progress]>([])
        let control = MigrationControl { progress in told.withLock { $0.append(progress) } }
        _ = try MappingTrial(
            StoreMigrator(.file(workspace.store), from: source, to: destination), compiled, control)
        let all = told.withLock { $0 }
        let fractions = all.map(\.fraction)
        #expect(fractions == fractions.sorted() && fractions.contains { $0 > 0 && $0 < 1 }, "\(fractions)")
        #expect(all.contains { $0.mapping == "CustomerToCustomer" }, "\(all)")
    }

    @Test("A migration that fails leaves the store as it was, and open") func failing() async throws {
        let workspace = try MappingWorkspace.shop()
        let tab = try await mended(workspace)
        try await tab.set(try await tab.id("CustomerToCustomer", "fullName"), ["expression": "$source.note"])
        let opened = try await opened(workspace, tab, edits: true)
        _ = try await tab.session.startMigration(opened)
        #expect(try await end(tab.session)["state"] == "failed")
        #expect(try await store(opened).schema()["entities"]?.array?.count == 3)
        try await store(opened).close()
        let count = try workspace.using("Shop") { try $0.count(for: .init(entityName: "Customer")) }
        #expect(count == 5)
    }

    @Test(
        "What the models say nothing of is refused: it would end the studio",
        arguments: [
            "$entityPolicy.foo", "$source.@count", "$source.orders.@foo.x", "$source.naem", "naem", "1e400",
            "distanceToLocation:fromLocation:(1, 2)", "$source.orders.@sum.customer", "$source.orders.@sum",
            "$source.orders.customer.@count", "$source.name.@count", "$source.name.foo", "$manager.sourceContext.foo",
            "$entityMapping.name.foo", "$source.entity.foo", "$source.orders.@distinctUnionOfSets.number",
            "SUBQUERY($source.orders, $x, $x.foo > 1)", "TERNARY(foo == 1, 1, 2)", "TERNARY($source.foo == 1, 1, 2)",
            "{1, 2}.foo", "now().foo", "(1 + 1).foo", "SUBQUERY(5, $x, $x.foo == 1)", "$nothing.foo",
        ])
    func unsure(expression: String) async throws {
        let workspace = try MappingWorkspace.shop()
        let tab = try await mended(workspace)
        let opened = try await opened(workspace, tab)
        for property in ["fullName", "orders"] {
            try await tab.set(try await tab.id("CustomerToCustomer", property), ["expression": .text(expression)])
            await #expect { try await tab.session.startDryRun(opened) } throws: {
                ($0 as? StudioError)?.code == .invalidEdit
            }
            await tab.undo()
        }
    }

    @Test("What the models describe is tried, and fails with a sentence where it fails") func tried() async throws {
        let workspace = try MappingWorkspace.shop()
        let tab = try await mended(workspace)
        let opened = try await opened(workspace, tab)
        let name = try await tab.id("CustomerToCustomer", "fullName")
        for text in [
            "$source", "$manager.sourceContext", "$entityPolicy", "FETCH(1, 2, 0)", "{1, 2}", "1 / 0", "nil", "5",
            "$source.orders.@sum.total", "$source.orders.@count", "$source.orders.@max.number", "$source.objectID",
            "SUBQUERY($source.orders, $x, $x.total > 1).@count", "CAST(\"x\", \"NSDate\")", "$source.orders[0]",
            "lowercase:(5)",
            "FUNCTION($source.name, \"length\")", "TERNARY(name == nil, \"\", $source.name)",
            "uppercase:($source.name)",
            "$source.orders.customer.name", "9999999999999999999999", "$destination.orders", "$source.entity.name",
        ] {
            try await tab.set(name, ["expression": .text(text)])
            do {
                _ = try await tab.session.startDryRun(opened)
                #expect(try await end(tab.session)["state"] == "done", "\(text)")
            } catch let error as StudioError { #expect(error.code == .invalidEdit, "\(text): \(error)") }
            await tab.undo()
        }
    }

    @Test("A trial that is ended throws, and the store is as it was") func ended() async throws {
        let workspace = try MappingWorkspace.shop(customers: 50)
        let tab = try await mended(workspace)
        let before = try workspace.files()
        let (mapping, models) = (await tab.session.edited.mapping, await tab.session.models)
        let (source, destination) = (try #require(models.source?.model), try #require(models.destination?.model))
        let compiled = try CompiledMapping(mapping, source: source, destination: destination)
        let migrator = try StoreMigrator(.file(workspace.store), from: source, to: destination)
        let running = Mutex<MigrationControl?>(nil)
        let control = MigrationControl { _ in running.withLock { $0 }?.cancel() }
        running.withLock { $0 = control }
        #expect { try MappingTrial(migrator, compiled, control) } throws: {
            ($0 as NSError).code == NSMigrationCancelledError
        }
        running.withLock { $0 = nil }
        #expect(try workspace.files() == before)
    }

    @Test("One job runs at a time, and can be ended; the store is as it was") func cancelled() async throws {
        let workspace = try MappingWorkspace.shop(customers: 500)
        let tab = try await mended(workspace)
        let opened = try await opened(workspace, tab)
        let before = try workspace.files()
        _ = try await tab.session.startDryRun(opened)
        // On a busy machine the first is done before it is looked at.
        do {
            _ = try await tab.session.startDryRun(opened)
        } catch { #expect((error as? StudioError)?.code == .inUse) }
        _ = await tab.session.cancelJob()
        let state = try await end(tab.session)["state"]
        #expect(state == "cancelled" || state == "done", "\(state ?? .null)")
        #expect(try workspace.files() == before)
    }

    @Test("Nothing is migrated in a studio that reads, and nothing while objects have changes") func refusals()
        async throws
    {
        let workspace = try MappingWorkspace.shop()
        let tab = try await mended(workspace)
        let reading = try await opened(workspace, tab)
        await #expect { try await tab.session.startMigration(reading) } throws: {
            ($0 as? StudioError)?.code == .readOnly
        }
        let editing = try await opened(workspace, tab, edits: true)
        let store = try editing.requiredStore()
        let action = StoreAction.set(object: "Customer/p1", key: "note", value: "changed")
        _ = try await store.edit(EditRequest(action: action))
        await #expect { try await tab.session.startMigration(editing) } throws: {
            ($0 as? StudioError)?.code == .invalidEdit
        }
        try await store.close()
    }
}
