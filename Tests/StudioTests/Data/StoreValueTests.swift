import CoreData
import Foundation
import Testing

@testable import CoreDataStudio

/// Stands for a class of Apple's in archives.
final class FakeColor: NSObject, NSCoding {
    private let fields: [String: Any]
    init(_ fields: [String: Any]) { self.fields = fields }
    init?(coder: NSCoder) { nil }

    func encode(with coder: NSCoder) {
        for (key, value) in fields {
            switch value {
            case let number as Double: coder.encode(number, forKey: key)
            case let number as Int: coder.encode(number, forKey: key)
            default: coder.encode(value, forKey: key)
            }
        }
    }

    func archive(as name: String) throws -> Data {
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        archiver.outputFormat = .xml
        archiver.encode(self, forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        let text = String(decoding: archiver.encodedData, as: UTF8.self)
        let renamed = Data(text.replacing("StudioTests.FakeColor", with: name).utf8)
        // What the XML says, as apps keep it.
        let list = try PropertyListSerialization.propertyList(from: renamed, format: nil)
        return try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    }
}

/// Colours and external files, as the page is told of them.
@Suite("Values of their own kinds") struct StoreValueTests {
    private func shown(_ session: StoreSession, _ object: String, _ name: String) async throws -> JSON {
        let entity = try #require(object.split(separator: "/").first.map(String.init))
        let request = RowsRequest(
            query: RowQuery(entity: entity, object: object), from: 0, count: 1, columns: [name])
        let cell = try await session.rows(request)["rows"]?.array?.first?["cells"]?.array?.first
        let answer = try await session.object(ObjectRequest(object: object))
        let value = answer["values"]?.array?.first { $0["name"]?.text == name }?["value"]
        #expect(cell == value, "the grid and the inspector of \(object).\(name)")
        return try #require(value)
    }

    // MARK: Colours

    private static func bytes(_ text: String) -> NSData { Data(text.utf8) as NSData }

    private static var colors: [(String, FakeColor, String, String?)] {
        [
            (
                "red, by UIKit",
                FakeColor(["UIRed": 1.0, "UIGreen": 0.5, "UIBlue": 0.0, "UIAlpha": 1.0, "UIColorComponentCount": 4]),
                "UIColor", "#FF8000"
            ),
            ("half of white, by UIKit", FakeColor(["UIWhite": 1.0, "UIAlpha": 0.5]), "UIColor", "#FFFFFF80"),
            (
                "beyond the screen", FakeColor(["UIRed": 1.3, "UIGreen": -0.2, "UIBlue": 0.0]), "UIColor",
                "#FF0000"
            ),
            (
                "blue, by AppKit", FakeColor(["NSColorSpace": 1, "NSRGB": bytes("0.2 0.4 0.8\0")]), "NSColor",
                "#3366CC"
            ),
            (
                "grey, by AppKit", FakeColor(["NSColorSpace": 3, "NSWhite": bytes("0.5 0.25")]), "NSColor",
                "#80808040"
            ),
            ("ink", FakeColor(["NSColorSpace": 5, "NSCMYK": bytes("1 0 0 0 1")]), "NSColor", "#00FFFF"),
            ("of a catalogue", FakeColor(["NSColorSpace": 6, "NSColorName": "label"]), "NSColor", nil),
            ("without end", FakeColor(["UIRed": Double.nan, "UIGreen": 0.0, "UIBlue": 0.0]), "UIColor", nil),
            ("words for numbers", FakeColor(["NSRGB": bytes("a b c")]), "NSColor", nil),
            ("another class", FakeColor(["UIRed": 1.0, "UIGreen": 0.0, "UIBlue": 0.0]), "Shape", nil),
        ]
    }

    @Test("An archived colour is told as a colour, by its components, and nothing else is")
    func colors() async throws {
        let store = try SampleStore.people(Self.colors.count + 1)
        for (index, color) in Self.colors.enumerated() {
            try store.setData(color.1.archive(as: color.2), of: index + 1)
        }
        try store.setData(try SampleStore.archive(), of: Self.colors.count + 1)
        let session = try StoreSession(.file(store.url))
        for (index, color) in Self.colors.enumerated() {
            let value = try await shown(session, "Person/p\(index + 1)", "data")
            #expect(value["color"]?.text == color.3, "\(color.0)")
            #expect(value["kind"] == "propertyList", "\(color.0)")
        }
        #expect(try await shown(session, "Person/p\(Self.colors.count + 1)", "data")["color"] == nil)
    }

    @Test("Whole numbers of a property list are exact: as numbers where JavaScript has them, and as texts elsewhere")
    func numbers() async throws {
        let store = try SampleStore.people(1)
        let exact: [Int64] = [0, 1 << 53 - 1, -(1 << 53) + 1]
        let large: [Int64] = [.min, .min + 1, .max, 1 << 53]
        let list = NSArray(array: (exact + large).map { NSNumber(value: $0) })
        try store.setData(PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0), of: 1)
        let session = try StoreSession(.file(store.url))
        let shown = exact.map { JSON.integer(Int($0)) } + large.map { JSON.text(String($0)) }
        #expect(try await session.tree("Person/p1", "data") == ["tree": .array(shown)])
    }

    // MARK: External files

    @Test("A value in a file of its own is told with the file, and one whose file is gone as missing")
    func files() async throws {
        let store = try SampleStore.shop()
        let program = try OtherProgram(store.url)
        let large = Data(repeating: 7, count: 300_000)
        try program.change { context in
            let products = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Product"))
            for product in products {
                let name = product.value(forKey: "name") as? String
                product.setValue(name == "Apple" ? large : name == "Bread" ? Data([1, 2, 3]) : nil, forKey: "photo")
            }
        }
        try program.close()
        let session = try StoreSession(.file(store.url))
        let value = try await shown(session, "Product/p1", "photo")
        #expect(value["bytes"] == 300_000 && value["isExternal"] == true)
        let name = try #require(value["file"]?.text)
        let folder = store.folder.appending(path: ".Shop_SUPPORT/_EXTERNAL_DATA")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
        let small = try await shown(session, "Product/p2", "photo")
        #expect(small["bytes"] == 3 && small["isExternal"] == nil && small["file"] == nil)
        #expect(try await shown(session, "Product/p3", "photo") == .null)

        try FileManager.default.removeItem(at: folder.appending(path: name))
        let anew = try StoreSession(.file(store.url))
        #expect(try await shown(anew, "Product/p1", "photo") == ["missingFile": .text(name)])
    }
}
