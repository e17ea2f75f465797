import ModelDocument
import Testing

@testable import CoreDataStudio

struct IdentifierTests {
    private func node(_ name: String, _ attributes: [String] = []) -> OutlineNode {
        OutlineNode(kind: .entity, key: name, children: attributes.map { OutlineNode(kind: .attribute, key: $0) })
    }

    @Test func renamedMovedAndKeptElementsKeepTheirIdentifiers() {
        var source = IDSource()
        let first = IdentifiedNode.identified(
            [node("Player", ["name", "salary"]), node("Team"), node("Coach")], formerly: [], &source)
        let moved = IdentifiedNode.identified(
            [node("Coach"), node("Player", ["salary", "name"]), node("Team")], formerly: first, &source)
        #expect(moved.map(\.id) == [first[2].id, first[0].id, first[1].id])
        #expect(moved[1].ids(.attribute) == first[0].ids(.attribute).reversed())
        let renamed = IdentifiedNode.identified(
            [node("Athlete", ["name", "wage"]), node("Coach"), node("Team")], formerly: first, &source)
        #expect(renamed[0].id == first[0].id)
        #expect(renamed[0].ids(.attribute) == first[0].ids(.attribute))
    }

    @Test func newElementsGetIdentifiersThatNothingHadBefore() {
        var source = IDSource()
        let first = IdentifiedNode.identified([node("Player"), node("Team")], formerly: [], &source)
        let less = IdentifiedNode.identified([node("Team")], formerly: first, &source)
        let more = IdentifiedNode.identified([node("Player"), node("Team")], formerly: less, &source)
        #expect(less.map(\.id) == [first[1].id])
        #expect(more[1].id == first[1].id)
        #expect(!first.map(\.id).contains(more[0].id))
    }
}
