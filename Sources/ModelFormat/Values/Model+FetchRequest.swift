extension Model {
    /// A stored fetch request: a template of the model, or the request of a fetched property.
    ///
    /// ```swift
    /// var veterans = Model.FetchRequest(name: "Veterans", entityName: "Player", predicateFormat: "age > $AGE")
    /// veterans.fetchLimit = 20
    /// model.fetchRequests.append(veterans)
    /// ```
    ///
    /// A setting is `nil` where the document or archive does not say: `NSFetchRequest`'s own default holds then. In a
    /// document it is the element `fetchRequest`.
    public struct FetchRequest: Sendable, Hashable, Codable {
        /// The name: unique among the model's templates.
        ///
        /// The request of a fetched property has the name `fetchedPropertyFetchRequest`, if it comes from a compiled
        /// model.
        public var name: String

        /// The name of the entity whose objects are fetched.
        ///
        /// In a document it is `entity`.
        public var entityName: String?

        /// The predicate's format string; `$NAME` stands for a variable.
        ///
        /// In a document it is `predicateString`. `nil`: every object of the entity.
        public var predicateFormat: String?

        /// The greatest number of results; 0 or `nil`: no limit.
        ///
        /// In a document it is `fetchLimit`.
        public var fetchLimit: Int?

        /// How many results are left out at the start.
        ///
        /// Only compiled models have it: `contents()` throws for it.
        public var fetchOffset: Int?

        /// How many rows are loaded at a time; 0 or `nil`: all at once.
        ///
        /// In a document it is `fetchBatchSize`.
        public var fetchBatchSize: Int?

        /// Whether objects of subentities are results; `nil` counts as true.
        ///
        /// In a document it is `includeSubentities`.
        public var includesSubentities: Bool?

        /// Whether the rows are read with the fetch; `nil` counts as true.
        ///
        /// In a document it is `includePropertyValues`.
        public var includesPropertyValues: Bool?

        /// Whether the unsaved changes of the context count; `nil` counts as true.
        ///
        /// In a document it is `includesPendingChanges`.
        public var includesPendingChanges: Bool?

        /// Whether the results are faults; `nil` counts as true.
        ///
        /// In a document it is `returnObjectsAsFaults`.
        public var returnsObjectsAsFaults: Bool?

        /// Whether equal dictionaries come once; `nil` counts as false.
        ///
        /// In a document it is `returnDistinctResults`.
        public var returnsDistinctResults: Bool?

        /// `NSFetchRequestResultType`'s raw value: 0 objects, 1 IDs, 2 dictionaries, 4 a count.
        ///
        /// `nil` counts as 0. In a document it is `resultType`.
        public var resultType: Int?

        /// The order of the results.
        ///
        /// Only compiled models have one: `contents()` throws for it.
        public var sortKeys: [SortKey] = []

        /// The names of the properties to read.
        ///
        /// Only compiled models have them: `contents()` throws for them.
        public var propertiesToFetch: [String] = []

        /// The relationships to load with the results, as key paths.
        ///
        /// Only compiled models have them: `contents()` throws for them.
        public var relationshipKeyPathsForPrefetching: [String] = []

        /// What the element says beyond these properties.
        ///
        /// It is written with the element again. Leave it as it was read.
        public var foreign = ForeignContent()

        /// A request with the defaults of `NSFetchRequest`. The format is not parsed here.
        public init(name: String, entityName: String? = nil, predicateFormat: String? = nil) {
            self.name = name
            self.entityName = entityName
            self.predicateFormat = predicateFormat
        }
    }

    /// One sort descriptor of a stored fetch request, from a compiled model.
    ///
    /// It is `NSSortDescriptor` as a value, without comparator blocks.
    public struct SortKey: Sendable, Hashable, Codable {
        /// The property or key path to sort by.
        ///
        /// It is the key of the sort descriptor.
        public var key: String

        /// Whether the order is ascending.
        public var isAscending: Bool

        /// The comparison's name, such as `localizedStandardCompare:`.
        ///
        /// `nil` is the standard `compare:`.
        public var selectorName: String?

        /// A sort key of a property and a direction.
        public init(key: String, isAscending: Bool, selectorName: String? = nil) {
            self.key = key
            self.isAscending = isAscending
            self.selectorName = selectorName
        }
    }

    /// A fetched property: a weak, one-way relationship that a fetch request defines.
    ///
    /// Its request may use `$FETCH_SOURCE`, the object that has the property. In a document it is the element
    /// `fetchedProperty`.
    public struct FetchedProperty: Sendable, Hashable, Codable {
        /// The name: unique among all properties of the entity and its parents.
        public var name: String

        /// The request that finds the objects.
        ///
        /// In a document it is an element `fetchRequest` in the property's element.
        public var fetchRequest: FetchRequest?

        /// Whether the property may find nothing.
        ///
        /// In a document it is `optional="YES"`.
        public var isOptional = false

        /// Whether the property is marked as transient.
        ///
        /// It has no effect: no fetched property is stored.
        public var isTransient = false

        /// Whether the property is read-only. Only compiled models say so: `contents()` throws for it.
        ///
        /// `CoreData` makes every fetched property read-only.
        public var isReadOnly = false

        /// Validation rules, as compiled models carry them.
        ///
        /// `contents()` throws for a rule: documents have none.
        public var validationRules: [ValidationRule] = []

        /// Whether sync services may use the property. Documents say `syncable="YES"`; compiled models do not have it.
        public var isSyncable = true

        /// Keys and values of the app's own. `nil` if the document has no `userInfo` element.
        ///
        /// `CoreData` gives them to the app in the description's `userInfo`. Generated classes have the text of the key
        /// `documentation` as a comment.
        public var userInfo: UserInfo?

        /// The name under which an older version knows the property. In a document it is `elementID`.
        public var renamingIdentifier: String?

        /// A text that tells two versions apart that are otherwise alike.
        public var versionHashModifier: String?

        /// What the element says beyond these properties.
        ///
        /// It is written with the element again. Leave it as it was read.
        public var foreign = ForeignContent()

        /// A fetched property with a request.
        public init(name: String, fetchRequest: FetchRequest? = nil) {
            self.name = name
            self.fetchRequest = fetchRequest
        }
    }
}
