import ModelDocument

/// Names of a model, made of those that others use.
enum DraftName {
    /// `order_items` as `OrderItem`.
    static func entity(_ name: String) -> String {
        let words = words(of: name)
        let camel = words.map(capitalized).joined()
        let result = identifier(EnglishPlural.singular(camel), or: "Entity")
        return result.prefix(1).uppercased() + result.dropFirst()
    }

    /// `last_name` as `lastName`.
    static func property(_ name: String) -> String {
        let words = words(of: name)
        let camel = (words.first ?? "") + words.dropFirst().map(capitalized).joined()
        return identifier(camel, or: "value")
    }

    /// `customer_id` as `customer`: the name of what a reference leads to.
    static func reference(_ column: String) -> String {
        var words = words(of: column)
        let endings: Set<String> = ["id", "fk", "ref", "key", "uuid", "guid", "no"]
        if words.count > 1, let last = words.last, endings.contains(last) { words.removeLast() }
        return property(words.joined(separator: "_"))
    }

    /// `OrderItem` as `orderItem`.
    static func lowered(_ name: String) -> String { name.prefix(1).lowercased() + name.dropFirst() }

    static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

    /// The words of a name in lower case: they end at signs, and where a capital letter follows a small one.
    static func words(of name: String) -> [String] {
        var words: [String] = []
        var word = ""
        var wasSmall = false
        let letters = Array(name)
        for (index, letter) in letters.enumerated() {
            guard letter.isLetter || letter.isNumber else {
                words.append(word)
                (word, wasSmall) = ("", false)
                continue
            }
            let next = index + 1 < letters.count ? letters[index + 1] : nil
            let beginsWord = letter.isUppercase && (wasSmall || word.count > 1 && next?.isLowercase == true)
            if beginsWord {
                words.append(word)
                word = ""
            }
            word += letter.lowercased()
            wasSmall = letter.isLowercase || letter.isNumber
        }
        return (words + [word]).filter { !$0.isEmpty }
    }

    /// The letters and digits of a text that an identifier can have.
    private static func identifier(_ text: String, or standard: String) -> String {
        var result = String(
            String.UnicodeScalarView(text.unicodeScalars.filter { $0.properties.isXIDContinue && $0 != "_" }))
        if result.isEmpty { result = standard }
        let startsWell = result.unicodeScalars.first?.properties.isXIDStart == true
        return startsWell ? result : standard + result
    }
}

/// Gives out names of properties, none twice in an entity, and none that a managed object has already.
struct TakenNames {
    private var taken: Set<String> = []
    private let entity: String

    init(entity: String) { self.entity = entity }

    /// The name, or one that is like it.
    mutating func take(_ wanted: String) -> String {
        var name = wanted
        if Self.isReserved(name) { name = DraftName.lowered(entity) + DraftName.capitalized(name) }
        let start = name
        var number = 2
        while taken.contains(name.lowercased()) || Self.isReserved(name) {
            name = "\(start)\(number)"
            number += 1
        }
        taken.insert(name.lowercased())
        return name
    }

    func isFree(_ name: String) -> Bool { !taken.contains(name.lowercased()) && !Self.isReserved(name) }

    /// Whether the checks of models refuse the name.
    private static func isReserved(_ name: String) -> Bool {
        var entity = Model.Entity(drafted: "Trial")
        entity.attributes = [Model.Attribute(name: name, type: .string)]
        return Model(entities: [entity]).diagnostics.contains { $0.code == .reservedName }
    }
}
