import Foundation
import FoundationGaps
import RandomSeeds
import Testing

/// What stores ask of sort descriptors.
@Suite struct StoreSortingTests {
    @Test func aStoreSeesKeyAndComparison() {
        let descriptor = NSSortDescriptor(key: "team.name", ascending: true, selector: .localizedStandardCompare)
        #expect(descriptor.storeKey == "team.name")
        #expect(descriptor.comparison == .localizedStandard)
        #expect(!descriptor.usesComparatorBlock)
    }

    @Test func aStoreSeesBlocksWhoeverMadeTheDescriptor() {
        #expect(NSSortDescriptor(key: "a", ascending: true) { _, _ in .orderedSame }.usesComparatorBlock)
        let byFoundation = NSSortDescriptor(
            keyPath: \SamplePlayer.rating, ascending: true, comparator: { _, _ in .orderedSame })
        #expect(byFoundation.usesComparatorBlock && byFoundation.comparison == nil)
    }

    @Test func objectsThemselvesHaveNoKey() {
        #expect(NSSortDescriptor(key: nil, ascending: true).storeKey == nil)
    }

    @Test func storedPropertiesOfStructsAndFinalClassesHaveNames() {
        #expect(KeyPathNames.name(of: \SampleCity.location.latitude) == "location.latitude")
        #expect(KeyPathNames.name(of: \SampleCity.twin?.latitude) == "twin.latitude")
        #expect(KeyPathNames.name(of: \SampleTeam.mascot) == "mascot")
        #expect(KeyPathNames.name(of: \String.count) == nil)
        #expect(KeyPathNames.name(of: \SampleCity.self) == nil)
    }

    @Test func aRegisteredResolverNamesWhatSwiftCannot() {
        KeyPathNames.register { $0 == \SampleCity.name.count ? "name.length" : nil }
        #expect(NSSortDescriptor(keyPath: \SampleCity.name.count, ascending: true).key == "name.length")
        #expect(KeyPathNames.name(of: \SampleCity.name) == "name")
    }

    @Test func aNamelessKeyPathTrapsWhereAStoreNeedsItsName() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSSortDescriptor(keyPath: \String.count, ascending: true).storeKey
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("can't be found out"))
    }

    @Test func manyElementsSortAsTheirDescriptorsCompareThem() {
        let seed = SeededGenerator.seed
        var random = SeededGenerator(seed: seed)
        let rows: [[String: Any]] = (0..<300).map { index in
            let age = Int.random(in: 0..<20, using: &random)
            return age == 0 ? ["id": index] : ["id": index, "age": age]
        }
        let descriptors = [
            NSSortDescriptor(key: "age", ascending: false), NSSortDescriptor(key: "id", ascending: true),
        ]
        let ours = rows.sorted(by: descriptors).map { $0["id"] as? Int }
        let foundations = NSArray(array: rows).sortedArray(using: descriptors).map {
            ($0 as? [String: Any])?["id"] as? Int
        }
        #expect(ours == foundations, "seed \(seed)")
        #expect(Set(ours).count == 300)
    }
}
