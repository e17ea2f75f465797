import Foundation

/// The list of versions in a `.xcdatamodeld` folder: its file `.xccurrentversion`, a property list that names the
/// current one.
///
/// ```swift
/// var list = ModelVersionList(currentVersionName: "League 2")
/// print(list.currentVersionFile ?? "")        // League 2.xcdatamodel
/// try list.data().write(to: url.appending(path: ".xccurrentversion"))
/// ```
///
/// ``VersionedModel`` keeps it for you.
public struct ModelVersionList: Sendable, Hashable, Codable {
    /// The folder of the current version, such as `League 2.xcdatamodel`.
    ///
    /// Xcode leaves it out when a document gets its folder before it gets a second version.
    public var currentVersionFile: String?

    /// What the list says beyond the current version, by key. It is written again.
    public var others: [String: Model.UserInfoValue] = [:]

    /// Whether the file ends in a line end, as Xcode's does.
    public var endsInNewline = true

    /// What an entry is indented by: a tab in Xcode's files.
    public var indentation = "\t"

    private static let currentVersionKey = "_XCCurrentVersionName"

    /// A list with a current version, or without one.
    ///
    /// - Parameter version: A version's name without extension.
    public init(currentVersionName version: String? = nil) {
        currentVersionName = version
    }

    /// The current version's name without extension; `nil` where the list names none.
    ///
    /// Setting it sets ``currentVersionFile``. Whether there is a version of the name is not checked here.
    public var currentVersionName: String? {
        get {
            currentVersionFile.map { $0.hasSuffix(".xcdatamodel") ? String($0.dropLast(".xcdatamodel".count)) : $0 }
        }
        set { currentVersionFile = newValue.map { $0 + ".xcdatamodel" } }
    }

    /// Reads a list, and how its text is laid out.
    ///
    /// - Parameter data: The file's bytes.
    /// - Throws: `ModelDocumentError` `damagedVersionList`, with the line where it is known.
    public init(data: Data) throws {
        let layout: XMLLayout
        let value: Model.UserInfoValue
        do {
            let document = try XMLReader.document(data, keepsWhiteSpace: true)
            layout = document.layout
            value = try Model.UserInfoValue(propertyList: document.root)
        } catch let error as ModelDocumentError {
            throw ModelDocumentError(
                .damagedVersionList, sentence: "The list of versions is damaged. \(whole: error.message)",
                line: error.line,
                column: error.column)
        }
        guard case .dictionary(var entries) = value else {
            throw ModelDocumentError(.damagedVersionList, "The list of versions is no dictionary.")
        }
        if let current = entries[Self.currentVersionKey] {
            guard let file = current.string else {
                throw ModelDocumentError(.damagedVersionList, "The current version's name is no text.")
            }
            entries[Self.currentVersionKey] = nil
            currentVersionFile = file
        }
        others = entries
        endsInNewline = layout.endsInNewline
        indentation = Self.indentation(in: data) ?? indentation
    }

    /// The blanks before the first key.
    private static func indentation(in data: Data) -> String? {
        data.split(separator: UInt8(ascii: "\n")).lazy
            .map { String(decoding: $0, as: UTF8.self) }
            .first { $0.contains("<key>") }
            .map { String($0.prefix { $0 == " " || $0 == "\t" }) }
    }

    /// The file's bytes, as Xcode writes them. A list that was read and not changed has the same bytes.
    ///
    /// - Throws: `ModelDocumentError` `unwritableContent` for a character that XML can't hold.
    public func data() throws -> Data {
        var entries = others
        entries[Self.currentVersionKey] = currentVersionFile.map(Model.UserInfoValue.string)
        var writer = XMLWriter()
        writer.style.indentation = indentation
        writer.line(#"<?xml version="1.0" encoding="UTF-8"?>"#)
        writer.line(
            #"<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">"#)
        writer.line(#"<plist version="1.0">"#)
        try writer.write(Model.UserInfoValue.dictionary(entries).propertyListNode())
        writer.line("</plist>")
        let text = endsInNewline ? writer.text : String(writer.text.dropLast())
        return Data(text.utf8)
    }
}
