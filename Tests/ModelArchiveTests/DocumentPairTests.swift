import Foundation
import ModelArchive
import ModelDocument
import Testing

/// Documents and what Apple's tools made of them, as far as the whole collection is at hand.
@Suite(.enabled(if: Samples.hasCollection, "the collection of samples is not at hand"))
struct DocumentPairTests {
    /// A version of a document.
    struct Version: Sendable, CustomTestStringConvertible {
        /// Folder and name of the document, then the version, as in `folder/Name.xcdatamodeld#Version`.
        var testDescription: String

        func model() throws -> Model {
            let parts = testDescription.components(separatedBy: "#")
            let folder = try #require(Samples.documentFolders.last).appending(path: parts[0])
            return try ModelDocumentFolder(contentsOf: folder).model(version: parts[1])
        }
    }

    static let compiled: [(String, Version)] = [
        (
            "AppRatingPrompt.momd/AppRatingPrompt",
            Version(testDescription: "duckduckgo-iOS-AppRatingPrompt/AppRatingPrompt.xcdatamodeld#AppRatingPrompt")
        ),
        (
            "BookmarksAndFolders.momd/BookmarksAndFolders",
            Version(
                testDescription:
                    "duckduckgo-iOS-BookmarksAndFolders/BookmarksAndFolders.xcdatamodeld#BookmarksAndFolders")
        ),
        (
            "CartStorage.momd/CartStorage",
            Version(testDescription: "Karim-ezzedine-CartKit-CartStorage/CartStorage.xcdatamodeld#CartStorage")
        ),
        (
            "HTTPSUpgrade.momd/HTTPSUpgrade 3",
            Version(
                testDescription: "duckduckgo-BrowserServicesKit-HTTPSUpgrade/HTTPSUpgrade.xcdatamodeld#HTTPSUpgrade 3")
        ),
        (
            "SampleModel.momd/SampleModel",
            Version(testDescription: "alemar11-CoreDataPlus-SampleModel/SampleModel.xcdatamodeld#SampleModel")
        ),
        (
            "SampleModel.momd/SampleModel2",
            Version(testDescription: "alemar11-CoreDataPlus-SampleModel/SampleModel.xcdatamodeld#SampleModel2")
        ),
        (
            "SampleModel.momd/SampleModel3",
            Version(testDescription: "alemar11-CoreDataPlus-SampleModel/SampleModel.xcdatamodeld#SampleModel3")
        ),
        (
            "SampleModel3.momd/SampleModel3",
            Version(testDescription: "alemar11-CoreDataPlus-SampleModel3/SampleModel3.xcdatamodeld#SampleModel3")
        ),
        (
            "SampleModel3.momd/SampleModel3_v2",
            Version(testDescription: "alemar11-CoreDataPlus-SampleModel3/SampleModel3.xcdatamodeld#SampleModel3_v2")
        ),
        (
            "SampleModel3.momd/SampleModel3_v3",
            Version(testDescription: "alemar11-CoreDataPlus-SampleModel3/SampleModel3.xcdatamodeld#SampleModel3_v3")
        ),
        ("SwiftGen-Model.momd/Model 2", Version(testDescription: "SwiftGen-SwiftGen-Model/Model.xcdatamodeld#Model 2")),
        ("SwiftGen-Model.momd/Model", Version(testDescription: "SwiftGen-SwiftGen-Model/Model.xcdatamodeld#Model")),
        (
            "XMPPMessageArchiving.momd/XMPPMessageArchiving",
            Version(
                testDescription:
                    "robbiehanson-XMPPFramework-XMPPMessageArchiving/XMPPMessageArchiving.xcdatamodeld#XMPPMessageArchiving"
            )
        ),
        (
            "XMPPRoom.momd/XMPPRoom",
            Version(testDescription: "robbiehanson-XMPPFramework-XMPPRoom/XMPPRoom.xcdatamodeld#XMPPRoom")
        ),
        (
            "XMPPRoomHybrid.momd/XMPPRoomHybrid",
            Version(
                testDescription: "robbiehanson-XMPPFramework-XMPPRoomHybrid/XMPPRoomHybrid.xcdatamodeld#XMPPRoomHybrid")
        ),
    ]

