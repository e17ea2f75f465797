/// How one XML attribute maps to a property of a value, in both directions.
///
/// Each kind of element has a table of these in the order in which Xcode writes them. The reader takes the values from
/// it, and notes as foreign where the document's spelling is not what the table would write; so whatever is written
/// from the same table can be exactly what was read.
package struct AttributeCoding<Value>: Sendable {
    package let name: String
    /// Sets the property; `false` if the text is nothing that the property can be.
    package let read: @Sendable (String, inout Value) -> Bool
    /// The text that Xcode writes, `nil` where it leaves the attribute out.
    package let write: @Sendable (Value) -> String?

    package typealias Path<Property> = WritableKeyPath<Value, Property> & Sendable

    package init(
        name: String, read: @escaping @Sendable (String, inout Value) -> Bool,
        write: @escaping @Sendable (Value) -> String?
    ) {
        (self.name, self.read, self.write) = (name, read, write)
    }
}

extension AttributeCoding {
    /// A text that is always there.
    @_semantics("optimize.sil.specialize.generic.never")
    package static func text(_ name: String, _ path: Path<String>) -> AttributeCoding {
        AttributeCoding(name: name) { text, value in
            value[keyPath: path] = text
            return true
        } write: {
            $0[keyPath: path]
        }
    }

    /// A text that may be missing.
    @_semantics("optimize.sil.specialize.generic.never")
    package static func text(_ name: String, _ path: Path<String?>) -> AttributeCoding {
        AttributeCoding(name: name) { text, value in
            value[keyPath: path] = text
            return true
        } write: {
            $0[keyPath: path]
        }
    }

    /// The name of a class.
    @_semantics("optimize.sil.specialize.generic.never")
    package static func classReference(_ name: String, _ path: Path<ClassReference?>) -> AttributeCoding {
        AttributeCoding(name: name) { text, value in
            value[keyPath: path] = ClassReference(text)
            return true
        } write: {
            $0[keyPath: path]?.spelling
        }
    }

    /// `YES`, or no attribute at all for `false`.
    @_semantics("optimize.sil.specialize.generic.never")
    package static func flag(_ name: String, _ path: Path<Bool>) -> AttributeCoding {
        AttributeCoding(name: name) { text, value in
            guard let flag = boolean(text) else { return false }
            value[keyPath: path] = flag
            return true
        } write: {
            $0[keyPath: path] ? "YES" : nil
        }
    }

    /// `YES`, `NO`, or no attribute at all for `nil`.
    @_semantics("optimize.sil.specialize.generic.never")
    package static func flag(_ name: String, _ path: Path<Bool?>) -> AttributeCoding {
        AttributeCoding(name: name) { text, value in
            guard let flag = boolean(text) else { return false }
            value[keyPath: path] = flag
            return true
        } write: {
            $0[keyPath: path].map { $0 ? "YES" : "NO" }
        }
    }

    /// A whole number, left out where it is `absent`.
    @_semantics("optimize.sil.specialize.generic.never")
    package static func integer(_ name: String, _ path: Path<Int>, absent: Int) -> AttributeCoding {
        AttributeCoding(name: name) { text, value in
            guard let number = Int(text) else { return false }
            value[keyPath: path] = number
            return true
        } write: {
            $0[keyPath: path] == absent ? nil : String($0[keyPath: path])
        }
    }

    /// A whole number that may be missing.
    @_semantics("optimize.sil.specialize.generic.never")
    package static func integer(_ name: String, _ path: Path<Int?>) -> AttributeCoding {
        AttributeCoding(name: name) { text, value in
            guard let number = Int(text) else { return false }
            value[keyPath: path] = number
            return true
        } write: {
            $0[keyPath: path].map(String.init)
        }
    }

    /// A measure of the diagram; whole ones are written without a fraction.
    @_semantics("optimize.sil.specialize.generic.never")
    package static func measure(_ name: String, _ path: Path<Double>) -> AttributeCoding {
        AttributeCoding(name: name) { text, value in
            guard let number = Double(text), number.isFinite else { return false }
            value[keyPath: path] = number
            return true
        } write: {
            let number = $0[keyPath: path]
            // Xcode 4 to 6 left entities at "-0", and so do we where one stays there.
            if number == 0, number.sign == .minus { return "-0" }
            return Int(exactly: number).map(String.init) ?? String(number)
        }
    }

    /// One of several words, left out where it is `absent`.
    @_semantics("optimize.sil.specialize.generic.never")
    package static func choice<Choice: Hashable & Sendable>(
        _ name: String, _ path: Path<Choice>, _ words: [Choice: String], absent: Choice? = nil
    ) -> AttributeCoding {
        AttributeCoding(name: name) { text, value in
            guard let choice = words.first(where: { $0.value == text })?.key else { return false }
            value[keyPath: path] = choice
            return true
        } write: {
            $0[keyPath: path] == absent ? nil : words[$0[keyPath: path]]
        }
    }

    /// One of several words, or nothing.
    @_semantics("optimize.sil.specialize.generic.never")
    package static func choice<Choice: Hashable & Sendable>(
        _ name: String, _ path: Path<Choice?>, _ words: [Choice: String]
    ) -> AttributeCoding {
        AttributeCoding(name: name) { text, value in
            guard let choice = words.first(where: { $0.value == text })?.key else { return false }
            value[keyPath: path] = choice
            return true
        } write: {
            $0[keyPath: path].flatMap { words[$0] }
        }
    }

    private static func boolean(_ text: String) -> Bool? {
        switch text {
        case "YES", "true", "1": true
        case "NO", "false", "0": false
        default: nil
        }
    }
}
