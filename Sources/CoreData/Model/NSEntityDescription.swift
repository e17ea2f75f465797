import FoundationGaps

/// An entity: what the objects of one kind have in common. A store keeps a table for each entity tree, and a row for
/// each object.
///
/// ```swift
/// let lastName = NSAttributeDescription()
/// lastName.name = "lastName"
/// lastName.type = .string
/// let player = NSEntityDescription()
/// player.name = "Player"
/// player.managedObjectClassName = "League.Player"
/// player.properties = [lastName]
/// player.uniquenessConstraints = [["lastName"]]
/// ```
///
/// Most entities come from a model file. To look at one, ask the model: ``NSManagedObjectModel/entitiesByName``.
///
/// A description can be changed until a coordinator uses its model. From then on every setter but ``userInfo`` traps.
/// To inherit from an entity, put the new entity among the parent's ``subentities``.
///
/// A model keeps its entities, and an entity its properties, indexes and subentities. They do not keep what is above
/// them. So keep the model as long as you use its entities. Objects keep the model that their entity is in.
open class NSEntityDescription: NSObject, NSCopying {
    /// The name, distinct in the model. Fetch requests and object IDs have it.
    ///
    /// A model without it can't be used: a coordinator traps. Setting a name that another entity of the model has
    /// traps, too. The name is a part of the ``versionHash``.
    open var name: String? {
        willSet {
            requireMutable()
            modelStorage?.requireDistinctName(newValue, for: self)
        }
    }
    /// The class of the entity's objects, with its module where it has one (`League.Player`). Default:
    /// `NSManagedObject`.
    ///
    /// If the program has no such class, its objects are instances of `NSManagedObject`. A warning on standard error
    /// says so. A name without a module is looked for among the classes that the plug-in compiled, and in the modules
    /// beside the model. The class name is no part of the version hash.
    open var managedObjectClassName: String! = "NSManagedObject" { willSet { requireMutable() } }
    /// Whether only subentities have objects. Default: false.
    ///
    /// An abstract entity can be fetched, and gives objects of its subentities. Inserting an object of it traps. It is
    /// a part of the version hash.
    open var isAbstract = false { willSet { requireMutable() } }
    /// Values that the program keeps with the entity. The framework never reads them.
    ///
    /// It can be set while a coordinator uses the model, too, as long as no other thread reads it meanwhile. It is no
    /// part of the version hash.
    open var userInfo: [AnyHashable: Any]? = [:]
    /// A text that goes into the version hash. Set it if stored data changes its meaning, and nothing else in the model
    /// does.
    ///
    /// Then a store that was made with the former model does not open with this one (134100).
    open var versionHashModifier: String? { willSet { requireMutable() } }
    /// Lists of properties whose values are together unique among the entity's objects, those of subentities included.
    ///
    /// ```swift
    /// let player = NSEntityDescription()
    /// player.uniquenessConstraints = [["email"], ["team", "number"]]      // a number may occur once in each team
    /// ```
    ///
    /// Each list has names or descriptions of attributes and to-one relationships. A constraint with any other property
    /// has no effect. Nil equals no other nil: objects that have nil in a constraint do not conflict. Inherited
    /// constraints hold, too, and are not listed here.
    ///
    /// The store checks constraints at the save. A violation is `NSManagedObjectConstraintMergeError` (133021), unless
    /// the context's ``NSManagedObjectContext/mergePolicy`` settles it (<doc:Conflicts>). Constraints are a part of the
    /// version hash.
    open var uniquenessConstraints: [[Any]] = [] { willSet { requireMutable() } }
    /// The indexes of models before ``indexes``: lists of properties by name or description.
    ///
    /// A new store makes an index for each list, unless ``indexes`` has one over the same properties or with the same
    /// name.
    open var compoundIndexes: [[Any]] = [] { willSet { requireMutable() } }

    /// The format of the expression that names an object in Spotlight: kept for the model's files.
    package var spotlightDisplayNameFormat: String? { willSet { requireMutable() } }
    // Exclusive access to the next two is not checked at run time: they are set when the model is sealed, under a lock,
    // and when the model goes.

    /// The slots of the properties; set when the model is sealed.
    @exclusivity(unchecked) package internal(set) var layout: EntityLayout! {
        didSet { layoutTable = layout.map { UnsafePointer($0.table) } }
    }
    /// The layout's table: what a new object takes, without retaining the layout.
    @exclusivity(unchecked) private(set) var layoutTable: UnsafePointer<LayoutTable>?
    package private(set) var isSealed = false

