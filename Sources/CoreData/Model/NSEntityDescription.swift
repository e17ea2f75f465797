import FoundationGaps

/// An entity: what the objects of a kind have in common, as tables are to rows.
///
/// A description can be changed until a coordinator uses its model; from then on every setter but ``userInfo`` traps.
/// An entity's parent is set by putting it among the parent's `subentities`.
///
/// A model keeps its entities, an entity its properties, indexes and subentities; upwards they know each other without
/// keeping. Objects keep the model that their entity is in.
open class NSEntityDescription: NSObject, NSCopying {
    /// The name, distinct in the model.
    open var name: String? {
        willSet {
            requireMutable()
            modelStorage?.requireDistinctName(newValue, for: self)
        }
    }
    /// The class of the entity's objects, with its module where it has one (`League.Player`). Default:
    /// `NSManagedObject`.
    open var managedObjectClassName: String! = "NSManagedObject" { willSet { requireMutable() } }
    /// Whether there are objects of subentities only. An abstract entity can be fetched, not instantiated.
    open var isAbstract = false { willSet { requireMutable() } }
    /// Anything that the program wants to say about the entity. It can be set while a coordinator uses the model, too,
    /// as long as no other thread reads it meanwhile.
    open var userInfo: [AnyHashable: Any]? = [:]
    /// Changes the version hash where nothing else that storage depends on has changed.
    open var versionHashModifier: String? { willSet { requireMutable() } }
    /// Lists of attributes and to-one relationships, by name or description; the values of each list are together
    /// unique among the entity's objects, those of subentities included. Inherited constraints are not listed.
    open var uniquenessConstraints: [[Any]] = [] { willSet { requireMutable() } }
    /// The indexes of models before `indexes`: lists of properties by name or description. Stores no longer look at
    /// them.
    open var compoundIndexes: [[Any]] = [] { willSet { requireMutable() } }

    /// The format of the expression that names an object in Spotlight: kept for the model's files.
    package var spotlightDisplayNameFormat: String? { willSet { requireMutable() } }
    /// The slots of the properties; set when the model is sealed.
    @exclusivity(unchecked) package internal(set) var layout: EntityLayout! {
        didSet { layoutTable = layout.map { UnsafePointer($0.table) } }
    }
    /// The layout's table: what a new object takes, without retaining the layout.
    @exclusivity(unchecked) private(set) var layoutTable: UnsafePointer<LayoutTable>?
    package private(set) var isSealed = false

    /// Unsafe without danger, as is `superentityStorage`: the owner of this entity clears it when it goes or lets the
    /// entity go.
    unowned(unsafe) var modelStorage: NSManagedObjectModel?
    unowned(unsafe) private var superentityStorage: NSEntityDescription?
    private var renamingIdentifierStorage: String?
    private var subentityStorage: [NSEntityDescription] = []
    private var indexStorage: [NSFetchIndexDescription] = []
    private var caches: PropertyTables?
    /// The entity's own properties, without the inherited ones.
    package private(set) var ownProperties: [NSPropertyDescription] = []

    /// By what relationships know the entity.
    let handle = EntityHandle()

    public required override init() {
        super.init()
        handle.entity = self
    }

    deinit {
        handle.entity = nil
        ownProperties.forEach { $0.owner = nil }
        indexStorage.forEach { $0.owner = nil }
        subentityStorage.forEach { $0.superentityStorage = nil }
    }

    /// The model; traps for an entity that is in none.
    open var managedObjectModel: NSManagedObjectModel {
        guard let modelStorage else {
            fatalError(
                "The entity \"\(name ?? "")\" is in no model; put it into a model's entities, and keep the model.")
        }
        return modelStorage
    }

    /// The name under which an older version of the model knows the entity; its own name unless it is set.
    open var renamingIdentifier: String? {
        get { renamingIdentifierStorage ?? name }
        set {
            requireMutable()
            renamingIdentifierStorage = newValue == name ? nil : newValue
        }
    }

    // MARK: Inheritance

    /// The entity that this one inherits from.
    open var superentity: NSEntityDescription? { superentityStorage }

    /// The entities that inherit from this one directly.
    open var subentities: [NSEntityDescription] {
        get { subentityStorage }
        set {
            requireMutable()
            newValue.forEach(requireAdoptable)
            subentityStorage.forEach { $0.superentityStorage = nil }
            subentityStorage = newValue
            for child in newValue {
                if let parent = child.superentityStorage { parent.subentityStorage.removeAll { $0 === child } }
                child.superentityStorage = self
            }
        }
    }

    private func requireAdoptable(_ child: NSEntityDescription) {
        child.requireMutable()
        if isKindOf(entity: child) {
            fatalError(
                "The entity \"\(child.name ?? "")\" can't become a subentity of \"\(name ?? "")\", which inherits from it."
            )
        }
    }

    /// Whether this entity is another one or inherits from it, directly or through others.
    open func isKindOf(entity: NSEntityDescription) -> Bool {
        sequence(first: self, next: \.superentityStorage).contains { $0 === entity }
    }

    // MARK: Properties

    /// The properties, the inherited ones first.
    ///
    /// Setting them sets the entity's own: inherited ones in the list are passed over. Traps if two have the same name,
    /// or if one is in another entity (give that one a copy).
    open var properties: [NSPropertyDescription] {
        get {
            guard let superentityStorage else { return ownProperties }
            let own = Set(ownProperties.map(\.name))
            return superentityStorage.properties.filter { !own.contains($0.name) } + ownProperties
        }
        set {
            requireMutable()
            let inherited = superentityStorage?.properties ?? []
            setOwnProperties(newValue.filter { property in !inherited.contains { $0 === property } })
        }
    }

