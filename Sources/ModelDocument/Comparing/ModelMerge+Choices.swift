extension ModelMerge {
    /// Whose side settles a conflict.
    package enum Side: String, Sendable, Hashable, Codable, CaseIterable {
        case ours, theirs
        /// What either side has, where a list can hold both.
        case both
    }

    /// What a conflict asks a person: values on three sides, one of which is to be taken.
    package struct Question: Sendable, Hashable {
        /// The kinds of conflicts.
        package enum Kind: String, Sendable, Hashable {
            /// Settings of one element that mean something together.
            case setting
            /// One side removed the element that the other changed.
            case removal
            /// A list in which the order counts.
            case list
            /// Two new names for one element.
            case name
        }

        /// Names the conflict. It is the same each time that the same three models are merged.
        package let id: String
        package let kind: Kind
        package let fields: [Field]
        /// What can be chosen.
        package let sides: [Side]
        /// What the merged model has as long as nothing is chosen.
        package let standard: Side
    }

    /// A value on three sides; nil where a side has none.
    package struct Field: Sendable, Hashable {
        package let name: String
        package let base: String?
        package let ours: String?
        package let theirs: String?

        package init(_ name: String, base: String?, ours: String?, theirs: String?) {
            (self.name, self.base, self.ours, self.theirs) = (name, base, ours, theirs)
        }
    }
}

/// What was chosen, and what is asked while two sides are merged.
struct MergeChoices {
    private let chosen: [String: ModelMerge.Side]
    private var names: Set<String> = []
    private var asked: [(question: ModelMerge.Question, place: String, messages: [String])] = []

    init(_ chosen: [String: ModelMerge.Side]) { self.chosen = chosen }

    /// All that was asked, settled or not, in the order of the document.
    var questions: [ModelMerge.Conflict] {
        asked.map { .init(place: $0.place, message: $0.messages.joined(separator: "; "), question: $0.question) }
    }

    /// What is not settled: a conflict for each value.
    var conflicts: [ModelMerge.Conflict] {
        asked.filter { side(of: $0.question) == nil }.flatMap { question, place, messages in
            messages.map { .init(place: place, message: $0, question: question) }
        }
    }

    private func side(of question: ModelMerge.Question) -> ModelMerge.Side? {
        chosen[question.id].flatMap { question.sides.contains($0) ? $0 : nil }
    }

    /// Asks for a side.
    ///
    /// - Parameter messages: What is the matter, a sentence each.
    /// - Returns: What was chosen; without a choice, the standard.
    mutating func ask(
        _ kind: ModelMerge.Question.Kind, at place: String, _ messages: [String], _ fields: [ModelMerge.Field],
        sides: [ModelMerge.Side] = [.ours, .theirs], standard: ModelMerge.Side = .ours
    ) -> ModelMerge.Side {
        let plain = ([place, kind.rawValue] + fields.map(\.name)).joined(separator: "|")
        var (id, number) = (plain, 2)
        while !names.insert(id).inserted {
            id = "\(plain)|\(number)"
            number += 1
        }
        let question = ModelMerge.Question(id: id, kind: kind, fields: fields, sides: sides, standard: standard)
        asked.append((question, place, messages))
        return side(of: question) ?? standard
    }
}
