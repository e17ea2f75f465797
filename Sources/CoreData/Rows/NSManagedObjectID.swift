import FoundationGaps

/// The identity of a managed object: the same in every context of a coordinator, and safe to give to other threads.
///
/// ```swift
/// let id = player.objectID
/// try await background.perform {
///     let player = background.object(with: id) as? Player        // the same row, another object
///     player?.salary += 1000
///     try background.save()
/// }
/// ```
///
/// An object that was never saved has a temporary ID. It gets its permanent ID at the save, or by
/// ``NSManagedObjectContext/obtainPermanentIDs(for:)``. The two IDs are not equal, so keep IDs of saved objects only.
///
/// IDs are equal if they mean the same row. They can be keys of dictionaries. An ID keeps no object and no context
/// alive.
public final class NSManagedObjectID: NSObject, NSCopying, NSFetchRequestResult, @unchecked Sendable {
    // Unchecked: immutable, apart from what the store's token holds.

    package let reference: ObjectReference
    let token: StoreToken?

    /// The entity of the object.
    ///
    /// It is the exact entity if the context that made the ID knew it. An ID from a URI has the entity that the URI
    /// names, which may be a parent entity.
    public let entity: NSEntityDescription

    init(_ reference: ObjectReference, entity: NSEntityDescription, token: StoreToken?) {
        self.reference = reference
        self.entity = entity
        self.token = token
    }

    /// Whether the object was never saved when the ID was made.
    ///
    /// A temporary ID is good for this process only.
    public var isTemporaryID: Bool { reference.isTemporary }

    /// The store that has the object.
    ///
    /// It is nil for a temporary ID, and once the store is removed from its coordinator.
    public var persistentStore: NSPersistentStore? { token?.store }

    /// A URL that means this object for as long as its store exists: `x-coredata://STORE-UUID/Player/p7`.
    ///
    /// ```swift
    /// let uri = player.objectID.uriRepresentation()              // keep it in a file or in a message
    /// if let id = coordinator.managedObjectID(forURIRepresentation: uri) {
    ///     print(try context.existingObject(with: id))
    /// }
    /// ```
    ///
    /// The URL of a temporary ID (`x-coredata:///Player/tN`) is good for this process only. A store that is moved by
    /// `migratePersistentStore` gets another UUID, so its old URLs mean nothing then.
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

    /// Text for any part of a URL: whatever could mean something there is escaped. A store's identifier is what its file says.
    private static func encoded(_ text: String) -> String {
        if text.utf8.allSatisfy(\.isUnreservedInURLs) { return text }
        return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    /// Makes the URIs of temporary IDs differ from those of earlier processes.
    private static let processPrefix = UUID().uuidString

    /// The ID itself: IDs never change.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether two IDs mean the same row, also if they name different entities of one tree.
    ///
    /// `==` calls it. IDs of different coordinators are not equal.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSManagedObjectID else { return false }
        return self === other
            || reference.key == other.reference.key && token === other.token
                && entity.layout.rootNumber == other.entity.layout.rootNumber
    }

    /// A hash that equal IDs share. It is made of the key.
    public override var hash: Int { Int(truncatingIfNeeded: reference.key) }

    /// The ID as text, for a log: an address and the URI.
    ///
    /// Use ``uriRepresentation()`` to keep an ID.
    public override var description: String {
        "0x\(String(UInt(bitPattern: ObjectIdentifier(self).hashValue), radix: 16)) <\(uriRepresentation().absoluteString)>"
    }
}

extension NSManagedObjectID: KeyValueCoding {
    /// The value of `URIRepresentation`, `entity`, `isTemporaryID`, `persistentStore`, `description` or `hash`.
    ///
    /// Key paths that go through an ID use it. For another key it calls ``value(forUndefinedKey:)``.
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

    /// Calls ``setValue(_:forUndefinedKey:)``: an ID never changes.
    public func setValue(_ value: Any?, forKey key: String) { setValue(value, forUndefinedKey: key) }
}
