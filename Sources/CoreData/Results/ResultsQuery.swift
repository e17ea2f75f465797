import FoundationGaps

/// What a results controller looks for: its request as it was when it was performed, and what makes a section.
struct ResultsQuery {
    /// A copy: what the app changes counts from the next fetch on.
    let request: NSFetchRequest<NSManagedObject>
    let entity: EntityLayout
    let descriptors: [NSSortDescriptor]
    let sectionKeyPath: String?
    let dependence: ResultsDependence
    private let sectionKeys: PredicateKeyPath?
    /// The numbers of the stores that are asked; nil: all.
    private let stores: Set<Int32>?
    /// The entities of other objects that decide the order or the sections.
    private let orderingEntities: [EntityLayout]
    /// The entity's own properties that decide the order.
    private let sortSlots: [Int]

    init(_ request: AnyFetchRequest, sectionKeyPath: String?, in context: NSManagedObjectContext) throws {
        guard request.resultType == .managedObjectResultType else {
            throw NSError.cocoa(
                NSPersistentStoreOperationError,
                "A results controller shows objects; set the request's resultType to .managedObjectResultType.")
        }
        self.request = NSFetchRequest<NSManagedObject>(copying: request)
        self.sectionKeyPath = sectionKeyPath
        sectionKeys = sectionKeyPath.map { PredicateKeyPath($0) }
        descriptors = Self.checked(request.sortDescriptors, request)
        let entity = try context.requiredCoordinator.layout(of: request)
        self.entity = entity
        stores = request.affectedStores.map { Set($0.map(\.token.number)) }
        let paths = descriptors.compactMap(\.storeKey) + (sectionKeyPath.map { [$0] } ?? [])
        self.request.propertiesToFetch = Self.properties(request.propertiesToFetch, and: paths, of: entity)
        orderingEntities = ResultsDependence.entities(entity, at: paths)
        sortSlots = descriptors.compactMap { descriptor in
            descriptor.storeKey.flatMap { $0.split(separator: ".").first }.flatMap { entity.indexByName[String($0)] }
        }
        dependence = ResultsDependence(request, sectionKeyPath, entity)
    }

    /// Traps where nothing says how results are ordered. An empty array says that any order will do.
    static func checked(_ descriptors: [NSSortDescriptor]?, _ request: AnyFetchRequest) -> [NSSortDescriptor] {
        guard let descriptors else {
            programmerError(
                "A results controller needs an order: set sortDescriptors of the fetch request for \(request.entityName ?? "?"), by the section's key first if there are sections."
            )
        }
        return descriptors
    }

    /// What decides order and sections has to come with the objects, or each partial fault would fire by itself.
    private static func properties(_ wanted: [Any]?, and paths: [String], of entity: EntityLayout) -> [Any]? {
        guard let wanted, !wanted.isEmpty else { return wanted }
        let slots = paths.map { $0.split(separator: ".").first.flatMap { entity.slot(named: String($0)) } }
        guard slots.allSatisfy({ $0?.isStoredInRow ?? false }) else { return nil }
        return wanted + slots.compactMap { $0?.name }
    }

    // MARK: Membership

    /// Whether an entity's objects can be results.
    func isCandidate(_ layout: EntityLayout) -> Bool {
        request.includesSubentities ? layout.isKind(of: entity) : layout === entity
    }

    /// Whether an object is a result by its values in the context.
    func contains(_ object: NSManagedObject) throws -> Bool {
        guard object.isPresent, isCandidate(object.layout), isInStores(object) else { return false }
        return try request.predicate?.evaluateOrThrow(with: object, reader: SlotReader.shared) ?? true
    }

    private func isInStores(_ object: NSManagedObject) -> Bool {
        guard let stores else { return true }
        if object.store != ObjectReference.unassignedStore { return stores.contains(object.store) }
        guard let assigned = object.recordReference.flatMap({ $0._withUnsafeGuaranteedRef(\.assignedStore) }) else {
            return true
        }
        return stores.contains(assigned.number)
    }

    // MARK: Order

    func order(_ a: NSManagedObject, _ b: NSManagedObject) -> ComparisonResult { descriptors.order(a, b) }

    /// Whether the order that the stores give may not be the one that the context sees: what changed in other objects
    /// the stores do not know.
    func needsSorting(in context: NSManagedObjectContext) -> Bool {
        guard !orderingEntities.isEmpty, context.hasUnsavedChanges else { return false }
        return context.unsaved.objects.contains { object in orderingEntities.contains { object.layout.isKind(of: $0) } }
    }

    /// Whether what decides an object's place was set in the event that is told about, or since.
    func sortKeyWasSet(_ object: NSManagedObject) -> Bool {
        guard let context = object.contextStorage, let header = object.record?.header,
            header.event == context.events.visible || header.event == context.events.number
        else { return false }
        return sortSlots.contains { header.changedInEvent.contains($0) }
    }

    // MARK: Sections

    /// The name of the section that an object belongs to; empty where there are none, and for nil.
    func sectionName(of object: NSManagedObject) -> String {
        guard let sectionKeyPath, let sectionKeys else { return "" }
        switch SlotReader.shared.value(of: object, at: sectionKeys) {
        case .string(let name): return name
        case .null: return ""
        default: return Self.text(of: object.value(forKeyPath: sectionKeyPath))
        }
    }

    private static func text(of value: Any?) -> String {
        switch value {
        case nil, is NSNull: ""
        case let text as String: text
        case let number as NSNumber: number.stringValue
        case let value?: String(describing: value)
        }
    }
}