    private func setOwnProperties(_ properties: [NSPropertyDescription]) {
        var names = Set<String>()
        for property in properties {
            guard property.canBeInEntity else {
                fatalError(
                    "The entity \"\(name ?? "")\" can't have the property \"\(property.name)\": use an attribute, a relationship or a fetched property, not \(type(of: property))."
                )
            }
            guard names.insert(property.name).inserted else {
                fatalError("The entity \"\(name ?? "")\" has two properties named \"\(property.name)\"; rename one.")
            }
            guard property.owner == nil || property.owner === self else {
                fatalError(
                    "The property \(property.place) can't be in the entity \"\(name ?? "")\" too; put a copy of it (copy()) there."
                )
            }
        }
        ownProperties.forEach { $0.owner = nil }
        ownProperties = properties
        ownProperties.forEach { $0.owner = self }
    }

    /// All properties by name, inherited ones included.
    open var propertiesByName: [String: NSPropertyDescription] { tables.properties }

    /// The attributes by name, inherited ones included.
    open var attributesByName: [String: NSAttributeDescription] { tables.attributes }

    /// The relationships by name, inherited ones included.
    open var relationshipsByName: [String: NSRelationshipDescription] { tables.relationships }

    /// The direct subentities by name.
    open var subentitiesByName: [String: NSEntityDescription] { namedSubentities }

    /// The relationships, inherited ones included, that have an entity or a parent of it as destination.
    open func relationships(forDestination entity: NSEntityDescription) -> [NSRelationshipDescription] {
        relationships(leadingTo: entity)
    }

    /// 32 bytes that change with whatever storage depends on: see `NSManagedObjectModel.entityVersionHashesByName`.
    ///
    /// An entity that is in no model has one, too, made of what it and its parents say.
    open var versionHash: Data { currentVersionHash }

    /// The indexes that stores build for the entity, without those of its parents.
    open var indexes: [NSFetchIndexDescription] {
        get { indexStorage }
        set {
            requireMutable()
            indexStorage.forEach { $0.owner = nil }
            indexStorage = newValue
            indexStorage.forEach { $0.owner = self }
        }
    }

    /// The properties by name, inherited ones included. Made anew at each call while the model can be changed.
    var tables: PropertyTables { caches ?? PropertyTables(properties) }

    // MARK: Copying and sealing

    /// A copy with copies of its own properties and indexes, in no model and with neither parent nor subentities.
    ///
    /// Copies of relationships have the original's destinations and inverses. To copy a hierarchy, or entities that
    /// refer to each other, copy the model.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = copiedWithoutIndexes()
        copy.indexes = copiedIndexes(for: copy)
        return copy
    }

    func copiedWithoutIndexes() -> NSEntityDescription {
        let copy = type(of: self).init()
        copy.name = name
        copy.managedObjectClassName = managedObjectClassName
        copy.isAbstract = isAbstract
        copy.userInfo = userInfo
        copy.versionHashModifier = versionHashModifier
        copy.spotlightDisplayNameFormat = spotlightDisplayNameFormat
        copy.renamingIdentifierStorage = renamingIdentifierStorage
        copy.uniquenessConstraints = uniquenessConstraints.map(names)
        copy.compoundIndexes = compoundIndexes.map(names)
        copy.properties = ownProperties.map(copied)
        return copy
    }

    /// The indexes for a copy of the entity, on the copy's properties.
    func copiedIndexes(for copy: NSEntityDescription) -> [NSFetchIndexDescription] {
        let properties = copy.tables.properties
        return indexStorage.map { index in
            let elements = index.elements.map { element in
                element.propertyName.flatMap { properties[$0] }.map(element.copied(for:)) ?? element.copied()
            }
            let copy = NSFetchIndexDescription(name: index.name, elements: elements)
            copy.partialIndexPredicate = index.partialIndexPredicate
            return copy
        }
    }

    func requireMutable() {
        if isSealed { refuseChange(of: "the entity \"\(name ?? "")\"") }
    }

    /// Makes the entity and everything in it immutable.
    func seal() {
        ownProperties.forEach { $0.seal() }
        indexStorage.forEach { $0.seal() }
        caches = PropertyTables(properties)
        isSealed = true
    }

    /// Whether another entity says the same, be it a copy or another load of the same file.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSEntityDescription else { return false }
        return other === self || saysTheSame(as: other)
    }

    open override var hash: Int { name.hashValue }

    open override var description: String {
        let names = properties.map(\.name).joined(separator: ", ")
        return
            "<NSEntityDescription> \(name ?? ""), class \(managedObjectClassName ?? ""), superentity \(superentityStorage?.name ?? "none"), properties \(names)"
    }

    // MARK: In contexts

    /// The entity with this name in a context's model, or nil.
    open class func entity(forEntityName entityName: String, in context: NSManagedObjectContext)
        -> NSEntityDescription?
    {
        named(forEntityName: entityName, in: context)
    }

    /// Makes an object of the entity with this name, of the entity's class, and inserts it.
    ///
    /// Traps if the model has no such entity.
    open class func insertNewObject(forEntityName entityName: String, into context: NSManagedObjectContext)
        -> NSManagedObject
    {
        insertNew(forEntityName: entityName, into: context)
    }
}

/// Knows an entity without keeping it.
///
/// A weak reference would do, but every retain of an entity would be slow from then on, and each new object retains its
/// own.
final class EntityHandle {
    /// Cleared by the entity when it goes.
    unowned(unsafe) var entity: NSEntityDescription?
}
