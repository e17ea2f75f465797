import FoundationGaps
import ModelDocument

/// Renames keys inside of predicates and expressions, and leaves their spelling alone otherwise.
///
/// Which words are the key in question is found out by putting another word into their place, one at a time, and
/// looking where in the parsed format it comes out: in a key path with a beginning that leads to the key's owner, or
/// elsewhere.
struct FormatRename {
    private let rename: ModelRename
    private let keys: ModelKeys
    private let name: String

    /// A word that no format has.
    private static let marker = "__renamed_key__"

    init(_ rename: ModelRename, in model: Model) {
        self.rename = rename
        keys = ModelKeys(model)
        name =
            switch rename.target {
            case .entity(let name), .property(let name, _), .composite(let name), .element(let name, _): name
            }
    }

    /// A format with the new name in it.
    struct Change {
        /// With every place changed.
        var text: String
        /// With the sure places changed; `nil` if there is none.
        var sureText: String?
        /// Why some place may mean something else; `nil` if all are sure.
        var doubt: String?
    }

    /// What becomes of a format; `nil` if it does not name the element.
    func change(_ site: FormatSite) -> Change? {
        if case .composite = rename.target { return nil }
        let isReadable = trails(of: site, text: site.text) != nil
        var (sure, unsure, doubts) = ([FormatWords.Word](), [FormatWords.Word](), [String]())
        for word in FormatWords(site.text).words where word.text == name {
            switch meaning(of: word, in: site, isReadable: isReadable) {
            case .key: sure.append(word)
            case .doubtful(let reason):
                unsure.append(word)
                doubts.append(reason)
            case .other: break
            }
        }
        guard !sure.isEmpty || !unsure.isEmpty else { return nil }
        let change = Change(
            text: replaced(sure + unsure, in: site.text),
            sureText: sure.isEmpty ? nil : replaced(sure, in: site.text), doubt: doubts.first)
        return checked(change, site, wasReadable: isReadable)
    }

    /// A sure change has to give something that can be read again.
    private func checked(_ change: Change, _ site: FormatSite, wasReadable: Bool) -> Change {
        guard wasReadable, trails(of: site, text: change.text) == nil else { return change }
        return Change(text: change.text, doubt: "With the new name the text can't be read.")
    }

    private func replaced(_ words: [FormatWords.Word], in text: String) -> String {
        var result = text
        for word in words.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            let quote = word.isQuoted ? String(text[word.range.lowerBound]) : ""
            let new = word.isQuoted || word.isMarked ? rename.newName : Self.key(rename.newName)
            result.replaceSubrange(word.range, with: quote + new + quote)
        }
        return result
    }

    /// A key as formats spell it: a word of the language gets its mark.
    private static func key(_ name: String) -> String { isPlainKey(name) ? name : "#" + name }

    private static func isPlainKey(_ name: String) -> Bool {
        guard case .keyPath(_, let path)? = try? NSExpression.parse(name).node else { return false }
        return path.keys == [name]
    }
}

// MARK: - Meanings

extension FormatRename {
    private enum Meaning {
        case key
        case doubtful(String)
        case other
    }

    private func meaning(of word: FormatWords.Word, in site: FormatSite, isReadable: Bool) -> Meaning {
        if word.isQuoted { return .doubtful("The text “\(word.text)” may mean it, or be any text.") }
        // An entity is named by texts alone.
        if case .entity = rename.target { return .other }
        guard isReadable else { return .doubtful("The text can't be read as it is.") }
        guard word.isMarked || Self.isPlainKey(word.text) else { return .other }
        var marked = site.text
        marked.replaceSubrange(word.range, with: Self.marker)
        guard let trails = trails(of: site, text: marked),
            let trail = trails.first(where: { $0.keys.contains(Self.marker) }),
            let place = trail.keys.firstIndex(of: Self.marker)
        else { return .other }
        guard let start = trail.start else {
            return .doubtful("What the key belongs to is known only when the text is used.")
        }
        return meaning(after: Array(trail.keys[..<place]), from: start)
    }

    /// What the name means after the keys before it.
    private func meaning(after prefix: [String], from start: String) -> Meaning {
        switch end(of: prefix, from: start) {
        case .entity(let here):
            guard case .property(_, let owner) = rename.target else { return .other }
            guard let found = keys.owner(of: name, in: here) else {
                return .doubtful("\(here) has no property of that name.")
            }
            return found == owner ? .key : .other
        case .composite(let composite):
            guard case .element(_, composite) = rename.target else { return .other }
            return .key
        case .unknown: return .doubtful("What the keys before it lead to is not in the model.")
        }
    }

    private enum End {
        case entity(String)
        case composite(String)
        case unknown
    }

    private func end(of prefix: [String], from start: String) -> End {
        guard !prefix.isEmpty else { return keys.entity(start) == nil ? .unknown : .entity(start) }
        guard case .found(let targets) = keys.resolve(prefix, from: start) else { return .unknown }
        switch targets.last {
        case .relationship(let relationship):
            return relationship.destinationName.map { .entity($0) } ?? .unknown
        case .fetched(let property): return property.fetchRequest?.entityName.map { .entity($0) } ?? .unknown
        case .attribute(let attribute): return attribute.compositeName.map { .composite($0) } ?? .unknown
        case .other: return .unknown
        case nil: return .entity(start)
        }
    }

    /// The key paths of a text; `nil` if it can't be read.
    private func trails(of site: FormatSite, text: String) -> [(start: String?, keys: [String])]? {
        var walk = KeyPathWalk(entity: site.entity ?? "", keys: keys)
        walk.variables = site.variables
        if site.isPredicate {
            guard let predicate = try? NSPredicate.parse(text) else { return nil }
            walk.visit(predicate)
        } else {
            guard let expression = try? NSExpression.parse(text) else { return nil }
            walk.visit(expression)
        }
        return walk.trails
    }
}
