import FoundationGaps

/// A table from keys to values, for keys that are mostly dense: successive keys lie side by side in memory.
///
/// The keys are cut into pages of 64. A page is an array, and a small hash table says where it is. So dense keys cost little more
/// than their values and are walked in memory's order; keys far apart never collide with a run of others, and one that is
/// removed leaves nothing behind.
final class KeyTable<Value> {
    private typealias Directory = UnsafeMutablePointer<Page>

    private struct Page {
        /// The keys' common part; pages lie at the first free place from the number's hash on.
        var number: Int64
        /// How many keys have a value; 0 where there is no page.
        var count: Int
        var values: UnsafeMutablePointer<Value?>
    }

    // One thread at a time uses a table, and no method hands control to anybody while it changes a property: exclusive access
    // is not checked while the program runs.
    @exclusivity(unchecked) private var directory: Directory
    @exclusivity(unchecked) private var mask: Int
    @exclusivity(unchecked) private var pageCount = 0
    /// The place of the page that was asked for last, which most often is the one that is asked for next.
    @exclusivity(unchecked) private var last = 0
    @exclusivity(unchecked) private(set) var count = 0
    /// The values of the page that was emptied last, for the next one that is made: objects that come and go one by one would
    /// make a page each.
    @exclusivity(unchecked) private var spare: UnsafeMutablePointer<Value?>?

    private static var pageSize: Int { 64 }

    init(minimumCapacity: Int = 8) {
        mask = KeyTable.directorySize(pages: minimumCapacity / KeyTable.pageSize + 1) - 1
        directory = KeyTable.allocate(mask + 1)
    }

    deinit {
        for place in 0...mask where directory[place].count > 0 { KeyTable.free(directory[place].values) }
        directory.deallocate()
        if let spare { KeyTable.free(spare) }
    }

    subscript(key: Int64) -> Value? {
        @inline(__always) get {
            guard let page = page(of: key) else { return nil }
            return directory[page].values[KeyTable.index(key)]
        }
    }

    func set(_ key: Int64, _ value: Value) {
        let page = page(of: key) ?? makePage(for: key)
        let index = KeyTable.index(key)
        if directory[page].values[index] == nil {
            directory[page].count += 1
            count += 1
        }
        directory[page].values[index] = value
    }

    func remove(_ key: Int64) {
        guard let page = page(of: key), directory[page].values[KeyTable.index(key)] != nil else { return }
        directory[page].values[KeyTable.index(key)] = nil
        directory[page].count -= 1
        count -= 1
        if directory[page].count == 0 { removePage(page) }
    }

    func forEach(_ body: (Int64, Value) -> Void) {
        for place in 0...mask where directory[place].count > 0 {
            let page = directory[place]
            for index in 0..<KeyTable.pageSize {
                if let value = page.values[index] { body(page.number << 6 | Int64(index), value) }
            }
        }
    }

    /// Keeps the entries that `isKept` wants, among those at `count` places from one on. It may look at a value in place
    /// (`isKnownUniquelyReferenced`).
    ///
    /// - Returns: The place to go on from; nil at the table's end. Pages may move meanwhile, as others come and go: some
    ///   entries are seen twice then, and some not at all.
    func filter(from start: Int, count places: Int, _ isKept: (inout Value) -> Bool) -> Int? {
        var place = start
        var pagesLeft = places / KeyTable.pageSize
        while place <= mask, pagesLeft > 0 {
            if directory[place].count == 0 {
                place += 1
                continue
            }
            pagesLeft -= 1
            filterPage(place, isKept)
            // Another page may have moved up to the place of one that is gone.
            if directory[place].count > 0 { place += 1 } else { removePage(place) }
        }
        return place > mask ? nil : place
    }

    private func filterPage(_ place: Int, _ isKept: (inout Value) -> Bool) {
        let values = directory[place].values
        for index in 0..<KeyTable.pageSize {
            guard var value = values[index].take() else { continue }
            if isKept(&value) {
                values[index] = value
            } else {
                directory[place].count -= 1
                count -= 1
            }
        }
    }

    /// Gives memory back where the table was large and is nearly empty.
    func settle() { if mask > 64, pageCount * 16 < mask { layOut(size: KeyTable.directorySize(pages: pageCount)) } }

    // MARK: Pages

    @inline(__always)
    private static func index(_ key: Int64) -> Int { Int(truncatingIfNeeded: key & 63) }

    /// Where the page of a key is.
    @inline(__always)
    private func page(of key: Int64) -> Int? {
        let number = key >> 6
        if directory[last].number == number, directory[last].count > 0 { return last }
        return findPage(number)
    }

    private func findPage(_ number: Int64) -> Int? {
        var place = home(number)
        while directory[place].count > 0 {
            if directory[place].number == number {
                last = place
                return place
            }
            place = (place + 1) & mask
        }
        return nil
    }

    @inline(__always)
    private func home(_ number: Int64) -> Int {
        // Fibonacci hashing: the product's upper bits depend on all of the number's.
        Int(truncatingIfNeeded: (UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
    }

    /// Makes the page of a key, for a value that comes next.
    private func makePage(for key: Int64) -> Int {
        if (pageCount + 1) * 2 > mask + 1 { layOut(size: KeyTable.directorySize(pages: pageCount + 1)) }
        let number = key >> 6
        let values = spare ?? KeyTable.allocateValues()
        spare = nil
        pageCount += 1
        last = enter(Page(number: number, count: 0, values: values))
        return last
    }

    /// - Returns: Where the page is now.
    private func enter(_ page: Page) -> Int {
        var place = home(page.number)
        while directory[place].count > 0 { place = (place + 1) & mask }
        directory[place] = page
        return place
    }

    /// Takes an empty page out, and moves up those behind it that it stood in the way of.
    private func removePage(_ place: Int) {
        if spare == nil { spare = directory[place].values } else { KeyTable.free(directory[place].values) }
        pageCount -= 1
        var hole = place
        var next = (hole + 1) & mask
        while directory[next].count > 0 {
            let distance = (next - home(directory[next].number)) & mask
            if distance >= (next - hole) & mask {
                directory[hole] = directory[next]
                directory[next].count = 0
                hole = next
            }
            next = (next + 1) & mask
        }
    }

    /// Lays the directory out anew.
    private func layOut(size: Int) {
        let (old, oldSize) = (directory, mask + 1)
        directory = KeyTable.allocate(size)
        mask = size - 1
        (pageCount, last) = (0, 0)
        for place in 0..<oldSize where old[place].count > 0 {
            _ = enter(old[place])
            pageCount += 1
        }
        old.deallocate()
    }

    /// Room for twice the pages, and for as many again before the next time.
    private static func directorySize(pages: Int) -> Int {
        var size = 4
        while size < pages * 3 { size *= 2 }
        return size
    }

    private static func allocate(_ size: Int) -> Directory {
        let directory = Directory.allocate(capacity: size)
        // Never read where the count is 0.
        let nowhere = UnsafeMutablePointer<Value?>(bitPattern: MemoryLayout<Value?>.alignment).unsafelyUnwrapped
        directory.initialize(repeating: Page(number: 0, count: 0, values: nowhere), count: size)
        return directory
    }

    private static func allocateValues() -> UnsafeMutablePointer<Value?> {
        let values = UnsafeMutablePointer<Value?>.allocate(capacity: pageSize)
        values.initialize(repeating: nil, count: pageSize)
        return values
    }

    private static func free(_ values: UnsafeMutablePointer<Value?>) {
        values.deinitialize(count: pageSize)
        values.deallocate()
    }
}
