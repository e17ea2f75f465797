extension [String] {
    /// Titles of columns that differ from each other: one that stands before gets a number, as in `name` and `name 2`.
    /// A column without a title stays without one.
    var numbered: [String] {
        var taken = Set(self)
        var seen: Set<String> = []
        return map { title in
            if title.isEmpty || seen.insert(title).inserted { return title }
            var number = 2
            while !taken.insert("\(title) \(number)").inserted { number += 1 }
            return "\(title) \(number)"
        }
    }
}
