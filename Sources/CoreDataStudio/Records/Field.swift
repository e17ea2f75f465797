import ModelDocument

/// One field of the records of a kind of element: how it is read from the element, and how it is set.
struct Field<Element>: Sendable {
    /// The field's name in records.
    let name: String
    /// Its name in the editor, which the titles of steps use.
    let title: String
    let read: @Sendable (Element, FieldContext) -> JSON
    /// Sets the field; `nil` for fields that can't be set.
    let write: (@Sendable (inout Element, JSON, FieldContext) throws -> Void)?

    init(
        _ name: String, _ title: String, read: @escaping @Sendable (Element, FieldContext) -> JSON,
        write: (@Sendable (inout Element, JSON, FieldContext) throws -> Void)? = nil
    ) {
        self.name = name
        self.title = title
        self.read = read
        self.write = write
    }
}

/// What a field needs to know of the model around its element.
struct FieldContext: Sendable {
    let names: ModelNames
    /// The entity that the element is or is in.
    var entity: Model.Entity?
}

// MARK: - Fields of plain kinds

extension Field {
    /// A text that may be absent; the empty text is none.
    static func text(
        _ name: String, _ title: String, _ path: WritableKeyPath<Element, String?> & Sendable
    ) -> Field {
        Field(name, title) { element, _ in
            .optional(element[keyPath: path])
        } write: { element, value, _ in
            element[keyPath: path] = try value.optionalText(for: name)
        }
    }

    /// A text that is always there.
    static func name(
        _ name: String, _ title: String, _ path: WritableKeyPath<Element, String> & Sendable
    ) -> Field {
        Field(name, title) { element, _ in
            .text(element[keyPath: path])
        } write: { element, value, _ in
            element[keyPath: path] = try value.requiredText(for: name)
        }
    }

    static func flag(
        _ name: String, _ title: String, _ path: WritableKeyPath<Element, Bool> & Sendable
    ) -> Field {
        Field(name, title) { element, _ in
            .bool(element[keyPath: path])
        } write: { element, value, _ in
            element[keyPath: path] = try value.flag(for: name)
        }
    }

    static func flag(
        _ name: String, _ title: String, _ path: WritableKeyPath<Element, Bool?> & Sendable
    ) -> Field {
        Field(name, title) { element, _ in
            .optional(element[keyPath: path])
        } write: { element, value, _ in
            element[keyPath: path] = value == .null ? nil : try value.flag(for: name)
        }
    }

    static func count(
        _ name: String, _ title: String, _ path: WritableKeyPath<Element, Int?> & Sendable
    ) -> Field {
        Field(name, title) { element, _ in
            .optional(element[keyPath: path])
        } write: { element, value, _ in
            element[keyPath: path] = try value.optionalCount(for: name)
        }
    }

    static func choice<Choice: Hashable & Sendable>(
        _ name: String, _ title: String, _ path: WritableKeyPath<Element, Choice> & Sendable,
        _ words: [Choice: String]
    ) -> Field {
        Field(name, title) { element, _ in
            .optional(words[element[keyPath: path]])
        } write: { element, value, _ in
            element[keyPath: path] = try value.choice(words, for: name)
        }
    }

    /// A reference to an entity, by its name in the model.
    static func entity(
        _ name: String, _ title: String, _ path: WritableKeyPath<Element, String?> & Sendable
    ) -> Field {
        Field(name, title) { element, context in
            .optional(context.names.entityID(element[keyPath: path]))
        } write: { element, value, context in
            element[keyPath: path] = try context.names.entityName(value, field: name)
        }
    }

    /// What can only be read.
    static func derived(
        _ name: String, _ read: @escaping @Sendable (Element, FieldContext) -> JSON
    ) -> Field {
        Field(name, name, read: read)
    }
}

// MARK: - What requests say

extension JSON {
    func optionalText(for field: String) throws -> String? {
        if self == .null { return nil }
        guard let text else { throw wrong(field, "a text or null") }
        return text.isEmpty ? nil : text
    }

    func requiredText(for field: String) throws -> String {
        guard let text, !text.isEmpty else { throw wrong(field, "a text that is not empty") }
        return text
    }

    func flag(for field: String) throws -> Bool {
        guard case .bool(let flag) = self else { throw wrong(field, "true or false") }
        return flag
    }

    func optionalCount(for field: String) throws -> Int? {
        if self == .null { return nil }
        guard case .integer(let number) = self, (0...Int(Int32.max)).contains(number) else {
            throw wrong(field, "a whole number from 0 on, or null")
        }
        return number
    }

    func choice<Choice>(_ words: [Choice: String], for field: String) throws -> Choice {
        guard let choice = words.first(where: { $0.value == text })?.key else {
            throw wrong(field, "one of \(words.values.sorted().joined(separator: ", "))")
        }
        return choice
    }

    func texts(for field: String) throws -> [String] {
        guard let texts = array?.map(\.text), !texts.contains(nil) else { throw wrong(field, "a list of texts") }
        return texts.compactMap { $0 }
    }

    func wrong(_ field: String, _ expected: String) -> StudioError {
        StudioError(.invalidRequest, "The field ‘\(field)’ takes \(expected).")
    }
}