    // Unsafe without danger: the model, or the superentity, clears the reference when it goes or lets this entity go.

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

    /// Makes an entity without a name and without properties, in no model.
    ///
    /// Set its ``name`` and ``properties``, then put it into ``NSManagedObjectModel/entities``.
    public required override init() {
        super.init()
        handle.entity = self
    }

    /// The model that the entity is in goes.
    func leaveModel() {
        modelStorage = nil
        // Objects take the model from the table.
        layoutTable = nil
    }

    deinit {
        handle.entity = nil
        ownProperties.forEach { $0.owner = nil }
        indexStorage.forEach { $0.owner = nil }
        subentityStorage.forEach { $0.superentityStorage = nil }
    }

    /// The model that the entity is in. Traps for an entity that is in none.
    ///
    /// An entity does not keep its model. An entity whose model has gone is in none.
    open var managedObjectModel: NSManagedObjectModel {
        guard let modelStorage else {
            programmerError(
                "The entity \"\(name ?? "")\" is in no model; put it into a model's entities, and keep the model.")
        }
        return modelStorage
    }

    /// The name under which an older version of the model knows the entity. Unless it is set, it is the entity's own
    /// name.
    ///
    /// A lightweight migration finds the former entity by it. This framework has no migration yet: the value is kept
    /// for the model's files. It is no part of the version hash.
    open var renamingIdentifier: String? {
        get { renamingIdentifierStorage ?? name }
        set {
            requireMutable()
            renamingIdentifierStorage = newValue == name ? nil : newValue
        }
    }

    // MARK: Inheritance

    /// The entity that this one inherits from; nil for the root of an entity tree.
    ///
    /// It can't be set. Put the entity among the parent's ``subentities``.
    open var superentity: NSEntityDescription? { superentityStorage }

