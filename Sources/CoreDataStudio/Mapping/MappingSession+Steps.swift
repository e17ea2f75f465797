import ModelDocument

/// Actions that are one step, and the window that asks for them.
struct MappingStepRequest: Sendable, Decodable {
    var revision: Int?
    var client: String?
    var actions: [MappingAction]
    var title: String?
    var merge: String?
}

/// A request without an action.
struct MappingRequest: Sendable, Decodable {
    var client: String?
    /// Whether what another program wrote is replaced.
    var overwrites: Bool?
    /// The document of the store that is tried or migrated; nil for the first one.
    var store: String?
}

extension MappingSession {
    /// As many steps as can be taken back.
    private static let mostSteps = 500

    /// Carries actions out, all of them or none.
    ///
    /// - Throws: `conflict` where the document is of a later revision; what the actions throw.
    func perform(_ request: MappingStepRequest) throws -> JSON {
        if let known = request.revision, known != revision {
            throw StudioError(.conflict, "Another window changed the mapping model meanwhile.")
        }
        var changed = edited
        for action in request.actions { try action.apply(to: &changed, models) }
        let created = changed.identifiers.subtracting(edited.identifiers).sorted()
        guard changed != edited else { return state(created: created) }
        note(request.title ?? request.actions.first?.title ?? "Change", merge: request.merge)
        return take(changed, request.client, created: created)
    }

    func note(_ title: String, merge: String?) {
        future = []
        if let merge, past.last?.merge == merge { return }
        past.append(MappingStep(title: title, edited: edited, merge: merge))
        if past.count > Self.mostSteps { past.removeFirst() }
    }

    func undo(_ request: MappingRequest) -> JSON {
        guard let step = past.popLast() else { return state() }
        future.append(MappingStep(title: step.title, edited: edited))
        return take(step.edited, request.client)
    }

    func redo(_ request: MappingRequest) -> JSON {
        guard let step = future.popLast() else { return state() }
        past.append(MappingStep(title: step.title, edited: edited))
        return take(step.edited, request.client)
    }

    /// Shows another document, and tells the windows.
    func take(_ changed: EditedMapping, _ client: String?, created: [String] = []) -> JSON {
        let (old, new) = (edited.mapping, changed.mapping)
        edited = changed
        revision += 1
        if old.sourceModelPath != new.sourceModelPath || old.destinationModelPath != new.destinationModelPath {
            models = MappingModels(of: new, finder)
        }
        scheduleJournal()
        let state = state(created: created)
        publish(.update(state, client: client))
        return state
    }
}
