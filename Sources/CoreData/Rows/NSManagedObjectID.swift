import FoundationGaps

/// The identity of a managed object: the same in every context of a coordinator, and safe to hand to other threads.
///
/// An object that has never been saved has a temporary ID; it gets its permanent one at the save or by
/// `NSManagedObjectContext.obtainPermanentIDs(for:)`.
public final class NSManagedObjectID: NSObject, NSCopying, NSFetchRequestResult, @unchecked Sendable {
    // Unchecked: immutable, apart from what the store's token holds.

    package let reference: ObjectReference
    let token: StoreToken?
    /// The entity of the object, its exact one where the context that made the ID knew it.
    public let entity: NSEntityDescription

    init(_ reference: ObjectReference, entity: NSEntityDescription, token: StoreToken?) {
        self.reference = reference
        self.entity = entity
        self.token = token
    }

    /// Whether the object has never been saved.
    public var isTemporaryID: Bool { reference.isTemporary }

    /// The store that holds the object; nil for a temporary ID, and once the store is removed from its coordinator.
    public var persistentStore: NSPersistentStore? { token?.store }

    /// A URL that means this object for as long as its store lives: `x-coredata://STORE-UUID/Entity/pN`.
    ///
    /// That of a temporary ID (`x-coredata:///Entity/tN`) is good for this process only.
    public func uriRepresentation() -> URL {
        URL(string: uriText)!  // only characters that a URL allows
    }

    /// The text of ``uriRepresentation()``.
    var uriText: String {
        let name = Self.encoded(entity.name ?? "")
        return isTemporaryID
            ? "x-coredata:///\(name)/t\(NSManagedObjectID.processPrefix)\(-reference.key)"
            : "x-coredata://\(Self.encoded(token?.identifier ?? ""))/\(name)/p\(reference.key)"
    }

    /// Text for any part of a URL: whatever could mean something there is escaped. A store's identifier is what its
    /// file says.
    private static func encoded(_ text: String) -> String {
        if text.utf8.allSatisfy(\.isUnreservedInURLs) { return text }
        return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    /// Makes the URIs of temporary IDs differ from those of earlier processes.
    private static let processPrefix = UUID().uuidString

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSManagedObjectID else { return false }
        return self === other
            || reference.key == other.reference.key && token === other.token
                && entity.layout.rootNumber == other.entity.layout.rootNumber
    }

    public override var hash: Int { Int(truncatingIfNeeded: reference.key) }

    public override var description: String {
        "0x\(String(UInt(bitPattern: ObjectIdentifier(self).hashValue), radix: 16)) <\(uriRepresentation().absoluteString)>"
    }
}

extension NSManagedObjectID: KeyValueCoding {
    /// The value of `URIRepresentation`, `entity`, `isTemporaryID`, `persistentStore`, `description` or `hash`; for
    /// another key, ``value(forUndefinedKey:)``.
    public func value(forKey key: String) -> Any? {
        switch key {
        case "self": self
        case "URIRepresentation", "uriRepresentation": uriRepresentation()
        case "entity": entity
        case "isTemporaryID", "temporaryID": NSNumber(value: isTemporaryID)
        case "persistentStore": persistentStore
        case "description": description
        case "hash": NSNumber(value: hash)
        default: value(forUndefinedKey: key)
        }
    }

    /// Goes to ``setValue(_:forUndefinedKey:)``: an ID never changes.
    public func setValue(_ value: Any?, forKey key: String) { setValue(value, forUndefinedKey: key) }
}
