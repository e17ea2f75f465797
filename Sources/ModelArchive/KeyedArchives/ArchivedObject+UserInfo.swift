import ModelFormat

extension ArchivedObject {
    private static let greatestUserInfoDepth = 32

    /// The object's user info, unless it is empty: archives hold an empty one for nothing.
    ///
    /// - Throws: `CocoaError.fileReadCorruptFile` (259) for values that are no plain ones, or nest too deep.
    func userInfo() throws -> Model.UserInfo? {
        let entries = try entries("NSUserInfo").map {
            Model.UserInfo.Entry(key: $0.key, value: try Self.userInfoValue($0.value))
        }
        return entries.isEmpty ? nil : Model.UserInfo(entries)
    }

    /// A value of a user info.
    ///
    /// - Throws: `CocoaError.fileReadCorruptFile` (259) for values that are no plain ones, or nest too deep.
    static func userInfoValue(_ value: ArchivedValue, depth: Int = 0) throws -> Model.UserInfoValue {
        guard depth < greatestUserInfoDepth else {
            throw corruptArchive("A user info of the model nests too deep.")
        }
        switch value {
        case .boolean(let flag): return .boolean(flag)
        case .integer(let number): return .integer(number)
        case .real(let number): return .real(number)
        case .date(let seconds): return .date(seconds)
        case .data(let bytes): return .data(bytes)
        case .string(let text): return .string(text)
        case .null: throw corruptArchive("A user info of the model has no value for a key.")
        case .unknown(let name): throw corruptArchive("A user info has a value of the unknown class “\(name)”.")
        case .object(let object): return try userInfoValue(object, depth: depth)
        }
    }

    private static func userInfoValue(_ object: ArchivedObject, depth: Int) throws -> Model.UserInfoValue {
        if let text = object.fields["NS.string"]?.string { return .string(text) }
        if let bytes = object.fields["NS.data"]?.data { return .data(bytes) }
        if case .real(let seconds) = object.fields["NS.time"] { return .date(seconds) }
        if let elements = try object.elements() {
            return .array(try elements.map { try userInfoValue($0, depth: depth + 1) })
        }
        if let entries = try object.entries() {
            let pairs = try entries.map { ($0.key, try userInfoValue($0.value, depth: depth + 1)) }
            return .dictionary(Dictionary(uniqueKeysWithValues: pairs))
        }
        throw corruptArchive(
            "A user info of the model has a value of class “\(object.className)”, which is no plain value.")
    }
}
