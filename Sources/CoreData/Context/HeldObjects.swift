/// Objects that a context keeps alive beside those that have changes.
struct HeldObjects<Object: AnyObject & Hashable> {
    /// See ``NSManagedObjectContext/retainsRegisteredObjects``.
    var registered: Set<Object> = []
    /// Objects that ordered sets keep alive which were handed out for change; see `NSManagedObject.proxy(_:)`.
    var ownersOfProxies: [(owner: Object, slot: PropertySlot)] = []
    /// Objects with ordered sets that the app has, and that have to show anew what the relationship has.
    var ownersOfStaleSets: [(owner: Object, slot: PropertySlot)] = []
    /// The results of fetches with a batch size, whose rows come page by page.
    var pagedFetches: [FetchPages] = []

    mutating func reset() { self = HeldObjects() }
}
