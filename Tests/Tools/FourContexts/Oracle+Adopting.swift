/// Which row an object gets that was a fault is not always foretold: while others save, a newer one may come along with
/// the members of a relationship before the fault fires, or after. So the oracle knows the oldest that it can be, looks
/// which it is, and from then on holds the object to that one.
extension Oracle {
    /// Notes what is saved now.
    ///
    /// - Throws: ``Failure`` where a row has a version that it had before, with other values.
    mutating func recordHistory() throws {
        for (id, row) in store.rows where history[id]?.last != row {
            if history[id]?.contains(where: { $0.version == row.version && $0 != row }) ?? false {
                throw Failure("\(row.entity) \(id) is another one, and has the version \(row.version) as before")
            }
            history[id, default: []].append(row)
        }
    }

    /// Takes over which rows the objects of a context have, as far as they may.
    ///
    /// - Parameter before: The oracle as it was before the step. It learns which rows came.
    /// - Returns: Whether the step has to be played again, as it used other rows.
    mutating func adoptRows(_ real: Observation, _ context: Int, before: inout Oracle) throws -> Bool {
        var isOutdated = false
        for (id, seen) in real.objects {
            guard let mine = contexts[context].objects[id], seen.version != mine.row?.version else { continue }
            let former = before.contexts[context].objects[id]
            guard let version = seen.version else {
                if !mine.isRealized {
                    contexts[context].objects[id]?.row = nil
                } else if real.deleted.contains(id), store.rows[id] == nil, former?.isRealized != true {
                    // Its row was not at hand after all, and is gone.
                    before.contexts[context].objects[id]?.row = nil
                    before.caches[contexts[context].coordinator][id] = nil
                    isOutdated = isOutdated || !mine.isInaccessible
                }
                continue
            }
            if let parent = contexts[context].parent {
                // Objects that the parent changed, or that were saved to it, have values that were never in the store.
                if contexts[parent].objects[id]?.hasChanges ?? false { continue }
                if former?.isRealized ?? false {
                    guard contexts[context].isUncertain || former?.takes != mine.takes,
                        let row = history[id]?.last(where: { $0.version == version })
                    else { continue }
                    // It knows already which objects its relationships lead to.
                    let members = mine.members
                    contexts[context].objects[id]?.take(row)
                    contexts[context].objects[id]?.members = members
                    continue
                }
            }
            if contexts[context].isUncertain, let row = former?.row, row.version == version {
                // Others' changes made it one that is changed here, and keeps its row.
                contexts[context].objects[id]?.row = row
                continue
            }
            let oldest = written[contexts[context].coordinator][id] ?? 0
            guard let row = history[id]?.last(where: { $0.version == version }),
                version >= oldest || contexts[context].parent != nil
            else {
                throw Failure("\(mine.entity) #\(id) has version \(version) of its row, not \(oldest) or a later one")
            }
            guard mine.isRealized else {
                contexts[context].objects[id]?.row = row
                raise(row, id, context)
                continue
            }
            if let former, former.isRealized, former.takes == mine.takes {
                if contexts[context].isUncertain || version == store.rows[id]?.version {
                    // An object at the other end of a change takes its row as it is now, if the two don't agree, and
                    // its members.
                    contexts[context].objects[id]?.take(row)
                    raise(row, id, context)
                    for relation in Schema.relations(of: mine.entity) where seen.toMany[relation.name] != nil {
                        loadMembers(id, relation, context)
                    }
                    continue
                }
                throw Failure("\(mine.entity) #\(id) has version \(version) of its row, and had \(oldest)")
            }
            if former?.isRealized == false { before.contexts[context].objects[id]?.row = row }
            // What was thought to be at hand may have been older, or newer.
            before.caches[contexts[context].coordinator][id] = row
            contexts[context].objects[id]?.take(row)
            isOutdated = true
        }
        return meetAgain(real, context, &before) || isOutdated
    }

    /// An object that is not there, and was not before, may have been met with a newer row than it might have had, by
    /// which nothing happened to it.
    private func meetAgain(_ real: Observation, _ context: Int, _ before: inout Oracle) -> Bool {
        let coordinator = contexts[context].coordinator
        var isOutdated = false
        for (id, mine) in contexts[context].objects {
            guard real.objects[id].map({ $0.isFault && mine.isRealized }) ?? true else { continue }
            let row = store.rows[id]
            // One that is gone was gone for the coordinator, too.
            if row != nil, before.contexts[context].objects[id]?.isRealized ?? false { continue }
            if row != nil, before.contexts[context].objects[id] != nil, real.objects[id] == nil { continue }
            // What a parent has of it is what its child gets.
            if let parent = contexts[context].parent, let object = before.contexts[parent].objects[id] {
                if object.hasChanges || object.row != nil { continue }
            }
            guard before.caches[coordinator][id] != row else { continue }
            before.caches[coordinator][id] = row
            isOutdated = true
        }
        return isOutdated
    }

    /// A row that an object has the coordinator has seen.
    private mutating func raise(_ row: Row, _ id: Int, _ context: Int) {
        let coordinator = contexts[context].coordinator
        guard caches[coordinator][id].map({ $0.version < row.version }) ?? (store.rows[id] != row) else { return }
        caches[coordinator][id] = row
    }
}
