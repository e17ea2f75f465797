import CoreData
import Foundation
import ModelDocument
import Testing

@Suite("The versions of a model in one file are found as in a folder")
struct OneFileModelTests {
    private let folder: URL
    private let bundle: Bundle
    private let model: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("CoreDataTests-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        model = folder.appendingPathComponent("Model.momd")
        let document = try ModelDocumentFolder(
            contentsOf: ModelSamples.document("SwiftGen-SwiftGen-Model/Model.xcdatamodeld"))
        try ModelBundleFile(document: document, moduleName: "App").data().write(to: model)
        bundle = try #require(Bundle(path: folder.path))
    }

    @Test("their URLs are those of a folder, and each of them loads its version")
    func versions() throws {
        let urls = try #require(bundle.urls(forResourcesWithExtension: "mom", subdirectory: "Model.momd"))
        let source = try ModelBundleFile(contentsOf: model)
        #expect(urls.count == source.versions.count && urls.count > 1)
        for url in urls {
            let name = url.deletingPathExtension().lastPathComponent
            #expect(url.deletingLastPathComponent().lastPathComponent == "Model.momd" && source.versions[name] != nil)
            let version = try #require(NSManagedObjectModel(contentsOf: url))
            let same = try #require(NSManagedObjectModel(contentsOf: model.appendingPathComponent(name + ".mom")))
            #expect(version == same)
        }
        let current = try #require(NSManagedObjectModel(contentsOf: model))
        let named = model.appendingPathComponent(source.currentVersionName + ".mom")
        #expect(NSManagedObjectModel(contentsOf: named) == current)
        #expect(NSManagedObjectModel(contentsOf: model.appendingPathComponent("No such.mom")) == nil)
    }

    @Test("a bundle finds the model and its versions by name, extension and folder, be they optionals or not")
    func names() throws {
        let (name, ext): (String?, String?) = ("Model", nil)
        #expect(bundle.url(forResource: "Model", withExtension: "momd")?.lastPathComponent == "Model.momd")
        #expect(bundle.url(forResource: name, withExtension: "momd")?.lastPathComponent == "Model.momd")
        #expect(bundle.url(forResource: "Model.momd", withExtension: ext)?.lastPathComponent == "Model.momd")
        #expect(bundle.path(forResource: name, ofType: "momd")?.hasSuffix("Model.momd") == true)
        #expect(bundle.path(forResource: "Model", ofType: "momd")?.hasSuffix("Model.momd") == true)
        #expect(bundle.url(forResource: "Nothing", withExtension: "momd") == nil)
        #expect(bundle.url(forResource: nil, withExtension: "txt") == nil)
        let source = try ModelBundleFile(contentsOf: model)
        for version in source.versions.keys {
            let found = bundle.url(forResource: version, withExtension: "mom", subdirectory: "Model.momd")
            #expect(found?.lastPathComponent == version + ".mom")
        }
        #expect(bundle.paths(forResourcesOfType: "mom", inDirectory: "Model.momd").count == source.versions.count)
        #expect(bundle.urls(forResourcesWithExtension: "mom", subdirectory: "Nothing.momd")?.isEmpty == true)
    }

    @Test("a file that imports CoreData alone finds a model where name and extension are both optionals")
    func optionals() throws {
        // The model is in a resource bundle beside this one's contents: Foundation finds nothing there.
        let outer = folder.appendingPathComponent("Outer")
        let inner = outer.appendingPathComponent("App_App.resources")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        try FileManager.default.moveItem(at: model, to: inner.appendingPathComponent("Model.momd"))
        let bundle = try #require(Bundle(path: outer.path))
        let (name, ext): (String?, String?) = ("Model", "momd")
        #expect(bundle.url(forResource: name, withExtension: ext) == nil)
        let version = try ModelBundleFile(contentsOf: inner.appendingPathComponent("Model.momd")).currentVersionName
        let found = OptionalLookups(bundle, name, ext, version: version, versionExtension: "mom")
        #expect(found.url?.lastPathComponent == "Model.momd")
        #expect(found.path?.hasSuffix("App_App.resources/Model.momd") == true)
        #expect(found.inFolder?.lastPathComponent == version + ".mom")
        #expect((found.all?.count ?? 0) > 1)
        #expect(found.inFolder.map { NSManagedObjectModel(contentsOf: $0) != nil } == true)
        let none = OptionalLookups(bundle, nil, nil, version: nil, versionExtension: nil)
        #expect(none.url == nil && none.path == nil && none.inFolder == nil)
    }
}
