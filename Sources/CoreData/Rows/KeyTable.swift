import FoundationGaps

/// A table from keys to values, for keys that are mostly dense: successive keys lie side by side in memory.
///
/// The keys are cut into pages of 64 (``KeyPage``), and a small hash table says where each is. So dense keys cost
/// little more than their values and are walked in memory's order; keys far apart never collide with a run of others,
/// and one that is removed leaves nothing behind.
final class KeyTable<Value> {
    private typealias Page = KeyPage<Value>
    private typealias Directory = UnsafeMutablePointer<Page>

    // One thread at a time uses a table, and no method calls foreign code while it changes a property: exclusive access
    // is not checked while the program runs.

    /// Pages lie at the first free place from their number's hash on.
    @exclusivity(unchecked) private var directory: Directory
    @exclusivity(unchecked) private var mask: Int
    @exclusivity(unchecked) private var pageCount = 0
    /// The place of the page that was asked for last, which most often is the one that is asked for next.
    @exclusivity(unchecked) private var last = 0
    @exclusivity(unchecked) private(set) var count = 0
    /// The room of a page that was emptied, for the next one that is made: objects that come and go one by one would
    /// make one each.
    @exclusivity(unchecked) private var spare: UnsafeMutablePointer<Value>?

    init(minimumCapacity: Int = 8) {
        mask = KeyTable.directorySize(pages: minimumCapacity / 64 + 1) - 1
        directory = KeyTable.allocate(mask + 1)
    }

    deinit {
        for place in 0...mask where !directory[place].isEmpty { directory[place].free() }
        directory.deallocate()
        spare?.deallocate()
    }

    subscript(key: Int64) -> Value? {
        @inline(__always) get {
            guard let page = page(of: key) else { return nil }
            return directory[page][key]
        }
    }

    func set(_ key: Int64, _ value: Value) {
        let page = page(of: key) ?? makePage(for: key)
        if directory[page].set(key, value) { count += 1 }
    }

    func remove(_ key: Int64) { remove(key) { _ in true } }

    /// Removes a key's value if `isUnwanted` says so, which may look at it in place (`isKnownUniquelyReferenced`).
    ///
    /// - Returns: Whether it was there, and went.
    @discardableResult
    @inline(__always)
    func remove(_ key: Int64, where isUnwanted: (inout Value) -> Bool) -> Bool {
        guard let page = page(of: key), directory[page].remove(key, where: isUnwanted) else { return false }
        count -= 1
        if directory[page].isEmpty { removePage(page) }
        return true
    }

    func forEach(_ body: (Int64, Value) -> Void) {
        for place in 0...mask { directory[place].forEach(body) }
    }

    /// Keeps the entries that `isKept` wants, among about so many from a place on. It may look at a value in place
    /// (`isKnownUniquelyReferenced`).
    ///
    /// - Returns: The place to go on from; nil at the table's end. Pages may move meanwhile, as others come and go:
    ///   some entries are seen twice then, and some not at all.
    func filter(from start: Int, count entries: Int, _ isKept: (inout Value) -> Bool) -> Int? {
        var place = start
        // To pass by an empty place takes an eighth of what an entry takes.
        var effort = entries * 8
        while place <= mask, effort > 0 {
            effort -= 1
            if directory[place].isEmpty {
                place += 1
                continue
            }
            effort -= directory[place].count * 8
            count -= directory[place].filter(isKept)
            // Another page may have moved up to the place of one that is gone.
            if directory[place].isEmpty { removePage(place) } else { place += 1 }
        }
        return place > mask ? nil : place
    }

    /// Gives memory back where the table was large and is nearly empty.
    func shrink() { if mask > 64, pageCount * 16 < mask { layOut(size: KeyTable.directorySize(pages: pageCount)) } }

    // MARK: Pages

    /// Where the page of a key is.
    @inline(__always)
    private func page(of key: Int64) -> Int? { directory[last].isPage(of: key) ? last : findPage(key) }

    private func findPage(_ key: Int64) -> Int? {
        var place = home(key >> 6)
        while !directory[place].isEmpty {
            if directory[place].isPage(of: key) {
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

    /// Makes the page of a key. The key's value has to be set next.
    private func makePage(for key: Int64) -> Int {
        if (pageCount + 1) * 2 > mask + 1 { layOut(size: KeyTable.directorySize(pages: pageCount + 1)) }
        pageCount += 1
        // Keys that follow a page of many are most often as many.
        let isDense = directory[last].isWhole && directory[last].isPage(of: key &- 64)
        last = insertPage(KeyPage(for: key, isDense: isDense, spare: &spare))
        return last
    }

    /// - Returns: Where the page is now.
    private func insertPage(_ page: Page) -> Int {
        var place = home(page.number)
        while !directory[place].isEmpty { place = (place + 1) & mask }
        directory[place] = page
        return place
    }

    /// Takes an empty page out, and moves up those behind it that it stood in the way of.
    private func removePage(_ place: Int) {
        directory[place].free(&spare)
        pageCount -= 1
        var hole = place
        var next = (hole + 1) & mask
        while !directory[next].isEmpty {
            let distance = (next - home(directory[next].number)) & mask
            if distance >= (next - hole) & mask {
                directory[hole] = directory[next]
                directory[next] = .none
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
        for place in 0..<oldSize where !old[place].isEmpty {
            _ = insertPage(old[place])
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
        directory.initialize(repeating: .none, count: size)
        return directory
    }
}
