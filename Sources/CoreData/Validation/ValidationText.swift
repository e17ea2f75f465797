import FoundationGaps

/// A sentence of a validation error, for users: English, unless the model's localization dictionary has another one.
struct ValidationText {
    /// The English sentence with the arguments' places, `%1$@` and so on: the key of other languages.
    let format: String
    private let arguments: [Argument]

    /// What stands in a sentence.
    enum Argument {
        /// A property, which other languages may name otherwise.
        case property(PropertySlot)
        /// The entity of the object.
        case entity
        /// A number, or another text of no language.
        case plain(String)
    }

    init(_ format: String, _ arguments: Argument...) {
        self.format = format
        self.arguments = arguments
    }

    /// The sentence about an object.
    func localized(for layout: EntityLayout) -> String {
        let names = ModelNames(layout)
        return Self.fill(
            names.sentence(format),
            arguments.map { argument in
                switch argument {
                case .property(let slot): names.property(slot.name)
                case .entity: names.entity
                case .plain(let text): text
                }
            })
    }

    /// The sentence where no object says which model it is of.
    var english: String {
        Self.fill(
            format,
            arguments.map { argument in
                switch argument {
                case .property(let slot): slot.name
                case .entity: "the object"
                case .plain(let text): text
                }
            })
    }

    /// Puts arguments into their places; one pass, so that no argument is taken for a place.
    private static func fill(_ format: String, _ arguments: [String]) -> String {
        var text = ""
        var rest = Substring(format)
        while let start = rest.firstIndex(of: "%") {
            text += rest[..<start]
            rest = rest[start...]
            let place = rest.dropFirst().prefix { $0.isNumber }
            guard let number = Int(place), arguments.indices.contains(number - 1),
                rest.dropFirst(1 + place.count).hasPrefix("$@")
            else {
                text.append(rest.removeFirst())
                continue
            }
            text += arguments[number - 1]
            rest = rest.dropFirst(3 + place.count)
        }
        return text + rest
    }
}

/// How a model names its parts to users, by its localization dictionary.
private struct ModelNames {
    private let layout: EntityLayout
    private let texts: [String: String]

    init(_ layout: EntityLayout) {
        self.layout = layout
        texts = layout.entity.managedObjectModel.localizationDictionary ?? [:]
    }

    var entity: String { texts["Entity/" + layout.name] ?? layout.name }

    func sentence(_ english: String) -> String { texts["ErrorString/" + english] ?? english }

    /// The property's name as its entity has it, or one above, or any entity.
    func property(_ name: String) -> String {
        var entity: NSEntityDescription? = layout.entity
        while let current = entity {
            if let text = texts["Property/\(name)/Entity/\(current.name ?? "")"] { return text }
            entity = current.superentity
        }
        return texts["Property/" + name] ?? name
    }
}
