extension Model {
    /// A named subset of the entities, for a store of its own.
    public struct Configuration: Sendable, Hashable, Codable {
        public var name: String
        public var entityNames: [String]
        public var isUsedWithCloudKit = false
        public var foreign = ForeignContent()

        public init(name: String, entityNames: [String] = []) {
            self.name = name
            self.entityNames = entityNames
        }
    }

    /// The definition of a composite attribute: its elements are attributes, composites among them.
    public struct Composite: Sendable, Hashable, Codable {
        public var name: String
        public var elements: [Attribute]
        public var foreign = ForeignContent()

        public init(name: String, elements: [Attribute] = []) {
            self.name = name
            self.elements = elements
        }
    }

    /// The place of an entity in Xcode's diagram, in points.
    public struct DiagramElement: Sendable, Hashable, Codable {
        public var name: String
        public var positionX: Double
        public var positionY: Double
        public var width: Double
        public var height: Double
        public var foreign = ForeignContent()

        public init(name: String, positionX: Double = 0, positionY: Double = 0, width: Double = 0, height: Double = 0) {
            self.name = name
            self.positionX = positionX
            self.positionY = positionY
            self.width = width
            self.height = height
        }
    }
}
