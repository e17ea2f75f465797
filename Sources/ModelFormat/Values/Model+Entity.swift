extension Model {
    /// An entity: its own properties, the name of its parent, and how it is stored and represented in code.
    public struct Entity: Sendable, Hashable, Codable {
        public var name: String
        /// The class that represents the entity; `nil` stands for `NSManagedObject`.
        public var representedClass: ClassReference?
        /// Whether a class is generated for the entity.
        public var codeGeneration: CodeGeneration = .manual
        public var isAbstract = false
        /// The name of the entity that this one inherits from.
        public var parentName: String?
        /// The entity's own attributes, without inherited ones.
        public var attributes: [Attribute] = []
        /// The entity's own relationships, without inherited ones.
        public var relationships: [Relationship] = []
        /// The entity's own fetched properties, without inherited ones.
        public var fetchedProperties: [FetchedProperty] = []
        public var fetchIndexes: [FetchIndex] = []
        /// The indexes of models before fetch indexes: each a list of property names.
        public var compoundIndexes: [NameTuple] = []
        /// Each constraint is a list of names of attributes or to-one relationships. Their values together are unique.
        public var uniquenessConstraints: [NameTuple] = []
        public var userInfo: UserInfo?
        /// The name under which an older version knows the entity (Xcode's `elementID`).
        public var renamingIdentifier: String?
        public var versionHashModifier: String?
        /// The format of the expression that names an object in Spotlight.
        public var spotlightDisplayNameExpression: String?
        public var isSyncable = true
        public var foreign = ForeignContent()

        public init(name: String) {
            self.name = name
        }
    }

    /// A list of property names that belong together: a uniqueness constraint or a compound index.
    public struct NameTuple: Sendable, Hashable, Codable, ExpressibleByArrayLiteral {
        public var names: [String]
        public var foreign = ForeignContent()

        public init(_ names: [String]) {
            self.names = names
        }

        public init(arrayLiteral elements: String...) {
            names = elements
        }
    }

    /// What Xcode generates for an entity at build time.
    public enum CodeGeneration: String, Sendable, Hashable, Codable, CaseIterable {
        /// Nothing; the class is written by hand ("Manual/None").
        case manual = "none"
        /// Class and properties.
        case classDefinition = "class"
        /// Properties only, as an extension of a class written by hand ("Category/Extension").
        case category
    }
}
