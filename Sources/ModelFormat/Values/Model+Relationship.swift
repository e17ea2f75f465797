extension Model {
    /// A relationship, with its counts as they are stored.
    public struct Relationship: Sendable, Hashable, Codable {
        public var name: String
        public var destinationName: String?
        /// The name of the relationship in the other direction.
        public var inverseName: String?
        /// The entity that owns the inverse: the destination or one of its parents. Documents spell it out.
        public var inverseEntityName: String?
        /// The least number of destinations as stored.
        public var minCount = 0
        /// The greatest number of destinations as stored: 1 is a to-one relationship, 0 has no limit, as have −1 and
        /// 10000 in some models.
        public var maxCount = 1
        public var isOrdered = false
        public var isOptional = false
        public var isTransient = false
        public var isReadOnly = false
        public var deleteRule: DeleteRule = .nullify
        public var validationRules: [ValidationRule] = []

        public var isIndexed = false
        public var isIndexedBySpotlight = false
        public var isStoredInExternalRecord = false
        public var isSyncable = true
        public var userInfo: UserInfo?
        /// The name under which an older version knows the relationship (Xcode's `elementID`).
        public var renamingIdentifier: String?
        public var versionHashModifier: String?
        public var foreign = ForeignContent()

        public init(name: String, destinationName: String? = nil) {
            self.name = name
            self.destinationName = destinationName
        }

        /// Whether there may be more than one destination.
        public var isToMany: Bool { maxCount != 1 }
    }

    /// What happens to a relationship's destinations when the source is deleted; the numbers are Apple's.
    public enum DeleteRule: UInt, Sendable, Hashable, Codable, CaseIterable {
        case noAction = 0
        case nullify = 1
        case cascade = 2
        case deny = 3
    }
}
