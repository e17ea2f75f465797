import FoundationGaps

// How the results follow their context.

extension ResultsCore {
    func contextDidChange(_ notification: Notification) {
        guard let query, let userInfo = notification.userInfo else { return }
        retryFetch()
        if userInfo[NSInvalidatedAllObjectsKey] != nil { demand(.fetchAfterReset) }
        for key in [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey, NSRefreshedObjectsKey] {
            for object in userInfo[key] as? Set<NSManagedObject> ?? [] { touch(object, query) }
        }
        follow()
    }

    func contextDidSave(_ notification: Notification) {
        guard let query, let userInfo = notification.userInfo else { return }
        retryFetch()
        if query.dependence.needsFetch {
            // What the store computes, and what it finds by other objects' values, it knows now.
            let keys = [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey]
            let isConcerned = keys.contains { key in
                (userInfo[key] as? Set<NSManagedObject> ?? []).contains { query.isConcerned(by: $0.layout) }
            }
            if isConcerned { demand(.fetch) }
        }
        follow(isSave: true)
        if isTracking, cacheIsStale, !isFollowing, let sections { writeCache(sections) }
    }

    /// Fetches where that failed before.
    private func retryFetch() {
        guard fetchFailed else { return }
        fetchFailed = false
        demand(.fetch)
    }

    /// Notes an object that changed.
    private func touch(_ object: NSManagedObject, _ query: ResultsQuery) {
        guard query.isConcerned(by: object.layout) else { return }
        if query.dependence.needsFetch { demand(.fetch) }
        guard query.isCandidate(object.layout), touchedIdentities.insert(ObjectIdentifier(object)).inserted else {
            return
        }
        touched.append(object)
    }

    /// Notes what has changed and is still to be notified: it counts, or what did not change would not be in order.
    private func touchUnannounced(_ query: ResultsQuery) {
        for object in context.events.objects { touch(object, query) }
        let merged = context.merging.objects
        for objects in [merged.inserted, merged.refreshed, merged.deleted] {
            for object in objects { touch(object, query) }
        }
    }

    /// Looks at what changed, and tells; what changes meanwhile is looked at after that.
    ///
    /// - Parameter isSave: Whether it is a save that is followed.
    func follow(isSave: Bool = false) {
        guard !isFollowing else { return }
        guard isTracking else {
            // What is missed now is found by a fetch when there is a delegate or a reader to tell.
            if !touched.isEmpty || update == .fetchAfterReset { demand(.fetch) }
            return forgetTouched()
        }
        isFollowing = true
        defer { isFollowing = false }
        while let query, !touched.isEmpty || update != .changes || hasPromotions(isSave) {
            touchUnannounced(query)
            step(query, isSave)
        }
    }

    private func step(_ query: ResultsQuery, _ isSave: Bool) {
        let isPromotion = touched.isEmpty && update == .changes
        let isReset = update == .fetchAfterReset
        for object in takePromotions(isSave) where touchedIdentities.insert(ObjectIdentifier(object)).inserted {
            touched.append(object)
        }
        let objects = touched
        let identities = touchedIdentities
        forgetTouched()
        prepareToChange()
        if tellsIDs { keepIDs() }
        let old = keepsOldContent ? sections?.copyToShow : nil
        guard var change = followed(objects, identities, query) else { return }
        change.isPromotion = isPromotion
        change.arrange()
        contentDidChange()
        guard !change.isEmpty else { return }
        cacheIsStale = true
        noteUnsaved(change)
        if isReset { tellReaders(change) } else { tell(change, old) }
    }

    /// Whether a delegate or a reader will be shown the content as it was.
    private var keepsOldContent: Bool {
        let wanted = knownMethods.subtracting(delegateLacks)
        return delegate != nil && !wanted.contains(.snapshots)
            && !(sectionKeyPath == nil && wanted.contains(.differences))
    }

    /// Follows changes of objects.
    ///
    /// - Returns: What they did to the results; nil if that can't be found out now.
    private func followed(
        _ objects: [NSManagedObject], _ identities: Set<ObjectIdentifier>, _ query: ResultsQuery
    ) -> ResultsChange? {
        if update == .changes {
            do { return try sections?.update(objects, query) } catch {
                // Only the store can evaluate the predicate.
                demand(.fetch)
            }
        }
        return fetched(identities, query)
    }

    private func fetched(_ touched: Set<ObjectIdentifier>, _ query: ResultsQuery) -> ResultsChange? {
        guard let old = sections else { return nil }
        do {
            var new = try fetchSections(query)
            new.keepIDs(old.keepsIDs)
            isUpToDate()
            show(new)
            return new.change(from: old, touched: touched, query)
        } catch {
            // Objects that the context forgot can't be shown any longer; others stay until the store can be read.
            let isReset = update == .fetchAfterReset
            isUpToDate()
            if !fetchFailed { say(error, query) }
            fetchFailed = true
            guard isReset else { return nil }
            let none = ResultSections(of: query)
            show(none)
            return none.change(from: old, touched: touched, query)
        }
    }

    /// Nothing could catch an error of a change.
    private func say(_ error: any Error, _ query: ResultsQuery) {
        FileHandle.standardError.write(
            Data(
                "CoreData: error: The results of \(query.entity.name) could not be fetched anew, which is tried again at the next change: \(error.localizedDescription)\n"
                    .utf8))
    }

    // MARK: IDs that become permanent

    /// Whether IDs became permanent. Mostly all of them do, at a save; between saves not each is looked at.
    private func hasPromotions(_ isSave: Bool) -> Bool {
        func isPromoted(_ object: NSManagedObject) -> Bool { !object.ownID.isTemporaryID }
        return isSave
            ? unsaved.contains(where: isPromoted)
            : [unsaved.first, unsaved.last].contains { $0.map(isPromoted) ?? false }
    }

    /// The results with IDs that became permanent since they were told.
    private func takePromotions(_ isSave: Bool) -> [NSManagedObject] {
        guard hasPromotions(isSave) else { return [] }
        var promoted: [NSManagedObject] = []
        unsaved.removeAll { object in
            guard !object.ownID.isTemporaryID else { return false }
            promoted.append(object)
            return true
        }
        return promoted
    }

    /// Starts to keep IDs, if that has not begun, and to look out for those that will change.
    func keepIDs() {
        guard let known = sections, !known.keepsIDs else { return }
        sections?.keepIDs(true)
        unsaved = known.objects.filter(\.reference.isTemporary)
    }

    private func noteUnsaved(_ change: ResultsChange) {
        guard tellsIDs else {
            unsaved = []
            return
        }
        for object in change.objects where object.type == .insert && object.object.reference.isTemporary {
            unsaved.append(object.object)
        }
        guard change.objects.contains(where: { $0.type == .delete && $0.oldID?.isTemporaryID ?? false }) else { return }
        unsaved.removeAll { !(sections?.contains($0) ?? false) }
    }
}

extension ResultsCore: MergeWatcher {
    func wantsMerged(_ layout: EntityLayout) -> Bool {
        guard isTracking, let query, query.isConcerned(by: layout) else { return false }
        // An object that is no result yet may have become one.
        guard query.dependence.needsFetch else { return query.isCandidate(layout) }
        demand(.fetch)
        return false
    }

    func wantsMergeOfEverything() { if isTracking { demand(.fetch) } }

    func mergeDidEnd() { follow() }
}
