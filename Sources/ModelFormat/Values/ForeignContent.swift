/// What an element of a document says beyond the properties of its value.
///
/// It is kept so that nothing is lost when the value is written: attributes of a later Xcode, comments, unusual
/// spellings. A program that edits a model leaves it as it was read.
public struct ForeignContent: Sendable, Hashable, Codable {
    /// Attributes that the value has no property for, in the document's order.
    ///
    /// They are written at the same places again.
    public var attributes: [Attribute] = []

    /// Attributes that the document spells unlike Xcode (`usedWithCloudKit="false"`), or spells out although they have
    /// the default.
    ///
    /// A spelling is written as long as it still means the property's value.
    public var spellings: [String: String] = [:]

    /// Attributes that Xcode would write for the value, but that the document leaves out.
    ///
    /// They are left out again.
    public var omissions: Set<String> = []

    /// Elements and comments that the value has no property for, with their places.
    ///
    /// They are written at the same places again.
    public var children: [Child] = []

    /// Nothing. A new value has this.
    public init() {}

    /// Whether there is nothing to keep.
    ///
    /// It is true for each element of a document that Xcode wrote in the usual way.
    public var isEmpty: Bool {
        attributes.isEmpty && spellings.isEmpty && omissions.isEmpty && children.isEmpty
    }

    /// An unknown attribute and its place among the element's attributes.
    public struct Attribute: Sendable, Hashable, Codable {
        /// How many attributes of the element come before it.
        public var position: Int

        /// The attribute's name.
        public var name: String

        /// The attribute's value, without escapes.
        public var value: String

        /// An attribute at a place.
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

        /// The element, text or comment itself.
        public var node: MarkupNode

        /// A node at a place.
        public init(position: Int, node: MarkupNode) {
            self.position = position
            self.node = node
        }
    }
}
