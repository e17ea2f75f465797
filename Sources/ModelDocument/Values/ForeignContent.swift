/// What an element of a document says beyond the properties of its value: kept so that nothing is lost when it is
/// written back.
public struct ForeignContent: Sendable, Hashable {
    /// Attributes that the value has no property for, by name.
    public var attributes: [String: String] = [:]
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

    /// An unknown node and its place among its parent's children.
    public struct Child: Sendable, Hashable {
        /// How many children of the parent come before it.
        public var position: Int
        public var node: ForeignNode

        public init(position: Int, node: ForeignNode) {
            self.position = position
            self.node = node
        }
    }
}

/// A piece of XML that no value stands for.
public indirect enum ForeignNode: Sendable, Hashable {
    case element(name: String, attributes: [String: String], children: [ForeignNode])
    case text(String)
    case comment(String)
}
