import ModelDocument
import ServiceLifecycle

/// Two sides of a model that are to become one.
package struct MergeTask: Sendable {
    package var base: Model?
    package var ours: Model
    package var theirs: Model
    /// What the page calls the model: its path in the repository.
    package var name: String

    package init(base: Model?, ours: Model, theirs: Model, name: String) {
        (self.base, self.ours, self.theirs, self.name) = (base, ours, theirs, name)
    }
}

/// Settles the conflicts of a merge, one choice after the other.
actor MergeSession {
    private let task: MergeTask
    private var choices: [String: ModelMerge.Side] = [:]
    private var merge: ModelMerge
    /// What the person decided in the end; nil as long as the page is open.
    private(set) var outcome: ModelMerge?
    private let (ends, end) = AsyncStream<Void>.makeStream()

    /// - Throws: What ``ModelMerge`` throws.
    init(_ task: MergeTask) throws {
        self.task = task
        merge = try ModelMerge(base: task.base, ours: task.ours, theirs: task.theirs)
    }

    /// Waits until the merge is written or given up.
    nonisolated func ended() async { for await _ in ends.cancelOnGracefulShutdown() { return } }

    /// What the page shows.
    var state: JSON {
        let known = Set(merge.questions.compactMap { $0.question?.id })
        return [
            "name": .text(task.name),
            "conflicts": .array(merge.questions.compactMap { json($0) }),
            "settled": .number(Double(choices.keys.count { known.contains($0) })),
            "faults": .array(merge.conflicts.filter { $0.question == nil }.map { .text($0.description) }),
        ]
    }

    private func json(_ conflict: ModelMerge.Conflict) -> JSON? {
        guard let question = conflict.question else { return nil }
        return [
            "id": .text(question.id), "place": .text(conflict.place), "kind": .text(question.kind.rawValue),
            "fields": .array(question.fields.map(\.json)),
            "sides": .array(question.sides.map { .text($0.rawValue) }),
            "choice": .optional(choices[question.id]?.rawValue),
        ]
    }

    /// Settles a conflict, or all of them.
    ///
    /// - Parameters:
    ///   - id: Of a conflict; nil: all that have this side.
    ///   - side: Nil takes the choice back.
    /// - Throws: `unknownElement` for what is no conflict, `invalidRequest` for a side that it has not.
    func choose(_ id: String?, _ side: String?) throws -> JSON {
        guard outcome == nil else { throw StudioError(.conflict, "The merge was written already.") }
        let side = try side.map { text in
            guard let side = ModelMerge.Side(rawValue: text) else {
                throw StudioError(.invalidRequest, "‘\(text)’ is no side: ours, theirs or both.")
            }
            return side
        }
        let questions = merge.questions.compactMap(\.question)
        let asked = id.map { id in questions.filter { $0.id == id } } ?? questions
        guard id == nil || !asked.isEmpty else { throw StudioError(.unknownElement, "There is no such conflict.") }
        var new = choices
        for question in asked {
            guard side.map({ question.sides.contains($0) }) ?? true else {
                if id == nil { continue }
                throw StudioError(.invalidRequest, "The conflict can’t have both sides.")
            }
            new[question.id] = side
        }
        let merge: ModelMerge
        do {
            merge = try ModelMerge(base: task.base, ours: task.ours, theirs: task.theirs, choices: new)
        } catch { throw StudioError(error) }
        (choices, self.merge) = (new, merge)
        return state
    }

    /// Ends the merge.
    ///
    /// - Parameter writes: Whether the merged model is to be written; else the merge is given up.
    /// - Throws: `invalidEdit` while a conflict is not settled.
    func finish(writes: Bool) throws -> JSON {
        if writes {
            let open = merge.questions.filter { choices[$0.question?.id ?? ""] == nil }.count
            guard open == 0 else {
                throw StudioError(.invalidEdit, "\(open) \(open == 1 ? "conflict is" : "conflicts are") not settled.")
            }
            outcome = merge
        }
        end.yield()
        end.finish()
        return ["written": .bool(writes)]
    }
}

extension ModelMerge.Field {
    fileprivate var json: JSON {
        ["name": .text(name), "base": .optional(base), "ours": .optional(ours), "theirs": .optional(theirs)]
    }
}
