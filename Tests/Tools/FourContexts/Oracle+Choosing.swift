/// What a step comes to, given what there is.
extension Oracle {
    static let contextNames = ["first", "second", "child", "elsewhere"]

    /// Nil: nothing can be done.
    func command(for step: Step) -> Command? {
        let context = contexts[step.context]
        var chooser = Chooser(step.salt)
        var command = Command(verb: .look)
        switch step.kind {
        case .insert:
            command.verb = .insert
            command.id = step.number
            command.entity = ["Team", "Team", "Player", "Player", "Match", "Sponsor"][chooser.number(below: 6)]
        case .set:
            guard let id = chooser.one(of: usable(step.context)) else { return fetching(&chooser) }
            command.verb = .set
            command.id = id
            command.key = chooser.chance(50) ? "name" : "number"
            let value = command.key == "name" ? "name \(step.number)" : "\(chooser.number(below: 10))"
            command.value = chooser.chance(15) ? nil : value
        case .relate: return relating(step, &chooser)
        case .delete:
            guard !context.isUncertain, let id = chooser.one(of: usable(step.context)) else { return nil }
            command.verb = .delete
            command.id = id
        case .undo, .redo:
            guard context.hasUndo, !context.isUncertain else { return nil }
            command.verb = step.kind == .undo ? .undo : .redo
        case .save:
            if context.isUncertain, context.parent != nil { return Command(verb: .reset) }
            command.verb = .save
            command.policy = chooser.chance(45) || context.parent != nil ? 0 : UInt(1 + chooser.number(below: 4))
        case .fetch: return fetching(&chooser)
        case .read: command.verb = .read
        case .refresh:
            let saved = context.objects.filter { id, object in
                !object.isInserted && (!context.isUncertain || context.held.contains(id))
            }.keys
            guard let id = chooser.one(of: saved) else { return nil }
            command.verb = .refresh
            command.id = id
            // Giving up one side of a relationship alone leaves the other side to the application: not foretold here.
            let isRelated = context.objects[id].map { $0.isDeleted || $0.hasChangedRelation } ?? false
            command.flag = chooser.chance(50) || isRelated || context.isUncertain
        case .refreshAll: command.verb = .refreshAll
        case .reset: command.verb = .reset
        case .rollBack: command.verb = context.isUncertain ? .reset : .rollBack
        case .rely:
            guard let id = chooser.one(of: usable(step.context)) else { return nil }
            command.verb = .rely
            command.id = id
        case .takeOver:
            command.verb = .takeOver
            command.flag = chooser.chance(50)
        case .takeOverRemotely: command.verb = .takeOverRemotely
        }
        return command
    }

    private func fetching(_ chooser: inout Chooser) -> Command {
        var command = Command(verb: .fetch)
        command.entity = ["Team", "Team", "Player", "Player", "Match", "Sponsor"][chooser.number(below: 6)]
        command.other = chooser.chance(20) ? chooser.number(below: 10) : nil
        return command
    }

    /// The objects of a context that can be changed.
    private func usable(_ context: Int) -> [Int] {
        let state = contexts[context]
        return state.objects.filter { id, object in
            // The ends of relationships are not foretold where others' changes met unsaved ones.
            if state.isUncertain, !state.held.contains(id) { return false }
            return !object.isDeleted && canLoad(id, context)
        }.map(\.key)
    }

    /// Whether there is something to load.
    func canLoad(_ id: Int, _ context: Int) -> Bool {
        guard let object = contexts[context].objects[id] else { return isThere(id, context) }
        if object.isRealized || object.row != nil { return !object.isInaccessible && !object.isDeleted }
        return isThere(id, context)
    }

    /// Whether an object was never saved, and is gone from the parent that had it.
    func isNowhere(_ id: Int, _ context: Int) -> Bool {
        contexts[context].objects[id]?.isInserted != true && history[id] == nil && !isThere(id, context)
    }

    private func isThere(_ id: Int, _ context: Int) -> Bool {
        if let parent = contexts[context].parent { return canLoad(id, parent) }
        return store.rows[id] != nil
    }

    private func relating(_ step: Step, _ chooser: inout Chooser) -> Command? {
        let context = contexts[step.context]
        guard !context.isUncertain else { return nil }
        let usable = usable(step.context)
        guard let id = chooser.one(of: usable), let entity = context.objects[id]?.entity else {
            return fetching(&chooser)
        }
        let relations = Schema.relations(of: entity)
        let relation = relations[chooser.number(below: relations.count)]
        let fitting = usable.filter { $0 != id && context.objects[$0]?.entity == relation.destination }
        var command = Command(verb: .setToOne, id: id, key: relation.name)
        command.flag = relation.isOrdered
        guard relation.isToMany else {
            command.other = chooser.chance(20) ? nil : chooser.one(of: fitting, 1)
            return command
        }
        switch chooser.number(below: 5) {
        case 0:
            command.verb = .setMembers
            command.ids = Array(chooser.ordered(fitting, 2).prefix(chooser.number(below: 4)))
            return command
        case 1:
            let known = Set(context.objects[id]?.members[relation.name]?.current ?? [])
            let members = fitting.filter(known.contains)
            command.verb = .remove
            command.other = chooser.one(of: members.isEmpty ? fitting : members, 1)
        default:
            command.verb = .add
            command.other = chooser.one(of: fitting, 1)
        }
        return command.other == nil ? nil : command
    }
}

extension Command {
    /// The command as a line of a script.
    func text(in context: Int) -> String {
        let who = Oracle.contextNames[context]
        let object = "#\(id)"
        switch verb {
        case .insert: return "\(who): insert \(entity) \(object)"
        case .set: return "\(who): \(object).\(key) = \(value.map { "\"\($0)\"" } ?? "nil")"
        case .setToOne: return "\(who): \(object).\(key) = \(other.map { "#\($0)" } ?? "nil")"
        case .add: return "\(who): add #\(other ?? 0) to \(object).\(key)"
        case .remove: return "\(who): remove #\(other ?? 0) from \(object).\(key)"
        case .setMembers: return "\(who): \(object).\(key) = [\(ids.map { "#\($0)" }.joined(separator: ", "))]"
        case .delete: return "\(who): delete \(object)"
        case .save: return "\(who): save, \(Policy.names[Int(policy)]) policy"
        case .refresh: return "\(who): refresh \(object)\(flag ? ", merging changes" : "")"
        case .rely: return "\(who): detect conflicts for \(object)"
        case .fetch: return "\(who): fetch \(entity)" + (other.map { " where number >= \($0)" } ?? "")
        case .takeOver:
            return "\(who): merge saves \(ids) of \(context == 0 ? "second" : "first"), \(flag ? "IDs" : "objects")"
        case .takeOverRemotely:
            return "\(who): merge from remote: inserted \(inserted), updated \(updated), deleted \(deleted)"
        case .refreshAll: return "\(who): refresh all objects"
        case .rollBack: return "\(who): roll back"
        case .undo, .redo, .reset, .read, .look, .forget: return "\(who): \(verb.rawValue)"
        }
    }
}
