extension Model {
    /// A relationship, with its counts as they are stored.
    ///
    /// ```swift
    /// var team = Model.Relationship(name: "team", destinationName: "Team")
    /// team.inverseName = "players"
    /// team.inverseEntityName = "Team"
    /// var players = Model.Relationship(name: "players", destinationName: "Player")
    /// players.maxCount = 0                    // to-many, without a limit
    /// players.deleteRule = .cascade
    /// ```
    ///
    /// In a document it is the element `relationship`.
    public struct Relationship: Sendable, Hashable, Codable {
        /// The name: unique among all properties of the entity and its parents.
        ///
        /// A to-one relationship's column is named after it: `ZTEAM`.
        public var name: String

        /// The name of the destination entity. In a document it is `destinationEntity`.
        ///
        /// A model with a relationship without a destination can't be compiled.
        public var destinationName: String?

        /// The name of the relationship in the other direction; `nil` if there is none.
        ///
        /// Set it on both sides. The code `one-sided-inverse` of the diagnostics finds what is missing.
        public var inverseName: String?

        /// The entity that owns the inverse: the destination or one of its parents.
        ///
        /// Documents spell it out, as `inverseEntity`.
        public var inverseEntityName: String?

        /// The least number of destinations, as stored. 0: no lower limit.
        ///
        /// A save of a to-many with fewer destinations fails with 1580. Without any, it may be optional.
        public var minCount = 0

        /// The greatest number of destinations, as stored.
        ///
        /// 1 is a to-one relationship. 0 has no limit; neither have −1 and 10000 in some models. A save of a to-many
        /// with more destinations fails with 1590.
        public var maxCount = 1

        /// Whether the destinations have an order. For to-many relationships.
        ///
        /// In a document it is `ordered="YES"`.
        public var isOrdered = false

        /// Whether the relationship may have no destination. In a document it is `optional="YES"`.
        ///
        /// A save of an object without a required to-one fails with 1570.
        public var isOptional = false

        /// Whether the relationship is not stored.
        ///
        /// In a document it is `transient="YES"`.
        public var isTransient = false

        /// Whether the property is read-only. Only compiled models say so: `contents()` throws for it.
        ///
        /// It is part of the version hash.
        public var isReadOnly = false

        /// What happens to the destinations when the source is deleted.
        ///
        /// In a document it is `deletionRule`, with the spelling of ``DeleteRule/documentName``.
        public var deleteRule: DeleteRule = .nullify

        /// Validation rules, as compiled models carry them.
        ///
        /// `contents()` throws for a rule: documents have none.
        public var validationRules: [ValidationRule] = []

        /// Whether a store has an index, in models before fetch indexes.
        ///
        /// A to-one relationship has one in any case.
        public var isIndexed = false

        /// Whether Spotlight indexes the relationship. In a document it is `spotlightIndexingEnabled`.
        ///
        /// It has no effect here, and is kept for Apple's systems.
        public var isIndexedBySpotlight = false

        /// Whether an external record has the relationship. In a document it is `storedInTruthFile`.
        ///
        /// It has no effect here, and is kept for Apple's systems.
        public var isStoredInExternalRecord = false

        /// Whether sync services may use the relationship. Documents say `syncable="YES"`; compiled models do not have
        /// it.
        public var isSyncable = true

        /// Keys and values of the app's own. `nil` if the document has no `userInfo` element.
        ///
        /// `CoreData` gives them to the app in the description's `userInfo`. Generated classes have the text of the key
        /// `documentation` as a comment. `swiftCollection` (`Set` or `Array`) is the type of their to-many property.
        public var userInfo: UserInfo?

        /// The name under which an older version knows the relationship. In a document it is `elementID`.
        ///
        /// Comparisons and merges follow it.
        public var renamingIdentifier: String?

        /// A text that goes into the version hash.
        ///
        /// It tells two versions apart that are otherwise alike, such as when a value has another unit.
        public var versionHashModifier: String?

        /// What the element says beyond these properties.
        ///
        /// It is written with the element again. Leave it as it was read.
        public var foreign = ForeignContent()

        /// A required to-one relationship with the delete rule nullify, without an inverse.
        public init(name: String, destinationName: String? = nil) {
            self.name = name
            self.destinationName = destinationName
        }

        /// Whether there may be more than one destination: whether ``maxCount`` is not 1.
        public var isToMany: Bool { maxCount != 1 }
    }

    /// What a deletion does at the other end of a relationship.
    ///
    /// The numbers are Apple's. ``documentName`` is the spelling in documents.
    public enum DeleteRule: UInt, Sendable, Hashable, Codable, CaseIterable {
        case noAction = 0
        case nullify = 1
        case cascade = 2
        case deny = 3
    }
}
