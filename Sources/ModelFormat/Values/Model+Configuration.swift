extension Model {
    /// A named subset of the entities, for a store of its own.
    ///
    /// ```swift
    /// model.configurations.append(.init(name: "Archive", entityNames: ["Season", "Match"]))
    /// ```
    ///
    /// In a document it is the element `configuration`, with an element `memberEntity` for each entity.
    public struct Configuration: Sendable, Hashable, Codable {
        /// The name: unique among the configurations.
        ///
        /// `NSPersistentStoreDescription.configuration` says it.
        public var name: String

        /// The names of the entities, in the document's order.
        ///
        /// Entities that are related belong into one configuration: no relationship leads from one store to another.
        public var entityNames: [String]

        /// Whether CloudKit mirrors the configuration's stores. In a document it is `usedWithCloudKit`.
        ///
        /// The diagnostics then check its entities by CloudKit's rules. It has no other effect here.
        public var isUsedWithCloudKit = false

        /// What the element says beyond these properties.
        ///
        /// It is written with the element again. Leave it as it was read.
        public var foreign = ForeignContent()

        /// A configuration of some entities.
        public init(name: String, entityNames: [String] = []) {
            self.name = name
            self.entityNames = entityNames
        }
    }

    /// The definition of a composite attribute. Its elements are attributes, composites among them.
    ///
    /// ```swift
    /// let place = Model.Composite(name: "Place", elements: [
    ///     Model.Attribute(name: "street", type: .string), Model.Attribute(name: "town", type: .string),
    /// ])
    /// var home = Model.Attribute(name: "home", type: .composite)
    /// home.compositeName = "Place"
    /// ```
    ///
    /// In a document it is the element `composite`. A store has a column for each element that is no composite.
    public struct Composite: Sendable, Hashable, Codable {
        /// The name: unique among the composites.
        ///
        /// ``Attribute/compositeName`` says it.
        public var name: String

        /// The elements. Their names are unique among themselves.
        ///
        /// A composite that contains itself can't be compiled.
        public var elements: [Attribute]

        /// What the element says beyond these properties.
        ///
        /// It is written with the element again. Leave it as it was read.
        public var foreign = ForeignContent()

        /// A composite of some attributes.
        public init(name: String, elements: [Attribute] = []) {
            self.name = name
            self.elements = elements
        }
    }

    /// The place of an entity in Xcode's diagram, in points.
    ///
    /// In a document they are in the element `elements`.
    public struct DiagramElement: Sendable, Hashable, Codable {
        /// The name of the entity.
        public var name: String

        /// The distance of the left edge from the diagram's origin.
        ///
        /// It may be negative.
        public var positionX: Double

        /// The distance of the upper edge from the diagram's origin.
        ///
        /// It may be negative.
        public var positionY: Double

        /// The width of the box, in points.
        public var width: Double

        /// The height of the box, in points.
        public var height: Double

        /// What the element says beyond these properties.
        ///
        /// It is written with the element again. Leave it as it was read.
        public var foreign = ForeignContent()

        /// The place of the entity of a name.
        public init(name: String, positionX: Double = 0, positionY: Double = 0, width: Double = 0, height: Double = 0) {
            self.name = name
            self.positionX = positionX
            self.positionY = positionY
            self.width = width
            self.height = height
        }
    }
}
