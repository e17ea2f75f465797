/// The steps that can be taken back, and those that were.
///
/// Each keeps the whole document as it was before it: values share their storage, so that costs little more than what
/// the step changed.
struct UndoHistory: Sendable {
    struct Step: Sendable {
        /// Names the step for as long as the document is open, undone or not.
        var id: Int
        var title: String
        /// The document on the other side of the step.
        var document: EditedDocument
        /// Steps that follow each other with the same mark become one.
        var merge: String?
    }

    private(set) var past: [Step] = []
    private(set) var future: [Step] = []
    private var lastID = 0

    var undoTitle: String? { past.last?.title }
    var redoTitle: String? { future.last?.title }
    /// The step that undo takes back.
    var undoStep: Int? { past.last?.id }
    /// The step that redo makes again.
    var redoStep: Int? { future.last?.id }

    /// Notes a step.
    ///
    /// - Parameter document: the document before it.
    mutating func add(_ title: String, from document: EditedDocument, merge: String?) {
        future = []
        if let merge, past.last?.merge == merge {
            past[past.count - 1].title = title
        } else {
            lastID += 1
            past.append(Step(id: lastID, title: title, document: document, merge: merge))
        }
    }

    /// Takes the last step back; `nil` if there is none.
    mutating func undo(from document: EditedDocument) -> Step? {
        guard let step = past.popLast() else { return nil }
        future.append(Step(id: step.id, title: step.title, document: document))
        return step
    }

    mutating func redo(from document: EditedDocument) -> Step? {
        guard let step = future.popLast() else { return nil }
        past.append(Step(id: step.id, title: step.title, document: document))
        return step
    }

    /// Ends the merging of steps, at a save for example.
    mutating func close() {
        guard !past.isEmpty else { return }
        past[past.count - 1].merge = nil
    }
}
