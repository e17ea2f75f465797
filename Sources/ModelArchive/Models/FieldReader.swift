import Foundation
import ModelFormat

extension ModelReader {
    /// Reads a part of the model that its rows can be read without.
    ///
    /// - Returns: nil for a part that the reader does not understand; the notes say so then.
    /// - Throws: What `body` throws, where there are no notes; the error of an archive that repeats itself without end.
    func part<Value>(_ place: @autoclosure () -> String, _ body: () throws -> Value) throws -> Value? {
        do {
            return try body()
        } catch {
            guard let notes, !archive.isExhausted else { throw error }
            notes.note("\(place()) is left out. \(whole: (error as NSError).localizedDescription)")
            return nil
        }
    }

    /// Reads the parts of a dictionary, each for itself.
    ///
    /// - Parameter kind: What a part is, for the notes: “fetch request template”.
    func parts<Part>(
        _ object: ArchivedObject, _ key: String, _ kind: String, _ read: (String, ArchivedValue) throws -> Part
    ) throws -> [Part] {
        let entries = try part("The list of every \(kind)") { try object.entries(key) } ?? []
        return try entries.compactMap { entry in
            try part("The \(kind) “\(entry.key)”") { try read(entry.key, entry.value) }
        }
    }

    /// The fields of a description.
    ///
    /// - Parameter place: What the description is, for the notes: “the attribute “Player.name””.
    func fields(_ object: ArchivedObject, _ place: String) -> FieldReader {
        FieldReader(reader: self, object: object, place: place)
    }
}

/// Reads the fields of a description one by one: a field that is not understood is left out alone.
struct FieldReader {
    let reader: ModelReader
    let object: ArchivedObject
    let place: String

    /// A field that the rest of the description can do without.
    func optional<Value>(_ key: String, _ body: () throws -> Value?) throws -> Value? {
        try reader.part("“\(key)” of \(place)", body) ?? nil
    }

    func flag(_ key: String) throws -> Bool { try optional(key) { try object.flag(key) } ?? false }

    func string(_ key: String) throws -> String? { try optional(key) { try object.string(key) } }

    func integer(_ key: String) throws -> Int? { try optional(key) { try object.integer(key) } }

    /// The elements of a list, each read for itself.
    func elements<Element>(_ key: String, _ read: (ArchivedValue) throws -> Element) throws -> [Element] {
        let values = try optional(key) { try object.elements(key) } ?? []
        return try values.enumerated().compactMap { number, value in
            try reader.part("Element \(number + 1) of “\(key)” of \(place)") { try read(value) }
        }
    }

    /// The renaming identifier, where it differs from the name that it falls back on.
    func renamingIdentifier(of name: String) throws -> String? {
        let identifier = try string("NSRenamingIdentifier")
        return identifier == name ? nil : identifier
    }

    /// The user info, unless it is empty: archives hold an empty one for nothing.
    func userInfo() throws -> Model.UserInfo? {
        let values = try optional("NSUserInfo") { try object.entries("NSUserInfo") } ?? []
        let entries = try values.compactMap { entry in
            try reader.part("“\(entry.key)” of the user info of \(place)") {
                Model.UserInfo.Entry(key: entry.key, value: try ArchivedObject.userInfoValue(entry.value))
            }
        }
        return entries.isEmpty ? nil : Model.UserInfo(entries)
    }
}
