import Foundation
import PropertyLists

/// Foundation's values from their fields, without their own decoders, which trap on damage.
extension KeyedArchiveDecoder {
    /// An object of one of Foundation's classes of values; nil for any other class.
    func foundationObject(of type: AnyClass) throws -> Any? {
        switch type {
        case is NSMutableArray.Type: NSMutableArray(array: try members("NS.objects"))
        case is NSArray.Type: NSArray(array: try members("NS.objects"))
        case is NSMutableSet.Type: NSMutableSet(array: try members("NS.objects"))
        case is NSSet.Type: NSSet(array: try members("NS.objects"))
        case is NSMutableOrderedSet.Type: NSMutableOrderedSet(array: try orderedMembers())
        case is NSOrderedSet.Type: NSOrderedSet(array: try orderedMembers())
        case is NSDictionary.Type: try dictionary(mutable: type is NSMutableDictionary.Type)
        default: try scalar(of: type)
        }
    }

    private func scalar(of type: AnyClass) throws -> Any? {
        switch type {
        case is NSMutableString.Type: NSMutableString(string: try text("NS.string"))
        case is NSString.Type: NSString(string: try text("NS.string"))
        case is NSMutableData.Type: NSMutableData(data: try bytes("NS.data"))
        case is NSData.Type: NSData(data: try bytes("NS.data"))
        case is NSDate.Type: NSDate(timeIntervalSinceReferenceDate: decodeDouble(forKey: "NS.time"))
        case is NSUUID.Type: try uuid()
        case is NSURL.Type: try url()
        case is NSNull.Type: NSNull()
        default: nil
        }
    }

    // MARK: Collections

    private func members(_ key: String) throws -> [Any] {
        try values(key).map(member)
    }

    private func member(_ value: PropertyListValue) throws -> Any {
        guard let object = object(value, of: allowedClasses ?? []) else {
            throw error ?? SecureArchive.corrupt("The archive holds a collection with nothing at a member's place.")
        }
        return object
    }

    private func values(_ key: String) throws -> [PropertyListValue] {
        guard let values = field(key)?.array else { throw damaged(key) }
        return values
    }

    /// The members of an ordered set, which some archives number and others list.
    private func orderedMembers() throws -> [Any] {
        if field("NS.objects") != nil { return try members("NS.objects") }
        var members: [Any] = []
        while let value = field("NS.object.\(members.count)") { members.append(try member(value)) }
        return members
    }

    private func dictionary(mutable: Bool) throws -> NSDictionary {
        let (keys, values) = (try members("NS.keys"), try members("NS.objects"))
        guard keys.count == values.count else { throw damaged("NS.keys") }
        let result = NSMutableDictionary()
        for (key, value) in zip(keys, values) {
            guard let key = key as? NSObject else { throw damaged("NS.keys") }
            result.setObject(value, forKey: key)
        }
        return mutable ? result : result.copy() as? NSDictionary ?? result
    }

    // MARK: Scalars

    /// A text or data that is a field's value, or an object that the field refers to.
    private func text(_ key: String) throws -> String {
        if let text = field(key)?.string { return text }
        guard let text = decodeObject(of: [NSString.self], forKey: key) as? NSString else { throw damaged(key) }
        return String(text)
    }

    private func bytes(_ key: String) throws -> Data {
        if let data = field(key)?.data { return data }
        if field(key) == nil, let data = field("NS.bytes")?.data { return data }
        guard let data = decodeObject(of: [NSData.self], forKey: key) as? NSData else { throw damaged(key) }
        return data as Data
    }

    private func uuid() throws -> NSUUID {
        let bytes = try bytes("NS.uuidbytes")
        guard bytes.count == 16 else { throw damaged("NS.uuidbytes") }
        return NSUUID(uuidBytes: Array(bytes))
    }

    private func url() throws -> NSURL {
        let base = containsValue(forKey: "NS.base") ? decodeObject(of: [NSURL.self], forKey: "NS.base") as? NSURL : nil
        if let error { throw error }
        guard let url = URL(string: try text("NS.relative"), relativeTo: base as URL?) else {
            throw damaged("NS.relative")
        }
        return url as NSURL
    }

    private func damaged(_ key: String) -> any Error {
        error
            ?? SecureArchive.corrupt("The archive is damaged: the field \(key) of an object is not what it has to be.")
    }
}
