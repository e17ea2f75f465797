import Foundation
import ModelDocument
import RandomSeeds
import Testing

/// A spelling of a document that Xcode's rules don't give for its values is carried along, so that it survives. These
/// tests forget it: what is equal even then is written by rules alone. A third of the collection is looked at in each
/// run, all of it with `COREDATA_FULL_TESTS`.
@Suite("The rules of Xcode's writing are known")
struct RuleTests {
    /// The documents that no rule gives, each with the reason.
    private static let exceptions = [
        "/HalloAppInc-halloapp-ios-pub-HalloAppClip/HalloAppClip.xcdatamodeld/HalloAppClip.xcdatamodel/contents":
            "A template of Xcode 11 that no Xcode has saved (its lastSavedToolsVersion is 1): it says "
            + "usedWithCloudKit=\"false\" where Xcode leaves the attribute out."
    ]

    @Test(
        "Every document is written from what it means, but for those that a list names with the reason",
        .enabled(if: Samples.hasCollection))
    func collection() throws {
        let all = try DocumentFile.files(at: Samples.collection.appending(path: "models")).filter { $0.kind == .model }
        let others = all.filter { !isException($0) }
        let files = FullRun.items(of: others, elseOneIn: 3) + all.filter(isException)
        let different = try files.filter { try !isWrittenByRules($0) }
            .map { String($0.url.path.dropFirst(Samples.collection.appending(path: "models/").path.count)) }
        #expect(Set(different) == Set(Self.exceptions.keys), "\(different)")
        #expect(all.count >= 400 && different.count * 100 <= files.count)
    }

    @Test("Every committed document is")
    func committed() throws {
        for file in try DocumentFile.files(at: Samples.committed) where file.kind == .model {
            #expect(try isWrittenByRules(file) != isException(file), "\(file.url.path)")
        }
    }

    private func isException(_ file: DocumentFile) -> Bool {
        Self.exceptions.keys.contains { file.url.path.hasSuffix($0) }
    }

    private func isWrittenByRules(_ file: DocumentFile) throws -> Bool {
        let original = try Data(contentsOf: file.url)
        return try Model(contents: original).meaning().contents() == original
    }
}

extension Model {
    /// The model without what says how its document was spelled.
    fileprivate func meaning() throws -> Model {
        let all = try JSONDecoder().decode(JSON.self, from: JSONEncoder().encode(self))
        return try JSONDecoder().decode(Model.self, from: JSONEncoder().encode(all.withoutSpellings))
    }
}

/// `JSONSerialization` would make 0 of −0, which some old documents have in their diagrams.
private indirect enum JSON: Codable {
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([JSON])
    case object([String: JSON])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let list = try? value.decode([JSON].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: JSON].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .flag(let flag): try value.encode(flag)
        case .number(let number): try value.encode(number)
        case .text(let text): try value.encode(text)
        case .list(let list): try value.encode(list)
        case .object(let fields): try value.encode(fields)
        }
    }

    var withoutSpellings: JSON {
        switch self {
        case .list(let list): .list(list.map(\.withoutSpellings))
        case .object(let fields):
            .object(
                Dictionary(
                    uniqueKeysWithValues: fields.map { key, value in
                        switch key {
                        case "spellings": (key, .object([:]))
                        case "omissions": (key, .list([]))
                        default: (key, value.withoutSpellings)
                        }
                    }))
        default: self
        }
    }
}
