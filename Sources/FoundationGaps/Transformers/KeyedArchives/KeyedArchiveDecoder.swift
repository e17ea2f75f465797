import Foundation
import PropertyLists

/// Decodes a keyed archive of unknown origin.
///
/// Foundation's `NSKeyedUnarchiver` on Linux ends the process over an object of a class that wasn't asked for, over
/// objects that contain themselves, and over damage within its own classes' objects. This decoder makes Foundation's
/// values itself, asks classes of one's own by `init(coder:)`, and turns every fault into an error. An object's class
/// must be on the list of those that its place asks for, and support secure coding.
final class KeyedArchiveDecoder: NSCoder {
    /// Objects within objects: decoding recurses, and a thread's stack is finite.
    static let deepestNesting = 100

    private let objects: [PropertyListValue]
    private let top: [String: PropertyListValue]
    /// The fields of the objects that are being decoded, the innermost last.
    private var fields: [[String: PropertyListValue]]
    /// The classes that the requests for those objects allow.
    private var allowed: [[AnyClass]] = []
    private var decoded: [Int: Any] = [:]
    private var open: Set<Int> = []
    private var failure: (any Error)?

    init(_ data: Data) throws {
        (objects, top) = try SecureArchive.parts(of: data)
        fields = [top]
    }

    /// The object that is archived, of one of the classes.
    func decodeRoot(of classes: [AnyClass]) throws -> Any {
        let object = decodeObject(of: classes, forKey: NSKeyedArchiveRootObjectKey)
        if let failure { throw failure }
        guard let object else { throw SecureArchive.corrupt("The archive holds no object.") }
        return object
    }

    // MARK: NSCoder

    override var allowsKeyedCoding: Bool { true }
    override var requiresSecureCoding: Bool {
        get { true }
        set { precondition(newValue, "this decoder always requires secure coding") }
    }
    override var decodingFailurePolicy: NSCoder.DecodingFailurePolicy {
        get { .setErrorAndReturn }
        set { precondition(newValue == .setErrorAndReturn, "this decoder always sets the error and returns") }
    }
    override var allowedClasses: [AnyClass]? { allowed.last }
    override var error: (any Error)? { failure }

    override func failWithError(_ error: any Error) { failure = failure ?? error }

    override func containsValue(forKey key: String) -> Bool { field(key) != nil }

    override func decodeObject(forKey key: String) -> Any? { decodeObject(of: allowed.last, forKey: key) }

    override func decodeObject<Object: NSObject & NSCoding>(of cls: Object.Type, forKey key: String) -> Object? {
        decodeObject(of: [cls], forKey: key) as? Object
    }

    override func decodeObject(of classes: [AnyClass]?, forKey key: String) -> Any? {
        guard let value = field(key), failure == nil else { return nil }
        return object(value, of: classes ?? [])
    }

    override func decodeBool(forKey key: String) -> Bool { field(key)?.number?.boolValue ?? false }
    override func decodeInt32(forKey key: String) -> Int32 { Int32(truncatingIfNeeded: decodeInt64(forKey: key)) }
    override func decodeInteger(forKey key: String) -> Int { Int(decodeInt64(forKey: key)) }
    override func decodeFloat(forKey key: String) -> Float { Float(decodeDouble(forKey: key)) }
    override func decodeDouble(forKey key: String) -> Double { field(key)?.number?.doubleValue ?? 0 }
    override func decodeInt64(forKey key: String) -> Int64 {
        switch field(key) {
        case .real(let number)?: Int64(exactly: number.rounded(.towardZero)) ?? 0
        case let value?: value.number?.int64Value ?? 0
        case nil: 0
        }
    }

    override func withDecodedUnsafeBytes<Result>(
        forKey key: String, body: (UnsafeRawBufferPointer?) throws -> Result
    ) rethrows -> Result {
        guard let data = field(key)?.data else { return try body(nil) }
        return try data.withUnsafeBytes { try body($0) }
    }

    override func decodePropertyList(forKey key: String) -> Any? {
        decodeObject(of: SecureArchive.propertyListClasses, forKey: key)
    }

    override func decodeObject() -> Any? { refuseUnkeyed() }
    override func decodePropertyList() -> Any? { refuseUnkeyed() }
    override func decodeData() -> Data? {
        _ = refuseUnkeyed()
        return nil
    }
    override func decodeValue(ofObjCType type: UnsafePointer<Int8>, at data: UnsafeMutableRawPointer) {
        _ = refuseUnkeyed()
    }

