import FoundationGaps

// How changes are told.

extension ResultsCore {
    /// Tells of a change that has happened.
    ///
    /// - Parameter old: The content before it, which delegates that are told object by object see once more.
    func tell(_ change: ResultsChange, _ old: ResultSections?) {
        readers.tell { change }
        guard delegate != nil, !tellSnapshot(change), !tellDifference(change) else { return releaseUnwantedIDs() }
        releaseUnwantedIDs()
        if !change.isPromotion { tellObjects(change, old) }
    }

    /// Tells of a change that the delegate does not hear of: the app itself has reset the context.
    func tellReaders(_ change: ResultsChange) {
        readers.tell { change }
        releaseUnwantedIDs()
    }

    /// Shows a delegate that wants it the whole content.
    ///
    /// - Returns: Whether the delegate wants it.
    @discardableResult
    func tellSnapshot(_ change: ResultsChange? = nil) -> Bool {
        guard let delegate, !delegateLacks.contains(.snapshots), let sections else { return false }
        let changed = change?.objects.filter { $0.type == .update || $0.type == .move && $0.old == $0.new } ?? []
        let reference = NSDiffableDataSourceSnapshotReference(
            NSDiffableDataSourceSnapshot(
                sections: sections.list.map { ($0.name, $0.ids) }, reloaded: changed.compactMap(\.newID)))
        // A delegate without such a method has the default one, which says so.
        delegate.controller(controller, didChangeContentWith: reference)
        knownMethods.insert(.snapshots)
        return !delegateLacks.contains(.snapshots)
    }

    /// - Returns: Whether the delegate wants to be told so.
    private func tellDifference(_ change: ResultsChange) -> Bool {
        guard sectionKeyPath == nil, let delegate, !delegateLacks.contains(.differences) else { return false }
        guard let difference = change.difference else {
            defect("The change of the results of \(query?.entity.name ?? "?") is not consistent.")
        }
        delegate.controller(controller, didChangeContentWith: difference)
        knownMethods.insert(.differences)
        return !delegateLacks.contains(.differences)
    }

    /// Releases IDs once it is known that no delegate wants them.
    func releaseUnwantedIDs() {
        guard !tellsIDs else { return }
        sections?.keepIDs(false)
        unsaved = []
    }

    private func tellObjects(_ change: ResultsChange, _ old: ResultSections?) {
        guard let delegate else { return }
        let controller = controller
        outgoing = old
        delegate.controllerWillChangeContent(controller)
        outgoing = nil
        for section in change.sections {
            delegate.controller(
                controller, didChange: info(of: section), atSectionIndex: section.index, for: section.type)
        }
        for object in change.objects {
            delegate.controller(
                controller, didChange: object.object, at: object.old?.indexPath, for: object.type,
                newIndexPath: object.new?.indexPath)
        }
        delegate.controllerDidChangeContent(controller)
    }

    private func info(of section: ResultsChange.Section) -> any NSFetchedResultsSectionInfo {
        let members = section.type == .insert ? sections?.list[section.index].objects : nil
        return ResultsSectionInfo(name: section.name, members: members ?? [], core: self)
    }
}
