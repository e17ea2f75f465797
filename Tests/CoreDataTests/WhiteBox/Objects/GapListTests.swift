import Foundation
import RandomSeeds
import Testing

@testable import CoreData

/// A list with a gap behaves as an array does, whatever is done to it in whatever order.
@Suite("Lists with a gap") struct GapListTests {
    private final class Element {
        nonisolated(unsafe) static var living = 0
        let number: Int

        init(_ number: Int) {
            self.number = number
            Self.living += 1
        }

        deinit { Self.living -= 1 }
    }

    @Test("it has the elements of an array that is changed alike, and lets go of those that were taken out")
    func itIsAnArray() {
        for seed in SeededGenerator.seeds(40, full: 2000) {
            print("gap list: COREDATA_TEST_SEED=\(seed)")
            var random = SeededGenerator(seed: seed)
            var numbers = Array(0..<Int.random(in: 0...300, using: &random))
            var list: GapList<Element>? = GapList(numbers.map(Element.init), standIn: Element(-1))
            for round in 0..<200 {
                switch Int.random(in: 0..<8, using: &random) {
                case 0...2:
                    let index = Int.random(in: 0...numbers.count, using: &random)
                    numbers.insert(1000 + round, at: index)
                    list?.insert(Element(1000 + round), at: index)
                case 3...5 where !numbers.isEmpty:
                    let index = Int.random(in: 0..<numbers.count, using: &random)
                    #expect(list?.remove(at: index).number == numbers.remove(at: index))
                case 6 where !numbers.isEmpty:
                    let index = Int.random(in: 0..<numbers.count, using: &random)
                    #expect(list?[index].number == numbers[index])
                case 7:
                    #expect(list?.elements.map(\.number) == numbers)
                    numbers.append(round)
                    list?.elements.append(Element(round))
                default: continue
                }
                #expect(list?.count == numbers.count)
                #expect(Element.living == numbers.count + 1, "the stand-in is the one more")
            }
            #expect(list?.elements.map(\.number) == numbers)
            list = nil
            #expect(Element.living == 0)
        }
    }

    @Test("an array that was read stays as it was when the list changes")
    func whatWasReadStays() {
        var list = GapList([1, 2, 3, 4], standIn: 0)
        list.insert(9, at: 2)
        let read = list.elements
        list.remove(at: 0)
        list.insert(8, at: 4)
        #expect(read == [1, 2, 9, 3, 4])
        #expect(list.elements == [2, 9, 3, 4, 8])
    }
}
