extension Model {
    /// A stored fetch request: a template of the model, or the request of a fetched property.
    ///
    /// A flag is `nil` where the document or archive does not say; `NSFetchRequest`'s own default holds then.
    public struct FetchRequest: Sendable, Hashable, Codable {
        public var name: String
        public var entityName: String?
        /// The predicate's format string; `$NAME` stands for a variable.
        public var predicateFormat: String?
        public var fetchLimit: Int?
        public var fetchOffset: Int?
        public var fetchBatchSize: Int?
        public var includesSubentities: Bool?
        public var includesPropertyValues: Bool?
        public var includesPendingChanges: Bool?
        public var returnsObjectsAsFaults: Bool?
        public var returnsDistinctResults: Bool?
        /// `NSFetchRequestResultType`'s raw value.
        public var resultType: Int?
        /// The order of the results; only compiled models have one.
        public var sortKeys: [SortKey] = []
        public var propertiesToFetch: [String] = []
        public var relationshipKeyPathsForPrefetching: [String] = []
        public var foreign = ForeignContent()

        public init(name: String, entityName: String? = nil, predicateFormat: String? = nil) {
            self.name = name
            self.entityName = entityName
            self.predicateFormat = predicateFormat
        }
    }

    /// One sort descriptor of a stored fetch request.
    public struct SortKey: Sendable, Hashable, Codable {
        public var key: String
        public var isAscending: Bool
        /// The comparison's name, such as `localizedStandardCompare:`; `nil` is the standard `compare:`.
        public var selectorName: String?

        public init(key: String, isAscending: Bool, selectorName: String? = nil) {
            self.key = key
            self.isAscending = isAscending
            self.selectorName = selectorName
        }
    }

    /// A fetched property: a weak, one-way relationship defined by a fetch request.
    public struct FetchedProperty: Sendable, Hashable, Codable {
        public var name: String
        public var fetchRequest: FetchRequest?
        public var isOptional = false
        public var isTransient = false
        public var isReadOnly = false
        public var validationRules: [ValidationRule] = []
        public var isSyncable = true
        public var userInfo: UserInfo?
        public var renamingIdentifier: String?
        public var versionHashModifier: String?
        public var foreign = ForeignContent()

        public init(name: String, fetchRequest: FetchRequest? = nil) {
            self.name = name
            self.fetchRequest = fetchRequest
        }
    }
}
