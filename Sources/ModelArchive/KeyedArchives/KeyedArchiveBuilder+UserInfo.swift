import ModelFormat

extension KeyedArchiveBuilder {
    /// Adds a user info, its entries in the order of their keys; nil and an empty one are an empty dictionary.
    mutating func userInfo(_ userInfo: Model.UserInfo?) -> ArchiveReference {
        var entries: [(key: String, value: ArchiveReference)] = []
        for entry in userInfo?.entries ?? [] where !entries.contains(where: { $0.key == entry.key }) {
            entries.append((entry.key, userInfoValue(entry.value)))
        }
        return dictionary(entries.sorted { $0.key < $1.key })
    }

    private mutating func userInfoValue(_ value: Model.UserInfoValue) -> ArchiveReference {
        switch value {
        case .string(let text): return string(text)
        case .integer(let number): return integer(number)
        case .real(let number): return real(number)
        case .boolean(let flag): return boolean(flag)
        case .date(let seconds): return date(seconds)
        case .data(let bytes): return data(bytes)
        case .array(let elements):
            var references: [ArchiveReference] = []
            for element in elements { references.append(userInfoValue(element)) }
            return array(references)
        case .dictionary(let values):
            var entries: [(key: String, value: ArchiveReference)] = []
            for (key, value) in values.sorted(by: { $0.key < $1.key }) {
                entries.append((key, userInfoValue(value)))
            }
            return dictionary(entries)
        }
    }
}
