import FoundationGaps

/// What a context knows for its undo manager.
struct UndoState {
    /// Notes what changes; nil: the context has no undo manager.
    var recorder: UndoRecorder?
    /// What undoing brought back since pending changes were processed.
    var revived: Set<NSManagedObject> = []
    /// What undoing gave its old values since pending changes were processed.
    var restored: Set<NSManagedObject> = []

    /// Forgets the event under way. What the undo manager has already stays there.
    mutating func reset() {
        recorder?.forgetEvent()
        (revived, restored) = ([], [])
    }
}

/// Notes what a context's objects were before they changed, event by event, and gives each event to an undo manager.
///
/// Only a context with an undo manager has one. Others pay nothing: their changed objects carry the mark
/// `ObjectState.unrecorded`, with which a write does not ask for a recorder.
final class UndoRecorder {
    let manager: UndoManager
    /// What the event under way changed.
    private var journal: UndoJournal?
    /// The journals that the manager has: they follow references of objects that get their permanent IDs.
    private var journals: [WeakJournal] = []
    /// Counts the saves: what a journal says of an object's changes is relative to the rows of its time.
    private var saves = 0
    private var observer: (any NSObjectProtocol)?

    private struct WeakJournal { weak var journal: UndoJournal? }

    init(_ manager: UndoManager, _ context: NSManagedObjectContext) {
        self.manager = manager
        // Before groups open and close, what changed until then goes into the group that it belongs to.
        observer = NotificationCenter.default.addObserver(
            forName: .NSUndoManagerCheckpoint, object: manager, queue: nil
        ) { [weak context] _ in context?.processPendingChanges() }
    }

    deinit { end() }

    /// Hears of the manager no longer.
    func end() {
        if let observer { NotificationCenter.default.removeObserver(observer) }
        observer = nil
    }

    // MARK: Noting

    /// An object is about to be inserted.
    func willInsert(_ object: NSManagedObject) { _ = entry(of: object) }

    /// An object is about to be deleted: what a later save would take away is kept.
    func willDelete(_ object: NSManagedObject) {
        guard !object.state.contains(.inaccessible) else { return }
        entry(of: object).keepStoredValues()
    }

    /// A property of an object is about to change, or an object without one in particular.
    func willChange(_ object: NSManagedObject, _ index: Int?) {
        let entry = entry(of: object)
        guard let index, entry.wasRegistered else { return }
        entry.recordValue(index)
    }

    /// A member is about to come to a to-many relationship, or to go: the members must be known.
    func willChangeMembers(_ object: NSManagedObject, _ slot: PropertySlot) {
        let state = object.loadedToMany(slot)
        let entry = entry(of: object)
        if entry.wasRegistered, slot.kind == .orderedToMany { entry.noteOrder(slot.index, state.members) }
    }

    /// A member came to an unordered relationship, or went.
    func didChangeMember(_ object: NSManagedObject, _ slot: PropertySlot, _ member: ObjectReference, isMember: Bool) {
        let entry = entry(of: object)
        if entry.wasRegistered, slot.kind == .toMany { entry.noteMember(slot.index, member, wasMember: !isMember) }
    }

    /// What was done to a to-one relationship is about to be taken back, to be done again as the rows are by then.
    ///
    /// An event under way has changed it, or will have: what happens outside of events is never undone.
    func willForget(_ object: NSManagedObject, _ slot: PropertySlot) {
        if journal != nil { willChange(object, slot.index) }
    }

    /// What was done to a member is about to be taken back, to be done again as the rows are by then.
    func willForget(_ member: ObjectReference, _ object: NSManagedObject, _ slot: PropertySlot) {
        if journal == nil { return }
        let state = object.loadedToMany(slot)
        if slot.kind == .orderedToMany { return willChangeMembers(object, slot) }
        didChangeMember(object, slot, member, isMember: !(state.contains(member) ?? false))
    }

    /// All members of a relationship may change.
    func willReplaceMembers(_ object: NSManagedObject, _ slot: PropertySlot) {
        let members = object.loadedToMany(slot).members
        let entry = entry(of: object)
        guard entry.wasRegistered else { return }
        if slot.kind == .orderedToMany {
            entry.noteOrder(slot.index, members)
        } else {
            entry.noteMembers(slot.index, members)
        }
    }

    private func entry(of object: NSManagedObject) -> UndoEntry {
        let journal = journal ?? UndoJournal(saves: saves)
        self.journal = journal
        return journal.entry(of: object)
    }

    // MARK: Handing over

    /// The event is over: gives what it changed to the manager, unless that takes nothing at present.
    func register(in context: NSManagedObjectContext) {
        guard let journal else { return }
        self.journal = nil
        journal.close()
        guard !journal.isEmpty, manager.isUndoRegistrationEnabled else { return }
        register(journal, in: context)
    }

    private func register(_ journal: UndoJournal, in context: NSManagedObjectContext) {
        journals.append(WeakJournal(journal: journal))
        manager.registerUndo(withTarget: context) { [weak self] context in self?.takeBack(journal, in: context) }
    }

    /// Gives objects back what they were, and the manager what they are now.
    private func takeBack(_ journal: UndoJournal, in context: NSManagedObjectContext) {
        // Rules and hooks of what was undone before have their own place among what is redone.
        context.processPendingChanges()
        context.followPromotions()
        register(UndoReversal(journal, context, saves: saves).run(), in: context)
    }

    /// Whether anything was noted since pending changes were last processed.
    var isNoting: Bool { journal != nil }

    /// Forgets the event under way.
    func forgetEvent() { journal = nil }

    // MARK: Saving

    /// Objects got other references.
    func replaceReferences(_ assignment: KeyAssignment) {
        guard !assignment.isEmpty else { return }
        journals.removeAll { $0.journal == nil }
        for journal in journals { journal.journal?.replaceReferences(assignment) }
        journal?.replaceReferences(assignment)
    }

    func didSave(_ assignment: KeyAssignment) {
        saves += 1
        replaceReferences(assignment)
    }
}
