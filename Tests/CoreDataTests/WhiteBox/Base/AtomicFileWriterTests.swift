import Foundation
import Testing

@testable import CoreData

struct AtomicFileWriterTests {
    private let folder: StoreFolder
    private var url: URL { folder.file("Atomic.xml") }

    init() throws { folder = try StoreFolder() }

    private var names: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path).sorted()
        }
    }

    @Test func aFileHasItsNewContentAfterTheCommitAndNotBefore() throws {
        try AtomicFileWriter.write(Data("old".utf8), to: url)
        let writer = try AtomicFileWriter(replacing: url)
        try writer.write(Data("new ".utf8))
        try writer.write(Data("content".utf8))
        #expect(try String(contentsOf: url, encoding: .utf8) == "old")
        try writer.commit()
        #expect(try String(contentsOf: url, encoding: .utf8) == "new content")
        #expect(try names == ["Atomic.xml"])
    }

    @Test func aWriterThatDoesNotCommitLeavesNothing() throws {
        do {
            let writer = try AtomicFileWriter(replacing: url)
            try writer.write(Data(count: 100_000))
        }
        #expect(try names.isEmpty)
    }

    @Test func whatAKilledWriterLeftIsTakenOver() throws {
        let left = url.deletingLastPathComponent().appendingPathComponent(".Atomic.xml.new")
        try Data(repeating: 1, count: 100_000).write(to: left)
        try AtomicFileWriter.write(Data("short".utf8), to: url)
        #expect(try String(contentsOf: url, encoding: .utf8) == "short")
        #expect(try names == ["Atomic.xml"])
    }

    @Test func aFileIsMadeUnlessThereIsOne() throws {
        let (first, second) = (try AtomicFileWriter(replacing: url), folder.file("Other.xml"))
        try first.write(Data("first".utf8))
        #expect(try first.commitUnlessThere())
        try Data("other".utf8).write(to: second)
        let late = try AtomicFileWriter(replacing: second)
        try late.write(Data("late".utf8))
        #expect(try !late.commitUnlessThere())
        #expect(try String(contentsOf: url, encoding: .utf8) == "first")
        #expect(try String(contentsOf: second, encoding: .utf8) == "other")
    }

    @Test func theFirstNameOfAFileThatAKilledWriterMadeIsNotTakenOver() throws {
        try Data("made".utf8).write(to: url)
        let left = url.deletingLastPathComponent().appendingPathComponent(".Atomic.xml.new")
        try FileManager.default.linkItem(at: url, to: left)
        do {
            let writer = try AtomicFileWriter(replacing: url)
            try writer.write(Data("not committed".utf8))
            #expect(try String(contentsOf: url, encoding: .utf8) == "made")
        }
        #expect(try String(contentsOf: url, encoding: .utf8) == "made" && names == ["Atomic.xml"])
    }

    @Test func aFileKeepsItsPermissionsAndALinkStaysALink() throws {
        try Data("old".utf8).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: url.path)
        let link = folder.file("Link.xml")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
        try AtomicFileWriter.write(Data("new".utf8), to: link)
        #expect(try String(contentsOf: url, encoding: .utf8) == "new")
        let permissions = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? NSNumber
        #expect(permissions?.intValue == 0o640)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == url.path)
    }

    @Test func writersThatMeetWaitForEachOther() throws {
        let place = url
        DispatchQueue.concurrentPerform(iterations: 40) { number in
            try? AtomicFileWriter.write(Data(repeating: UInt8(number), count: 50_000), to: place)
        }
        let data = try Data(contentsOf: url)
        #expect(data.count == 50_000 && Set(data).count == 1)
        #expect(try names == ["Atomic.xml"])
    }

    @Test func aMissingFolderIsAnErrorWithCodeAndPath() {
        let url = folder.file("None/Atomic.xml")
        let error = #expect(throws: NSError.self) { try AtomicFileWriter(replacing: url) }
        #expect(error?.domain == NSCocoaErrorDomain && error?.code == CocoaError.Code.fileNoSuchFile.rawValue)
        #expect((error?.userInfo[NSFilePathErrorKey] as? String)?.hasSuffix("/None/Atomic.xml") == true)
    }
}
