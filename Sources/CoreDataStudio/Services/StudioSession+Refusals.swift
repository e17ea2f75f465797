import ModelDocument

extension StudioSession {
    /// Whether fields of an element can get values: names that can't be and values that don't fit are refused while
    /// they are typed. Nothing is changed.
    ///
    /// - Throws: `unknownElement`.
    func previewSet(_ id: ElementID, to changes: [String: JSON]) throws -> JSON {
        let location = try document.location(of: id)
        do {
            var scratch = IDSource(scratch: true)
            let action = SetFields(element: id, changes: changes)
            let result = try document.applying(action, &scratch)
            return ["problem": .optional(refusal(of: result, at: location, id, Set(changes.keys)))]
        } catch {
            return ["problem": .text(StudioError(error).message)]
        }
    }

    /// Why a state of the document can't be, as far as some fields of an element are the reason.
    private func refusal(
        of result: EditedDocument, at location: EditedDocument.Location, _ id: ElementID, _ fields: Set<String>
    ) -> String? {
        guard location.place != .model else { return nil }
        let index = location.version
        let known = Set(problems(ofVersion: document.trees[index].id).map { [$0.element.rawValue, $0.code.rawValue] })
        let found = Problem.all(in: result.document.versions[index].model, result.trees[index])
        return found.first { problem in
            guard problem.code.isRefused else { return false }
            if problem.element == id { return problem.isAbout(fields) }
            return !known.contains([problem.element.rawValue, problem.code.rawValue])
        }?.diagnostic.message
    }
}

extension Problem {
    fileprivate var code: Model.DiagnosticCode { diagnostic.code }

    fileprivate func isAbout(_ fields: Set<String>) -> Bool {
        if let field { return fields.contains(field) }
        return code == .invalidBound && !fields.isDisjoint(with: ["minimum", "maximum"])
    }
}

extension Model.DiagnosticCode {
    /// Whether the editor refuses what has the problem. Other problems are shown, and mended later.
    fileprivate var isRefused: Bool {
        switch self {
        case .duplicateEntity, .duplicateProperty, .duplicateElement, .invalidName, .reservedName, .inheritedName,
            .invalidDefault, .defaultOutsideBounds, .invalidBound, .invalidPattern:
            true
        default: false
        }
    }
}
