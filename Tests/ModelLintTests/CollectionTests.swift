import Foundation
import ModelDocument
import ModelLint
import Testing

@Suite("Findings in models from the wild")
struct CollectionTests {
    /// Every finding in these was looked at when it was recorded, and is true.
    private static let counts: [Model.DiagnosticCode: Int] = [
        .undefinedType: 1, .ignoredSetting: 4, .predicateWord: 3, .cloudKitPort: 4, .indexKey: 6, .unknownKey: 6,
        .defaultOutsideBounds: 9, .missingDefault: 64, .nullifiesRequired: 86, .noInverse: 209,
        .insecureTransformer: 283,
    ]

    @Test("As many findings of each code as were checked by hand", .enabled(if: Samples.hasCollection))
    func counts() throws {
        let files = try DocumentFile.files(at: Samples.collection).filter { $0.kind == .model }
        #expect(files.count >= 400)
        var counts: [Model.DiagnosticCode: Int] = [:]
        for file in files {
            let contents = try Data(contentsOf: file.url)
            let (model, lines) = (try Model(contents: contents), try Model.DocumentLines(contents: contents))
            let text = String(decoding: contents, as: UTF8.self).split(
                separator: "\n", omittingEmptySubsequences: false)
            for diagnostic in ModelLint.diagnostics(of: model) {
                counts[diagnostic.code, default: 0] += 1
                try expectName(of: diagnostic, in: String(text[lines.line(of: diagnostic.path) - 1]))
            }
        }
        #expect(counts == Self.counts)
    }

    /// The line of a property has the property's name in it.
    private func expectName(of diagnostic: Model.Diagnostic, in line: String) throws {
        guard let property = diagnostic.propertyName else { return }
        #expect(line.contains("name=\"\(property)\""), "\(diagnostic): \(line)")
    }
}
