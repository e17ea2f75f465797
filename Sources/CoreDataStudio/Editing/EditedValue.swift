import CoreData
import Foundation
import StoreBrowsing
import StoreImporting

/// A value as a person typed it.
///
/// Only its type is checked here. That it keeps the model's rules is checked with the whole object: one may come to a
/// valid object by way of invalid ones.
struct EditedValue {
    /// The value as the object has it; nil for none.
    let object: Any?

    /// - Parameters:
    ///   - json: null, a truth value or a text; of data base64.
    ///   - path: How the attribute is called in messages.
    /// - Throws: `invalidEdit` with what the text has to be.
    init(_ json: JSON, _ attribute: NSAttributeDescription, _ path: String) throws {
        if json == .null {
            object = nil
            return
        }
        let text = try Self.text(json, path)
        guard let type = AttributeText(attribute.attributeType) else {
            throw StudioError(.invalidEdit, "\(path) can't be typed: a text can't stand for its values.")
        }
        guard let value = type.object(text) else {
            throw StudioError(.invalidEdit, "“\(text.prefix(60))” is no \(type.expectation).")
        }
        object = value
    }

    private static func text(_ json: JSON, _ path: String) throws -> String {
        switch json {
        case .text(let text): return text
        case .bool(let flag): return flag ? "true" : "false"
        case .integer(let number): return String(number)
        default: throw StudioError(.invalidRequest, "The value of \(path) has to be a text, a truth value or null.")
        }
    }
}

extension NSManagedObject {
    /// Sets an attribute, or an element of a composite one.
    func set(_ value: Any?, at path: String) {
        let keys = path.split(separator: ".").map(String.init)
        guard keys.count > 1 else { return setValue(value, forKey: path) }
        let old = self.value(forKey: keys[0]) as? [String: Any] ?? [:]
        setValue(old.setting(value, at: keys.dropFirst()), forKey: keys[0])
    }
}

extension [String: Any] {
    /// The elements of a composite value with another one at a path.
    fileprivate func setting(_ value: Any?, at path: ArraySlice<String>) -> [String: Any] {
        guard let key = path.first else { return self }
        var new = self
        new[key] =
            path.count == 1 ? value : (self[key] as? [String: Any] ?? [:]).setting(value, at: path.dropFirst())
        return new
    }
}
