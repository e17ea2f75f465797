import CoreData
import Testing

@Suite("Diffable snapshots")
struct SnapshotTests {
    private var cities: NSDiffableDataSourceSnapshot<String, Int> {
        var snapshot = NSDiffableDataSourceSnapshot<String, Int>()
        snapshot.appendSections(["Boston", "Miami"])
        snapshot.appendItems([1, 2, 3], toSection: "Boston")
        snapshot.appendItems([4, 5])
        return snapshot
    }

    @Test("sections and items are counted and found")
    func lookingUp() {
        let snapshot = cities
        #expect(snapshot.numberOfSections == 2 && snapshot.numberOfItems == 5)
        #expect(snapshot.numberOfItems(inSection: "Miami") == 2)
        #expect(snapshot.itemIdentifiers(inSection: "Boston") == [1, 2, 3])
        #expect(snapshot.itemIdentifiers == [1, 2, 3, 4, 5])
        #expect(snapshot.sectionIdentifier(containingItem: 5) == "Miami")
        #expect(snapshot.sectionIdentifier(containingItem: 6) == nil)
        #expect(snapshot.indexOfItem(4) == 3 && snapshot.indexOfItem(9) == nil)
        #expect(snapshot.indexOfSection("Miami") == 1 && snapshot.indexOfSection("Utah") == nil)
    }

    @Test("items are inserted, moved within and between sections, deleted")
    func items() {
        var snapshot = cities
        snapshot.insertItems([10, 11], beforeItem: 2)
        snapshot.insertItems([12], afterItem: 5)
        #expect(snapshot.itemIdentifiers == [1, 10, 11, 2, 3, 4, 5, 12])
        snapshot.moveItem(1, afterItem: 4)
        snapshot.moveItem(12, beforeItem: 10)
        snapshot.moveItem(3, beforeItem: 11)
        #expect(snapshot.itemIdentifiers(inSection: "Boston") == [12, 10, 3, 11, 2])
        #expect(snapshot.itemIdentifiers(inSection: "Miami") == [4, 1, 5])
        #expect(snapshot.sectionIdentifier(containingItem: 1) == "Miami")
        snapshot.deleteItems([10, 1, 99])
        #expect(snapshot.itemIdentifiers == [12, 3, 11, 2, 4, 5])
        snapshot.appendItems([10], toSection: "Boston")
        #expect(snapshot.indexOfItem(10) == 4)
        snapshot.deleteAllItems()
        #expect(snapshot.numberOfItems == 0 && snapshot.numberOfSections == 0)
    }

    @Test("sections are inserted, moved with their items, deleted")
    func sections() {
        var snapshot = cities
        snapshot.insertSections(["Austin"], beforeSection: "Boston")
        snapshot.insertSections(["Chicago", "Denver"], afterSection: "Boston")
        #expect(snapshot.sectionIdentifiers == ["Austin", "Boston", "Chicago", "Denver", "Miami"])
        snapshot.moveSection("Miami", beforeSection: "Austin")
        snapshot.moveSection("Boston", afterSection: "Denver")
        #expect(snapshot.sectionIdentifiers == ["Miami", "Austin", "Chicago", "Denver", "Boston"])
        #expect(snapshot.itemIdentifiers == [4, 5, 1, 2, 3])
        snapshot.deleteSections(["Miami", "Utah"])
        #expect(snapshot.itemIdentifiers == [1, 2, 3] && snapshot.sectionIdentifier(containingItem: 4) == nil)
        snapshot.appendItems([4])
        #expect(snapshot.itemIdentifiers(inSection: "Boston") == [1, 2, 3, 4])
    }

    @Test("marks for reloading and reconfiguring come once, and go with what they mark")
    func marks() {
        var snapshot = cities
        snapshot.reloadItems([2, 4])
        snapshot.reloadItems([4, 1])
        snapshot.reconfigureItems([5, 5])
        snapshot.reloadSections(["Miami"])
        #expect(snapshot.reloadedItemIdentifiers == [2, 4, 1])
        #expect(snapshot.reconfiguredItemIdentifiers == [5])
        #expect(snapshot.reloadedSectionIdentifiers == ["Miami"])
        snapshot.deleteItems([2])
        snapshot.deleteSections(["Miami"])
        #expect(snapshot.reloadedItemIdentifiers == [1])
        #expect(snapshot.reconfiguredItemIdentifiers == [] && snapshot.reloadedSectionIdentifiers == [])
    }