    static let stores: [(String, Version)] = [
        (
            "Bookmarks_V1.sqlite",
            Version(
                testDescription:
                    "duckduckgo-BrowserServicesKit-BookmarksModel/BookmarksModel.xcdatamodeld#BookmarksModel")
        ),
        (
            "Bookmarks_V2.sqlite",
            Version(
                testDescription:
                    "duckduckgo-BrowserServicesKit-BookmarksModel/BookmarksModel.xcdatamodeld#BookmarksModel 2")
        ),
        (
            "Bookmarks_V3.sqlite",
            Version(
                testDescription:
                    "duckduckgo-BrowserServicesKit-BookmarksModel/BookmarksModel.xcdatamodeld#BookmarksModel 3")
        ),
        (
            "Bookmarks_V4.sqlite",
            Version(
                testDescription:
                    "duckduckgo-BrowserServicesKit-BookmarksModel/BookmarksModel.xcdatamodeld#BookmarksModel 4")
        ),
        (
            "Bookmarks_V5.sqlite",
            Version(
                testDescription:
                    "duckduckgo-BrowserServicesKit-BookmarksModel/BookmarksModel.xcdatamodeld#BookmarksModel 5")
        ),
        ("Moody.moody", Version(testDescription: "objcio-core-data-Moody/Moody.xcdatamodeld#Moody")),
        ("Moody_2.moody", Version(testDescription: "objcio-core-data-Moody/Moody.xcdatamodeld#Moody 2")),
        ("Moody_3.moody", Version(testDescription: "objcio-core-data-Moody/Moody.xcdatamodeld#Moody 3")),
        ("Moody_4.moody", Version(testDescription: "objcio-core-data-Moody/Moody.xcdatamodeld#Moody 4")),
        ("Moody_5.moody", Version(testDescription: "objcio-core-data-Moody/Moody.xcdatamodeld#Moody 5")),
        (
            "SampleModel3_V1.sqlite",
            Version(testDescription: "alemar11-CoreDataPlus-SampleModel3/SampleModel3.xcdatamodeld#SampleModel3")
        ),
        (
            "SampleModelV1.sqlite",
            Version(testDescription: "alemar11-CoreDataPlus-SampleModel/SampleModel.xcdatamodeld#SampleModel2")
        ),
        (
            "SampleModelV2.sqlite",
            Version(testDescription: "alemar11-CoreDataPlus-SampleModel/SampleModel.xcdatamodeld#SampleModel3")
        ),
        (
            "SampleModel_V1.sqlite",
            Version(testDescription: "alemar11-CoreDataPlus-SampleModel/SampleModel.xcdatamodeld#SampleModel")
        ),
        (
            "SampleModel_V2.sqlite",
            Version(testDescription: "alemar11-CoreDataPlus-SampleModel/SampleModel.xcdatamodeld#SampleModel2")
        ),
        (
            "SyncMetadata_V3.sqlite",
            Version(
                testDescription: "duckduckgo-BrowserServicesKit-SyncMetadata/SyncMetadata.xcdatamodeld#SyncMetadata 3")
        ),
        (
            "version1.sqlite",
            Version(testDescription: "fsalata-Practical-Core-Data-Chapter9-2/Chapter9.xcdatamodeld#Chapter9")
        ),
    ]

    @Test(arguments: compiled)
    func aDocumentHasTheHashesOfItsCompiledModel(compiled: String, version: Version) throws {
        let file = try #require(Samples.compiledFolders.last).appending(path: compiled + ".mom")
        let model = try ModelArchive.read(Data(contentsOf: file))
        #expect(try VersionHashes(version.model()) == VersionHashes(model))
    }

    @Test(arguments: stores)
    func aDocumentHasTheHashesOfItsStore(name: String, version: Version) throws {
        let store = try #require(Samples.stores.first { $0.url.lastPathComponent == name })
        #expect(try VersionHashes(version.model()).entities == store.hashes)
    }

    /// Without pairs compiled by an Xcode much newer than the document: it turns marks of old documents (indexed
    /// attributes, compound indexes, left-over defaults) into newer forms.
    private static let compiledInTheirTime = compiled.filter {
        !["XMPP", "SampleModel.momd", "HTTPSUpgrade"].contains(where: $0.0.hasPrefix)
    }

    @Test(arguments: compiledInTheirTime)
    func aDocumentSaysWhatItsCompiledModelSays(compiled: String, version: Version) throws {
        let file = try #require(Samples.compiledFolders.last).appending(path: compiled + ".mom")
        let ours = try version.model().comparable()
        let apples = try ModelArchive.read(Data(contentsOf: file)).comparable()
        for (first, second) in zip(ours.entities, apples.entities) {
            #expect(first == second)
        }
        #expect(ours == apples)
    }
}
