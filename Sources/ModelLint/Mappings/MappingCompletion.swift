import ModelDocument

/// What could stand at a place of a value expression.
package struct MappingCompletion: Sendable {
    package private(set) var candidates: [FormatCompletion.Candidate] = []
    /// What a proposal replaces, as offsets in UTF-16.
    package private(set) var replaced: Range<Int>

    /// - Parameters:
    ///   - text: The expression.
    ///   - cursor: The place, as an offset in UTF-16; nil: the end.
    ///   - entity: The source entity.
    ///   - model: The source model.
    ///   - mappings: The names of all entity mappings.
    package init(_ text: String, cursor: Int?, entity: String, in model: Model, mappings: [String]) {
        let units = Array(text.utf16)
        let end = min(max(cursor ?? units.count, 0), units.count)
        let head = String(decoding: units[..<end], as: UTF16.self)
        let word = String(head.reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" }.reversed())
        let before = head.dropLast(word.count)
        replaced = (end - word.utf16.count)..<end
        if before.last == "\"" {
            candidates = Self.quoted(mappings, word)
        } else if before.last == "$" {
            candidates = Self.matching(
                ValueExpressionWalk.variables.map { .init(text: $0.0, kind: .variable, detail: $0.1) }, word)
        } else if before.last == "." {
            candidates = Self.path(String(before), word, entity, model)
        } else {
            candidates = Self.beginnings(word, entity, model)
        }
    }

    private static func matching(_ all: [FormatCompletion.Candidate], _ word: String) -> [FormatCompletion.Candidate] {
        all.filter { word.isEmpty || $0.text.lowercased().hasPrefix(word.lowercased()) }
    }

    private static func quoted(_ mappings: [String], _ word: String) -> [FormatCompletion.Candidate] {
        matching(mappings.map { .init(text: $0, kind: .keyword, detail: "entity mapping") }, word)
    }

    /// What can follow `$source.team.`
    private static func path(
        _ before: String, _ word: String, _ entity: String, _ model: Model
    ) -> [FormatCompletion.Candidate] {
        let path = String(
            before.reversed().prefix { $0.isLetter || $0.isNumber || "_.$".contains($0) }.reversed())
        guard path.hasPrefix("$source.") else { return [] }
        let text = "$FETCH_SOURCE." + path.dropFirst("$source.".count) + word
        return FormatCompletion(text, cursor: nil, for: .spotlight, entity: entity, source: entity, in: model)
            .candidates
    }

    /// The properties of the source object, and what follows its relationships.
    private static func beginnings(
        _ word: String, _ entity: String, _ model: Model
    ) -> [FormatCompletion.Candidate] {
        let lineage = model.lineage(of: entity)
        let attributes = lineage.flatMap(\.attributes).map { attribute in
            FormatCompletion.Candidate(
                text: "$source.\(attribute.name)", kind: .attribute, detail: attribute.type.title)
        }
        let relationships = lineage.flatMap(\.relationships).map { relationship in
            FormatCompletion.Candidate(
                text:
                    "FUNCTION($manager, \"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", \"\(relationship.name)\", $source.\(relationship.name))",
                kind: .relationship, detail: "what became of \(relationship.name)")
        }
        return (attributes + relationships).filter { candidate in
            word.isEmpty || candidate.detail.lowercased().hasSuffix(" " + word.lowercased())
                || candidate.text.lowercased().hasPrefix(word.lowercased())
                || candidate.text.lowercased().hasPrefix("$source." + word.lowercased())
        }
    }
}
