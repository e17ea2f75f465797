import FoundationGaps

/// The identity of a managed object: the same in every context of a coordinator. It may be passed to other threads.
///
/// ```swift
/// let id = player.objectID
/// try await background.perform {
///     let copy = background.object(with: id) as! Player
///     copy.salary += 1_000
///     try background.save()
/// }
/// ```
///
/// An object that was never saved has a temporary ID. The save replaces it by a permanent one, and so does
/// `NSManagedObjectContext.obtainPermanentIDs(for:)`. The two are not equal, so do not keep temporary IDs as keys of a
/// dictionary.
///
/// A fetch can give IDs instead of objects (`.managedObjectIDResultType`). To write an ID into a file, use
/// ``uriRepresentation()``. Apps can't make IDs or subclasses.
public final class NSManagedObjectID: NSObject, NSCopying, NSFetchRequestResult, @unchecked Sendable {
    // Unchecked: immutable, apart from what the store's token holds.

    package let reference: ObjectReference
    let token: StoreToken?
    /// The entity of the object.
    ///
    /// It may be a parent of the object's entity if the ID was made from less information, such as a relationship that
    /// was not loaded. Asking loads nothing.
    public let entity: NSEntityDescription

    package init(_ reference: ObjectReference, entity: NSEntityDescription, token: StoreToken?) {
        self.reference = reference
        self.entity = entity
        self.token = token
    }

    /// Whether the ID is temporary: no store has given the object a permanent one.
    ///
    /// ```swift
    /// let player = Player(context: context)
    /// print(player.objectID.isTemporaryID)        // true
    /// try context.obtainPermanentIDs(for: [player])
    /// print(player.objectID.isTemporaryID)        // false, though nothing is saved yet
    /// ```
    ///
    /// A temporary ID means its object only in the contexts of this program's run.
    public var isTemporaryID: Bool { reference.isTemporary }

    /// The store that holds the object.
    ///
    /// Nil for a temporary ID, and after the store was removed from its coordinator.
    public var persistentStore: NSPersistentStore? { token?.store }

    /// A URL that stands for the object as long as its store exists: `x-coredata://STORE-UUID/Entity/pN`.
    ///
    /// ```swift
    /// let url = player.objectID.uriRepresentation()
    /// if let id = coordinator.managedObjectID(forURIRepresentation: url) {
    ///     print(try context.existingObject(with: id))
    /// }
    /// ```
    ///
    /// Write it into settings or links to find the object again at a later run. It is nil there if the store with this
    /// UUID is not attached. The URL of a temporary ID (`x-coredata:///Entity/tN`) means nothing after the program's
    /// end.
    public func uriRepresentation() -> URL {
        URL(string: uriText)!  // only characters that a URL allows
    }

    /// The text of ``uriRepresentation()``.
    var uriText: String {
        let name = Self.encoded(entity.name ?? "")
        return isTemporaryID
            ? "x-coredata:///\(name)/t\(NSManagedObjectID.processPrefix)\(-reference.key)"
            : "x-coredata://\(Self.encoded(token?.identifier ?? ""))/\(name)/p\(referenceText)"
    }

    /// What stands for the object in its store: its key, or what a store of an app's class calls it.
    private var referenceText: String {
        guard let references = token?.references,
            let text = references.text(of: reference.key, root: entity.layout.rootNumber)
        else { return String(reference.key) }
        return Self.encoded(text)
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

    /// The ID itself: an ID never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether two IDs stand for the same object. IDs of two coordinators are not equal, even for the same file.
    ///
    /// A temporary ID does not equal the permanent one of the same object. For stores that are opened twice, compare
    /// the ``uriRepresentation()``.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSManagedObjectID else { return false }
        return self === other
            || reference.key == other.reference.key && token === other.token
                && entity.layout.rootNumber == other.entity.layout.rootNumber
    }

    /// A hash of the object's number in its store. It fits ``isEqual(_:)``.
    public override var hash: Int { Int(truncatingIfNeeded: reference.key) }

    /// The address and the URL of the ID, for logs: `0x… <x-coredata://…/Player/p1>`.
    public override var description: String {
        "0x\(String(UInt(bitPattern: ObjectIdentifier(self).hashValue), radix: 16)) <\(uriRepresentation().absoluteString)>"
    }
}

extension NSManagedObjectID: KeyValueCoding {
    /// The value of `URIRepresentation`, `entity`, `isTemporaryID`, `persistentStore`, `description` or `hash`.
    ///
    /// Any other key goes to ``value(forUndefinedKey:)``, which traps. Predicates in memory read IDs in this way.
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

    /// Goes to ``setValue(_:forUndefinedKey:)``, which traps: an ID never changes.
    public func setValue(_ value: Any?, forKey key: String) { setValue(value, forUndefinedKey: key) }
}
