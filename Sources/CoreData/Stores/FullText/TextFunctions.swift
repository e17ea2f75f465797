import FoundationGaps
import Synchronization

/// Full-text search in memory: what an index finds, without one.
package struct TextSearch: Sendable {
    private let query: SplitTextQuery
    private let tokenizer: TextTokenizer

    /// - Throws: 134020 where the database's library can't split texts.
    package init(for text: String, by tokenizer: TextTokenizer) throws {
        self.tokenizer = tokenizer
        query = try SplitTextQuery(TextQuery(text), tokenizer, StoreKinds.textSplitter)
    }

    /// Whether each phrase of the query is in one of some texts.
    package func finds(_ texts: [String]) throws -> Bool {
        guard !query.phrases.isEmpty else { return false }
        return query.matches(
            try texts.map { try StoreKinds.textSplitter.words(of: $0, by: tokenizer, for: .document) })
    }

    /// Whether some phrase of the query is in a text.
    package func touches(_ text: String) throws -> Bool {
        let words = try StoreKinds.textSplitter.words(of: text, by: tokenizer, for: .document)
        return query.phrases.contains { $0.isIn(words) }
    }

    /// The search for a text. A predicate asks for the same with every object.
    private static func known(for text: String, by tokenizer: TextTokenizer) throws -> TextSearch {
        if let last = last.withLock({ $0 }), last.text == text, last.search.tokenizer == tokenizer {
            return last.search
        }
        let search = try TextSearch(for: text, by: tokenizer)
        last.withLock { $0 = (text, search) }
        return search
    }

    private static let last = Mutex<(text: String, search: TextSearch)?>(nil)
}

extension TextQuery {
    /// What an index is asked for: the words of each phrase, as the index has them. None: nothing matches.
    ///
    /// - Throws: 134020 where the database's library can't split texts.
    package func phrases(by tokenizer: TextTokenizer) throws -> [(words: [String], isPrefix: Bool)] {
        try SplitTextQuery(self, tokenizer, StoreKinds.textSplitter).phrases.map { ($0.words, $0.isPrefix) }
    }
}

// MARK: - Functions of predicates

extension TextSearch {
    /// Tells predicates what the functions of full-text search mean. A coordinator does it.
    static let isRegistered: Bool = {
        for function in [TextFunction.matches, .rank, .snippet] {
            NSPredicate.registerFunction(named: function.rawValue) { receiver, arguments in
                try value(of: function, try texts(receiver, function), arguments, .words)
            }
        }
        return true
    }()

    /// The function that a name means for the texts of an object.
    ///
    /// - Parameters:
    ///   - key: The attribute to search; nil: all that are marked.
    ///   - value: The text of an attribute.
    static func function(
        named name: String, of key: String?, in layout: EntityLayout, value: @escaping (PropertySlot) throws -> String?
    ) -> (([Any?]) throws -> Any?)? {
        guard let function = TextFunction(rawValue: name) else { return nil }
        let slot = key.flatMap { layout.slot(named: $0) }
        // Of a relationship the object at its other end is searched, of a number nothing.
        if key != nil, slot?.kind != .string { return nil }
        return { arguments in
            let marks = try layout.textMarks()
            let slots = marks.slots(of: layout)
            if let slot {
                return try Self.value(
                    of: function, [try value(slot)].compactMap { $0 }, arguments, marks.tokenizer)
            }
            return try Self.value(of: function, try slots.compactMap(value), arguments, marks.tokenizer)
        }
    }

    private static func texts(_ receiver: Any?, _ function: TextFunction) throws -> [String] {
        switch PredicateValue(receiver) {
        case .null: return []
        case .string(let text): return [text]
        case let other:
            throw PredicateEvaluationError("\(function.rawValue) searches a text or an object, not \(other.kindName)")
        }
    }

    private static func value(
        of function: TextFunction, _ texts: [String], _ arguments: [Any?], _ tokenizer: TextTokenizer
    ) throws -> Any? {
        guard function == .matches else {
            throw StoreRequestFailure.unsupported(
                "\(function.rawValue) needs the index of an SQLite store; only it ranks texts and cuts snippets")
        }
        switch PredicateValue(arguments[0]) {
        case .null: return false
        case .string(let text): return try known(for: text, by: tokenizer).finds(texts)
        case let other:
            throw PredicateEvaluationError("\(function.rawValue) searches for a text, not \(other.kindName)")
        }
    }
}

extension RowObject: MessageReceiver {
    func function(named name: String) -> (([Any?]) throws -> Any?)? { function(named: name, in: nil) }

    func function(named name: String, of key: String) -> (([Any?]) throws -> Any?)? {
        function(named: name, in: key)
    }

    private func function(named name: String, in key: String?) -> (([Any?]) throws -> Any?)? {
        TextSearch.function(named: name, of: key, in: layout) { slot in
            let path = PredicateKeyPath(keys: slot.name.split(separator: ".").map(String.init))
            guard case .string(let text)? = try self.graph.value(of: self, at: path) else { return nil }
            return text
        }
    }
}
