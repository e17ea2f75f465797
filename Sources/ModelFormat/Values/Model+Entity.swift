extension Model {
    /// An entity: its own properties, the name of its parent, and how it is stored and represented in code.
    ///
    /// ```swift
    /// var player = Model.Entity(name: "Player")
    /// player.representedClass = ".Player"
    /// player.codeGeneration = .classDefinition
    /// player.attributes = [Model.Attribute(name: "lastName", type: .string)]
    /// player.uniquenessConstraints = [["lastName"]]
    /// ```
    ///
    /// Inherited properties are not in the value: follow ``parentName``. In a document it is the element `entity`.
    public struct Entity: Sendable, Hashable, Codable {
        /// The name: unique in the model, with a capital first letter.
        ///
        /// A store derives the table's name from it: `ZPLAYER`. For a new name use `renameEntity(_:to:)` of
        /// `ModelDocument`, so that other elements follow.
        public var name: String

        /// The class that represents the entity; `nil` stands for `NSManagedObject`.
        ///
        /// In a document it is `representedClassName`: `.Player` for the module that the model is built into.
        public var representedClass: ClassReference?

        /// Whether a build makes a class for the entity.
        ///
        /// In a document it is `codeGenerationType`, which is missing for `manual`.
        public var codeGeneration: CodeGeneration = .manual

        /// Whether there are no objects of the entity itself, only of its subentities.
        ///
        /// In a document it is `isAbstract="YES"`.
        public var isAbstract = false

        /// The name of the entity that this one inherits from; `nil` for a root entity.
        ///
        /// In a document it is `parentEntity`. All entities of a tree share one table.
        public var parentName: String?

        /// The entity's own attributes, without inherited ones.
        ///
        /// Look one up with `entity[attribute: "name"]`.
        public var attributes: [Attribute] = []

        /// The entity's own relationships, without inherited ones.
        ///
        /// Look one up with `entity[relationship: "team"]`.
        public var relationships: [Relationship] = []

        /// The entity's own fetched properties, without inherited ones.
        ///
        /// Look one up with `entity[fetchedProperty: "rivals"]`.
        public var fetchedProperties: [FetchedProperty] = []

        /// The indexes that a store builds for the entity.
        ///
        /// Look one up with `entity[fetchIndex: "byName"]`.
        public var fetchIndexes: [FetchIndex] = []

        /// The indexes of models before fetch indexes: each a list of property names.
        ///
        /// A store builds each of them, unless a fetch index covers the same properties.
        public var compoundIndexes: [NameTuple] = []

        /// The uniqueness constraints: lists of names of attributes or to-one relationships.
        ///
        /// The values of one list together are unique in a store: `[["number", "team"]]`. A save that breaks a
        /// constraint meets a constraint conflict.
        public var uniquenessConstraints: [NameTuple] = []

        /// Keys and values of the app's own. `nil` if the document has no `userInfo` element.
        ///
        /// `CoreData` gives them to the app in the description's `userInfo`. Generated classes have the text of the key
        /// `documentation` as a comment.
        public var userInfo: UserInfo?

        /// The name under which an older version knows the entity. In a document it is `elementID`.
        ///
        /// Comparisons and merges follow it: an entity that names another's old name is that entity, renamed.
        public var renamingIdentifier: String?

        /// A text that goes into the version hash.
        ///
        /// Change it where the meaning of data changed and the model did not: stores of the old version then no longer
        /// fit.
        public var versionHashModifier: String?

        /// The format of the expression that names an object in Spotlight. It has no effect here.
        public var spotlightDisplayNameExpression: String?

        /// Whether sync services may use the entity. Documents say `syncable="YES"`; compiled models do not have it.
        public var isSyncable = true

        /// What the element says beyond these properties.
        ///
        /// It is written with the element again. Leave it as it was read.
        public var foreign = ForeignContent()

        /// An entity without properties, represented by `NSManagedObject`.
        public init(name: String) {
            self.name = name
        }
    }

    /// A list of property names that belong together: a uniqueness constraint or a compound index.
    ///
    /// ```swift
    /// entity.uniquenessConstraints.append(["number", "team"])
    /// ```
    public struct NameTuple: Sendable, Hashable, Codable, ExpressibleByArrayLiteral {
        /// The names of the properties, in the order of the index.
        ///
        /// They may be inherited properties.
        public var names: [String]

        /// What the element says beyond the names.
        public var foreign = ForeignContent()

        /// A list of some names.
        ///
        /// An array literal of strings does the same.
        public init(_ names: [String]) {
            self.names = names
        }

        /// A list of the names in an array literal: `["number", "team"]`.
        public init(arrayLiteral elements: String...) {
            names = elements
        }
    }

    /// What a build generates for an entity.
    ///
    /// The raw values are those of `codeGenerationType` in documents.
    public enum CodeGeneration: String, Sendable, Hashable, Codable, CaseIterable {
        /// Nothing; the class is written by hand ("Manual/None").
        case manual = "none"
        /// Class and properties.
        case classDefinition = "class"
        /// Properties only, as an extension of a class written by hand ("Category/Extension").
        case category
    }
}
