/// Objects that a context keeps alive beside those that have changes.
struct HeldObjects {
    /// See ``NSManagedObjectContext/retainsRegisteredObjects``.
    var registered: Set<NSManagedObject> = []
    /// Objects that ordered sets keep alive which were handed out for change; see `NSManagedObject.proxy(_:)`.
    var ownersOfProxies: [(owner: NSManagedObject, slot: PropertySlot)] = []
    /// Objects with ordered sets that the app has, and that have to show anew what the relationship has.
    var ownersOfStaleSets: [(owner: NSManagedObject, slot: PropertySlot)] = []
    /// The results of fetches with a batch size. Their rows come page by page.
    var pagedFetches: [FetchPages] = []

    mutating func reset() { self = HeldObjects() }
}