    @Test("the class and the value become each other by as, if the types are right")
    func bridging() throws {
        let reference = NSDiffableDataSourceSnapshotReference()
        reference.appendSections(withIdentifiers: ["Boston", "Miami"])
        reference.appendItems(withIdentifiers: [4, 5])
        reference.appendItems(withIdentifiers: [1, 2, 3], intoSectionWithIdentifier: "Boston")
        reference.reloadItems(withIdentifiers: [2])
        let value = reference as NSDiffableDataSourceSnapshot<String, Int>
        #expect(value.itemIdentifiers == cities.itemIdentifiers && value.reloadedItemIdentifiers == [2])
        #expect((reference as Any) as? NSDiffableDataSourceSnapshot<Int, Int> == nil)
        let back = cities as NSDiffableDataSourceSnapshotReference
        #expect(back.sectionIdentifiers as? [String] == ["Boston", "Miami"])
        #expect(back.itemIdentifiersInSection(withIdentifier: "Miami") as? [Int] == [4, 5])
    }

    @Test("the class does what the value does")
    func reference() throws {
        let reference = cities as NSDiffableDataSourceSnapshotReference
        reference.insertItems(withIdentifiers: [10], beforeItemWithIdentifier: 2)
        reference.insertItems(withIdentifiers: [11], afterItemWithIdentifier: 5)
        reference.moveItem(withIdentifier: 1, afterItemWithIdentifier: 4)
        reference.moveItem(withIdentifier: 11, beforeItemWithIdentifier: 10)
        reference.deleteItems(withIdentifiers: [3])
        #expect(reference.itemIdentifiers as? [Int] == [11, 10, 2, 4, 1, 5])
        reference.insertSections(withIdentifiers: ["Austin"], beforeSectionWithIdentifier: "Boston")
        reference.insertSections(withIdentifiers: ["Utah"], afterSectionWithIdentifier: "Boston")
        reference.moveSection(withIdentifier: "Miami", beforeSectionWithIdentifier: "Austin")
        reference.moveSection(withIdentifier: "Boston", afterSectionWithIdentifier: "Utah")
        reference.deleteSections(withIdentifiers: ["Austin"])
        #expect(reference.sectionIdentifiers as? [String] == ["Miami", "Utah", "Boston"])
        reference.reloadSections(withIdentifiers: ["Utah"])
        reference.reconfigureItems(withIdentifiers: [4])
        #expect(reference.reloadedSectionIdentifiers as? [String] == ["Utah"])
        #expect(reference.reconfiguredItemIdentifiers as? [Int] == [4])
        #expect(reference.numberOfItems == 6 && reference.numberOfSections == 3)
        #expect(reference.numberOfItems(inSection: "Miami") == 3)
        #expect(reference.sectionIdentifierForSection(containingItemIdentifier: 10) as? String == "Boston")
        #expect(reference.index(ofItemIdentifier: 2) == 5 && reference.index(ofItemIdentifier: 77) == NSNotFound)
        #expect(reference.index(ofSectionIdentifier: "Boston") == 2)
        let copy = try #require(reference.copy() as? NSDiffableDataSourceSnapshotReference)
        reference.deleteAllItems()
        #expect(copy.numberOfItems == 6 && reference.numberOfItems == 0)
    }

    @Test("identifiers that are there already, or not there, trap with a sentence")
    func traps() async {
        let twice = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var snapshot = NSDiffableDataSourceSnapshot<String, Int>()
            snapshot.appendSections(["a"])
            snapshot.appendItems([1, 1])
        }
        #expect(words(twice).contains("The snapshot has an item 1 already"))
        let missing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var snapshot = NSDiffableDataSourceSnapshot<String, Int>()
            snapshot.appendItems([1])
        }
        #expect(words(missing).contains("The snapshot has no sections for items"))
    }
}
