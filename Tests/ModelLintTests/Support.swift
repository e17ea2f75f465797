import Foundation
import ModelDocument
import ModelLint

/// A document made of the lines inside `<model>`; the first of them is line 3.
struct Planted {
    let contents: Data
    let model: Model

    init(_ elements: String, attributes: String = "") throws {
        contents = Data(
            """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0"\(attributes)>
            \(elements)
            </model>
            """.utf8)
        model = try Model(contents: contents)
    }

    /// The findings as `line code`, in order.
    func findings() throws -> [String] {
        let lines = try Model.DocumentLines(contents: contents)
        return ModelLint.diagnostics(of: model).map { "\(lines.line(of: $0.path)) \($0.code.rawValue)" }
    }
}

enum Samples {
    static let package = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    /// The whole collection of documents beside the package, where it is at hand.
    static let collection = package.deletingLastPathComponent().appending(path: "shared/fixtures/models")
    static var hasCollection: Bool { FileManager.default.fileExists(atPath: collection.path) }
}
