/// What a managed method does, as its name says: `addToPlayers`, `insertIntoPlayers`, `primitiveName`.
struct ManagedFunction: Equatable {
    enum Operation: Equatable {
        case insert, remove, insertAt, removeAt, replaceAt, primitive, setPrimitive
    }

    var operation: Operation
    /// The property, with a capital first letter.
    var capitalisedProperty: String

    /// - Parameters:
    ///   - name: The method's name, or the first piece of its selector.
    ///   - labels: Its parameters' labels, or the other pieces, nil for none.
    ///   - takesIndexes: Whether the first parameter is an index or a set of indexes.
    init?(name: String, labels: [String?], takesIndexes: Bool) {
        for form in Self.forms where form.count == labels.count {
            let written = form.isInLabel ? labels[1] ?? "" : name
            if form.isInLabel, form.name != name { continue }
            guard let property = form.property(in: written) else { continue }
            let isByIndex = form.operation == .remove && takesIndexes
            self.init(operation: isByIndex ? .removeAt : form.operation, capitalisedProperty: property)
            return
        }
        return nil
    }

    private init(operation: Operation, capitalisedProperty: String) {
        self.operation = operation
        self.capitalisedProperty = capitalisedProperty
    }

    /// How a name is made of a property's: what stands before and behind it.
    private struct Form {
        var prefix: String
        var suffix = ""
        var count: Int
        var operation: Operation
        /// For names that have the property in the second label: `insertObject(_:inPlayersAtIndex:)`.
        var name = ""

        var isInLabel: Bool { !name.isEmpty }

        func property(in text: String) -> String? {
            guard text.hasPrefix(prefix), text.hasSuffix(suffix),
                text.utf8.count > prefix.utf8.count + suffix.utf8.count
            else { return nil }
            let property = text.dropFirst(prefix.count).dropLast(suffix.count)
            return property.first.map { !$0.isLowercase } == true ? String(property) : nil
        }
    }

    // The first that fits counts: `removePlayersAtIndexes` before `removePlayers`.
    private static let forms: [Form] = [
        Form(prefix: "addTo", count: 1, operation: .insert),
        Form(prefix: "removeFrom", count: 1, operation: .remove),
        Form(prefix: "insertInto", count: 2, operation: .insertAt),
        Form(prefix: "in", suffix: "AtIndex", count: 2, operation: .insertAt, name: "insertObject"),
        Form(prefix: "removeObjectFrom", suffix: "AtIndex", count: 1, operation: .removeAt),
        Form(prefix: "replaceObjectIn", suffix: "AtIndex", count: 2, operation: .replaceAt),
        Form(prefix: "replace", suffix: "AtIndexes", count: 2, operation: .replaceAt),
        Form(prefix: "replace", count: 2, operation: .replaceAt),
        Form(prefix: "insert", count: 2, operation: .insertAt),
        Form(prefix: "remove", suffix: "AtIndexes", count: 1, operation: .removeAt),
        Form(prefix: "add", suffix: "Object", count: 1, operation: .insert),
        Form(prefix: "remove", suffix: "Object", count: 1, operation: .remove),
        Form(prefix: "add", count: 1, operation: .insert),
        Form(prefix: "remove", count: 1, operation: .remove),
        Form(prefix: "primitive", count: 0, operation: .primitive),
        Form(prefix: "setPrimitive", count: 1, operation: .setPrimitive),
    ]
}
