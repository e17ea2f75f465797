import FoundationGaps

extension PropertySlot {
    /// The last part of a dotted name.
    var lastName: String { name.split(separator: ".").last.map(String.init) ?? name }

    /// The path of an element below its composite attribute.
    func pathBelow(_ composite: PropertySlot) -> [String] {
        name.dropFirst(composite.name.count + 1).split(separator: ".").map(String.init)
    }
}

extension [String: Any] {
    /// The value at a path of nested dictionaries.
    func value(path: [String]) -> Any? {
        guard let first = path.first else { return nil }
        return path.count == 1 ? self[first] : (self[first] as? [String: Any])?.value(path: Array(path.dropFirst()))
    }

    /// Sets the value at a path, making nested dictionaries on the way.
    mutating func set(_ value: Any, path: [String]) {
        guard let first = path.first else { return }
        if path.count == 1 {
            self[first] = value
        } else {
            var nested = self[first] as? [String: Any] ?? [:]
            nested.set(value, path: Array(path.dropFirst()))
            self[first] = nested
        }
    }
}
