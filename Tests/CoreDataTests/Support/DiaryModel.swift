import CoreData

/// Pages of a diary, which write down what is done to them: every kind of value that is more than a number or a text.
enum DiaryModel {
    /// Where it was: two elements.
    static var place: NSCompositeAttributeDescription {
        composite("place", [attribute("town", .stringAttributeType), attribute("street", .stringAttributeType)])
    }

    static func make() -> NSManagedObjectModel {
        let notes = toMany("notes", rule: .cascadeDeleteRule)
        let page = toOne("page")
        let pageEntity = entity(
            "Page", className: "CoreDataTests.DiaryPage",
            [
                attribute("title", .stringAttributeType), attribute("words", .transformableAttributeType),
                externalData("photo"), place,
                attribute("mood", .stringAttributeType, transient: true), notes,
            ])
        let note = entity("Note", [attribute("text", .stringAttributeType), page])
        connect(pageEntity, notes, note, page)
        return model(pageEntity, note)
    }
}

final class DiaryPage: NSManagedObject {
    private(set) var log: [String] = []
    private(set) var events: [NSSnapshotEventType] = []
    /// Is called when the page is about to be deleted.
    var whenPrepared: (() -> Void)?

    func takeEvents() -> [NSSnapshotEventType] {
        defer { events = [] }
        return events
    }

    override func awakeFromInsert() {
        super.awakeFromInsert()
        log.append("inserted as \(value(forKey: "title") as? String ?? "nothing")")
    }

    override func awake(fromSnapshotEvents flags: NSSnapshotEventType) { events.append(flags) }

    override func willSave() { log.append("will save") }

    override func didSave() { log.append("did save") }

    override func prepareForDeletion() {
        log.append("will be deleted with \(names("notes", "text").count) notes")
        whenPrepared?()
    }
}