    private func refuseUnkeyed() -> Any? {
        failWithError(
            SecureArchive.corrupt("An object of the archive decodes without keys, which keyed archives don't have."))
        return nil
    }

    /// A field of the object that is being decoded; a key that starts with `$` is written with two.
    func field(_ key: String) -> PropertyListValue? {
        fields.last?[key.hasPrefix("$") ? "$" + key : key]
    }
}

// MARK: Objects

extension KeyedArchiveDecoder {
    /// The object of a value, checked against the classes; nil after a failure, and for nil.
    func object(_ value: PropertyListValue, of classes: [AnyClass]) -> Any? {
        do {
            guard let object = try unchecked(value, of: classes), failure == nil else { return nil }
            guard SecureArchive.isInstance(object, of: classes) else { throw notAllowed("\(type(of: object))") }
            return object
        } catch {
            failWithError(error)
            return nil
        }
    }

    private func unchecked(_ value: PropertyListValue, of classes: [AnyClass]) throws -> Any? {
        guard let number = value.uid else { return try plainObject(value) }
        guard objects.indices.contains(number) else {
            throw SecureArchive.corrupt("The archive refers to an object that it doesn't hold.")
        }
        if number == 0 { return nil }
        guard let fields = objects[number].dictionary else { return try plainObject(objects[number]) }
        if let object = decoded[number] { return object }
        guard open.insert(number).inserted else {
            throw SecureArchive.corrupt("The archive holds an object that contains itself.")
        }
        defer { open.remove(number) }
        guard open.count <= Self.deepestNesting else {
            throw SecureArchive.corrupt("The archive nests objects more than \(Self.deepestNesting) deep.")
        }
        let object = try instance(fields, of: classes)
        decoded[number] = object
        return object
    }

    private func plainObject(_ value: PropertyListValue) throws -> Any? {
        switch value {
        case .null: nil
        case .boolean, .integer, .unsigned, .real: value.number
        case .date(let seconds): NSDate(timeIntervalSinceReferenceDate: seconds)
        case .data(let data): NSData(data: data)
        case .string(let text): NSString(string: text)
        case .uid, .array, .dictionary:
            throw SecureArchive.corrupt("The archive holds an object without a class.")
        }
    }

    private func instance(_ fields: [String: PropertyListValue], of classes: [AnyClass]) throws -> Any {
        guard let number = fields["$class"]?.uid, objects.indices.contains(number),
            let name = objects[number].dictionary?["$classname"]?.string
        else { throw SecureArchive.corrupt("The archive holds an object without a class.") }
        let type: AnyClass = try decodableClass(named: name, of: classes)
        self.fields.append(fields)
        allowed.append(classes)
        defer {
            self.fields.removeLast()
            allowed.removeLast()
        }
        guard let object = try foundationObject(of: type) ?? (type as? any NSCoding.Type)?.init(coder: self) else {
            throw failure ?? SecureArchive.corrupt("The archive holds an object of the class \(name) that is damaged.")
        }
        return object
    }

    private func decodableClass(named name: String, of classes: [AnyClass]) throws -> AnyClass {
        guard let found = Self.knownClass(named: name) else {
            throw SecureArchive.corrupt("The archive holds an object of the class \(name), which is unknown here.")
        }
        guard SecureArchive.isSubclass(found, of: classes) else { throw notAllowed(name) }
        guard (found as? any NSSecureCoding.Type)?.supportsSecureCoding == true else {
            throw SecureArchive.corrupt(
                "The archive holds an object of the class \(name), which doesn't support secure coding.")
        }
        return found
    }

    private static func knownClass(named name: String) -> AnyClass? {
        // Apple's archives name a private class for decimals.
        if name == "NSDecimalNumber" || name == "NSDecimalNumberPlaceholder" { return DecimalNumber.self }
        if let type = NSKeyedUnarchiver.class(forClassName: name) { return type }
        return name.isTypeName ? NSClassFromString(name) : nil
    }

    private func notAllowed(_ name: String) -> CocoaError {
        SecureArchive.corrupt("The archive holds an object of the class \(name), which is not allowed at its place.")
    }
}

extension PropertyListValue {
    /// The number as Cocoa would convert it; nil for what is no number.
    fileprivate var number: NSNumber? {
        switch self {
        case .boolean(let flag): NSNumber(value: flag)
        case .integer(let number): NSNumber(value: number)
        case .unsigned(let number): NSNumber(value: number)
        case .real(let number): NSNumber(value: number)
        default: nil
        }
    }
}
