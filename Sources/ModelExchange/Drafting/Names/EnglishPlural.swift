/// Singular and plural of the English words that tables are called by. A word that is unknown follows the rules.
enum EnglishPlural {
    private static let irregular: [(one: String, many: String)] = [
        ("person", "people"), ("child", "children"), ("man", "men"), ("woman", "women"), ("mouse", "mice"),
        ("foot", "feet"), ("tooth", "teeth"), ("goose", "geese"), ("criterion", "criteria"), ("index", "indices"),
        ("leaf", "leaves"), ("life", "lives"), ("wife", "wives"), ("half", "halves"), ("shelf", "shelves"),
        ("hero", "heroes"), ("potato", "potatoes"), ("analysis", "analyses"), ("basis", "bases"),
        ("crisis", "crises"), ("movie", "movies"), ("cookie", "cookies"), ("bus", "buses"), ("status", "statuses"),
        ("virus", "viruses"), ("bonus", "bonuses"), ("campus", "campuses"), ("alias", "aliases"),
        ("house", "houses"), ("course", "courses"), ("case", "cases"), ("base", "bases"), ("purchase", "purchases"),
        ("database", "databases"), ("release", "releases"), ("expense", "expenses"), ("license", "licenses"),
        ("response", "responses"), ("warehouse", "warehouses"), ("phase", "phases"), ("cache", "caches"),
        ("size", "sizes"), ("prize", "prizes"), ("axe", "axes"),
    ]
    private static let unchanged: Set<String> = [
        "series", "species", "news", "sheep", "fish", "data", "information", "equipment", "money", "staff", "metadata",
        "media", "settings", "sms", "gps", "dns", "css", "https", "aws", "sales", "goods",
    ]

    static func singular(_ word: String) -> String {
        change(word) { lower in
            if let known = irregular.first(where: { $0.many == lower }) { return known.one }
            if irregular.contains(where: { $0.one == lower }) || unchanged.contains(lower) { return lower }
            if lower.hasSuffix("ies"), lower.count > 4 { return lower.dropLast(3) + "y" }
            for ending in ["sses", "xes", "ches", "shes", "zzes"] where lower.hasSuffix(ending) {
                return String(lower.dropLast(2))
            }
            let isPlural = lower.hasSuffix("s") && !["ss", "us", "is"].contains { lower.hasSuffix($0) }
            return isPlural && lower.count > 2 ? String(lower.dropLast()) : lower
        }
    }

    static func plural(_ word: String) -> String {
        change(word) { lower in
            if let known = irregular.first(where: { $0.one == lower }) { return known.many }
            if irregular.contains(where: { $0.many == lower }) || unchanged.contains(lower) { return lower }
            if lower.hasSuffix("y"), let before = lower.dropLast().last, !"aeiou".contains(before) {
                return lower.dropLast() + "ies"
            }
            return ["s", "x", "z", "ch", "sh"].contains { lower.hasSuffix($0) } ? lower + "es" : lower + "s"
        }
    }

    /// Changes the last word of a name in camel case, and keeps what stands before it.
    private static func change(_ name: String, _ body: (String) -> String) -> String {
        let start = name.lastIndex { $0.isUppercase } ?? name.startIndex
        let (before, word) = (name[..<start], name[start...])
        guard word.allSatisfy({ $0.isLetter && $0.isASCII }), !word.isEmpty else { return name }
        let changed = body(word.lowercased())
        let isUpper = word.first?.isUppercase == true
        return before + (isUpper ? changed.prefix(1).uppercased() + changed.dropFirst() : changed)
    }
}
