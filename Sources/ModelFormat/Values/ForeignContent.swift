/// What an element of a document says beyond the properties of its value: kept so that nothing is lost when it is
/// written back.
public struct ForeignContent: Sendable, Hashable, Codable {
    /// Attributes that the value has no property for, in the document's order.
    public var attributes: [Attribute] = []
    /// Attributes that the value has a property for, but that the document spells unlike Xcode
    /// (`usedWithCloudKit="false"`), or spells out although they are the default. A spelling counts as long as it still
    /// means the property's value.
    public var spellings: [String: String] = [:]
    /// Attributes that Xcode would write for the value, but that the document leaves out.
    public var omissions: Set<String> = []
    /// Elements and comments that the value has no property for, with their places.
    public var children: [Child] = []

    public init() {}

    /// Whether there is nothing.
    public var isEmpty: Bool {
        attributes.isEmpty && spellings.isEmpty && omissions.isEmpty && children.isEmpty
    }

    /// An unknown attribute and its place among the element's attributes.
    public struct Attribute: Sendable, Hashable, Codable {
        /// How many attributes of the element come before it.
        public var position: Int
        public var name: String
        public var value: String

        public init(position: Int, name: String, value: String) {
            self.position = position
            self.name = name
            self.value = value
        }
    }

    /// An unknown node and its place among its parent's children.
    public struct Child: Sendable, Hashable, Codable {
        /// How many children of the parent come before it.
        public var position: Int
        public var node: MarkupNode

        public init(position: Int, node: MarkupNode) {
            self.position = position
            self.node = node
        }
    }
}
