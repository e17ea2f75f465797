import Foundation
import ModelDocument
import Testing

@Suite("Whole documents as values")
struct VersionedModelTests {
    private func league() -> VersionedModel {
        VersionedModel(name: "League", model: Model(entities: [.init(name: "Team")]))
    }

    /// What lies in a folder, by path.
    private func files(in folder: URL) throws -> [String: Data] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        let pairs = paths.compactMap { path in (try? Data(contentsOf: folder.appending(path: path))).map { (path, $0) }
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    @Test("A document that is read and written elsewhere is the same folder, byte for byte")
    func copy() throws {
        for path in [
            "alemar11-CoreDataPlus-SampleModel3/SampleModel3.xcdatamodeld",
            "SwiftGen-SwiftGen-Model/Model.xcdatamodeld",
            "manicmaniac-core_data_model-model/model.xcdatamodeld",
        ] {
            let source = Samples.committed.appending(path: path)
            let document = try VersionedModel(contentsOf: source)
            try withTemporaryFolder { folder in
                let copy = folder.appending(path: source.lastPathComponent)
                try document.write(to: copy)
                #expect(try files(in: copy) == files(in: source))
                #expect(try VersionedModel(contentsOf: copy) == document)
            }
        }
    }

    @Test("A single .xcdatamodel is a document with one version, and is written as one")
    func singleVersion() throws {
        let source = Samples.committed.appending(
            path: "bazelbuild-rules_apple-unversioned_datamodel/unversioned_datamodel.xcdatamodel")
        var document = try VersionedModel(contentsOf: source)
        #expect(document.versions.map(\.name) == ["unversioned_datamodel"] && document.versionList == nil)
        try withTemporaryFolder { folder in
            let copy = folder.appending(path: "Copy.xcdatamodel")
            try document.write(to: copy)
            #expect(try files(in: copy) == files(in: source))
            try document.addVersion()
            let error = #expect(throws: ModelDocumentError.self) { try document.write(to: copy) }
            #expect(error?.code == .unwritableContent)
        }
    }

    @Test("Versions are added as copies, the current one stays until another is made current")
    func addition() throws {
        var document = league()
        #expect(try document.addVersion() == "League 2")
        #expect(document.currentVersionName == "League" && document["League 2"] == document["League"])
        document["League 2"]?.entities.append(.init(name: "Stadium"))
        #expect(try document.addVersion(basedOn: "League 2") == "League 3")
        try document.setCurrentVersion("League 3")
        #expect(document.currentModel.entities.map(\.name) == ["Team", "Stadium"])
        try document.addVersion(named: "A")
        #expect(document.versions.map(\.name) == ["A", "League", "League 2", "League 3"])
        #expect(document["A"] == document["League 3"])
        try withTemporaryFolder { folder in
            let url = folder.appending(path: "League.xcdatamodeld")
            try document.write(to: url)
            // A model made in code has no document information until it is written.
            let written = try ModelDocumentFolder(contentsOf: url)
            #expect(written.versionNames == document.versions.map(\.name))
            #expect(written.currentVersionName == "League 3")
            #expect(try written.model().entities == document.currentModel.entities)
        }
    }

    @Test("Versions are renamed and removed, but never the current one")
    func removal() throws {
        var document = league()
        try document.addVersion()
        try document.renameVersion("League", to: "League 1")
        #expect(document.currentVersionName == "League 1" && document.versions.map(\.name) == ["League 1", "League 2"])
        #expect(throws: ModelDocumentError.self) { try document.removeVersion("League 1") }
        try document.removeVersion("League 2")
        #expect(document.versions.map(\.name) == ["League 1"])
    }

    @Test("Names that are taken, unknown or no name of a folder are refused")
    func invalidNames() throws {
        var document = league()
        for name in ["League", "", ".hidden", "a/b", "\0", String(repeating: "x", count: 300)] {
            let error = #expect(throws: ModelDocumentError.self) { try document.addVersion(named: name) }
            #expect(error?.code == .invalidVersion)
        }
        for attempt in [
            { try document.addVersion(basedOn: "None") }, { try document.setCurrentVersion("None") },
            { try document.removeVersion("None") }, { try document.renameVersion("None", to: "Some") },
        ] as [() throws -> Void] {
            #expect(throws: ModelDocumentError.self) { try attempt() }
        }
        #expect(document == league())
    }

    @Test("Files that do not change are left alone, and foreign files stay")
    func smallestWrite() throws {
        try withTemporaryFolder { folder in
            let url = folder.appending(path: "League.xcdatamodeld")
            var document = league()
            try document.addVersion()
            try document.write(to: url)
            let file = url.appending(path: "League.xcdatamodel/contents")
            let longAgo = Date(timeIntervalSince1970: 1_000_000_000)
            try FileManager.default.setAttributes([.modificationDate: longAgo], ofItemAtPath: file.path)
            try Data("mine".utf8).write(to: url.appending(path: "Notes.txt"))

            try document.removeVersion("League 2")
            try document.write(to: url)
            #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date == longAgo)
            #expect(try ModelDocumentFolder(contentsOf: url).versionNames == ["League", "League 2"])
            try document.write(to: url, removingOtherVersions: true)
            #expect(
                try files(in: url).keys.sorted() == [".xccurrentversion", "League.xcdatamodel/contents", "Notes.txt"])
        }
    }

    @Test("A file that is replaced keeps its permissions")
    func permissions() throws {
        try withTemporaryFolder { folder in
            let url = folder.appending(path: "League.xcdatamodeld")
            var document = league()
            try document.write(to: url)
            let file = url.appending(path: "League.xcdatamodel/contents").path
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
            document.currentModel.entities.append(.init(name: "Stadium"))
            try document.write(to: url)
            #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o640)
        }
    }

    @Test("A document that cannot be written leaves the folder as it was")
    func failedWrite() throws {
        try withTemporaryFolder { folder in
            let url = folder.appending(path: "League.xcdatamodeld")
            var document = league()
            try document.write(to: url)
            let before = try files(in: url)
            try document.addVersion()
            document["League"]?.entities[0].name = "Club"
            document["League 2"]?.entities[0].name = "\u{1}"
            let error = #expect(throws: ModelDocumentError.self) { try document.write(to: url) }
            #expect(error?.code == .unwritableContent)
            #expect(try files(in: url) == before)
        }
        let error = #expect(throws: ModelDocumentError.self) {
            try league().write(to: URL(filePath: "/proc/none/League.xcdatamodeld"))
        }
        #expect(error?.code == .unwritableFile && error?.url != nil)
    }
}