    /// The entities that inherit directly from this one. They have its properties and uniqueness constraints, too.
    ///
    /// ```swift
    /// let person = NSEntityDescription(), player = NSEntityDescription(), coach = NSEntityDescription()
    /// (person.name, player.name, coach.name) = ("Person", "Player", "Coach")
    /// person.subentities = [player, coach]
    /// let model = NSManagedObjectModel()
    /// model.entities = [person, player, coach]        // all of them, and not the parent alone
    /// ```
    ///
    /// All entities of a tree share one table. Setting the list takes an entity away from its former parent. Traps for
    /// an entity that this one inherits from, and when a coordinator takes a model that lacks a part of the tree.
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
            programmerError(
                "The entity \"\(child.name ?? "")\" can't become a subentity of \"\(name ?? "")\", which inherits from it; take \"\(name ?? "")\" out of its subentities first."
            )
        }
    }

    /// Whether this entity is the given one, or inherits from it, directly or through others.
    ///
    /// ```swift
    /// if player.entity.isKindOf(entity: entity) { print("It can be a member") }
    /// ```
    ///
    /// Only the very same description counts, and not an equal one of another model.
    open func isKindOf(entity: NSEntityDescription) -> Bool {
        sequence(first: self, next: \.superentityStorage).contains { $0 === entity }
    }

    // MARK: Properties

    /// The properties, the inherited ones first.
    ///
    /// Setting it sets the entity's own properties; inherited ones in the list are passed over. An own property hides
    /// an inherited one of the same name.
    ///
    /// Traps if two properties have the same name, or for a property that is in another entity: give a copy to this
    /// one. An ``NSExpressionDescription`` is not a property of an entity, and traps, too.
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
                programmerError(
                    "The entity \"\(name ?? "")\" can't have the property \"\(property.name)\": use an attribute, a relationship or a fetched property, not \(type(of: property))."
                )
            }
            guard names.insert(property.name).inserted else {
                programmerError(
                    "The entity \"\(name ?? "")\" has two properties named \"\(property.name)\"; rename one.")
            }
            guard property.owner == nil || property.owner === self else {
                programmerError(
                    "The property \(property.place) can't be in the entity \"\(name ?? "")\" too; put a copy of it (copy()) there."
                )
            }
        }
        ownProperties.forEach { $0.owner = nil }
        ownProperties = properties
        ownProperties.forEach { $0.owner = self }
    }

    /// All properties by name, inherited ones included.
    ///
    /// While the model can be changed, the dictionary is built at each call. Once a coordinator uses the model, it is
    /// built once. The same holds for ``attributesByName`` and ``relationshipsByName``.
    open var propertiesByName: [String: NSPropertyDescription] { tables.properties }

    /// The attributes by name, inherited ones included.
    ///
    /// ```swift
    /// for (name, attribute) in player.entity.attributesByName where !attribute.isOptional {
    ///     print(name, "is required")
    /// }
    /// ```
    ///
    /// Derived and composite attributes are among them.
    open var attributesByName: [String: NSAttributeDescription] { tables.attributes }

    /// The relationships by name, inherited ones included. Fetched properties are not among them.
    open var relationshipsByName: [String: NSRelationshipDescription] { tables.relationships }

    /// The entities that inherit directly from this one, by name.
    ///
    /// Entities further below are not in it. The dictionary is built at each call.
    open var subentitiesByName: [String: NSEntityDescription] { namedSubentities }

    /// The relationships that can lead to objects of an entity, inherited ones included.
    ///
    /// A relationship counts if its destination is the entity or a parent of it.
    open func relationships(forDestination entity: NSEntityDescription) -> [NSRelationshipDescription] {
        relationships(leadingTo: entity)
    }

    /// 32 bytes that change with everything in the entity that storage depends on.
    ///
    /// A store has the hash of each entity, and opens only with a model that has the same hashes. The hash covers the
    /// name, the parent, whether the entity is abstract, constraints, and the properties. It does not cover class
    /// names, user info, validation, default values, delete rules and indexes. It equals Apple's.
    ///
    /// An entity that is in no model has a hash, too.
    open var versionHash: Data { currentVersionHash }

    /// The indexes that a store builds for the entity, without those of its parents.
    ///
    /// ```swift
    /// let player = NSEntityDescription()
    /// let lastName = NSAttributeDescription()
    /// player.properties = [lastName]
    /// let element = NSFetchIndexElementDescription(property: lastName, collationType: .binary)
    /// player.indexes = [NSFetchIndexDescription(name: "byLastName", elements: [element])]
    /// ```
    ///
    /// A store builds them when it is created. They are no part of the version hash: a store opens with a model that
    /// has other indexes, and keeps its own. See ``NSFetchIndexDescription``.
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

    /// A copy with copies of the own properties and indexes, in no model, without a parent and without subentities.
    ///
    /// Copies of relationships have the original's destinations and inverses. To copy a tree, or entities that lead to
    /// each other, copy the model.
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

    /// Whether another entity says the same, for example a copy or another load of the same file.
    ///
    /// Names, properties, constraints and the rest are compared. To find out whether two entities store alike, compare
    /// ``versionHash``.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSEntityDescription else { return false }
        return other === self || saysTheSame(as: other)
    }

    /// A hash of the name. Do not change the name of an entity that is in a set.
    open override var hash: Int { name.hashValue }

    /// The name, the class, the parent and the names of the properties, for logs.
    open override var description: String {
        let names = properties.map(\.name).joined(separator: ", ")
        return
            "<NSEntityDescription> \(name ?? ""), class \(managedObjectClassName ?? ""), superentity \(superentityStorage?.name ?? "none"), properties \(names)"
    }

    // MARK: In contexts

    /// The entity with this name in a context's model; nil if there is none.
    ///
    /// ```swift
    /// guard let entity = NSEntityDescription.entity(forEntityName: "Player", in: context) else { return }
    /// let player = NSManagedObject(entity: entity, insertInto: context)
    /// ```
    ///
    /// Use it to make objects without a class of their own, or where several containers have equal models. Traps for a
    /// context without a coordinator.
    open class func entity(forEntityName entityName: String, in context: NSManagedObjectContext)
        -> NSEntityDescription?
    {
        named(forEntityName: entityName, in: context)
    }

    /// Makes an object of the entity with this name, and inserts it into a context.
    ///
    /// ```swift
    /// let player = NSEntityDescription.insertNewObject(forEntityName: "Player", into: context) as! Player
    /// ```
    ///
    /// The object is an instance of the entity's class. `Player(context: context)` does the same and needs no cast.
    ///
    /// Traps if the context's model has no such entity, for an abstract entity, and for a context without a
    /// coordinator.
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
    /// The entity clears it when it goes.
    unowned(unsafe) var entity: NSEntityDescription?
}
