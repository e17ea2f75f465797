extension Model {
    /// An index that a store builds for an entity.
    public struct FetchIndex: Sendable, Hashable, Codable {
        public var name: String
        public var elements: [Element] = []
        /// The format of the predicate that limits the index to some rows; only compiled models have one.
        public var partialIndexPredicate: String?
        public var foreign = ForeignContent()

        public init(name: String, elements: [Element] = []) {
            self.name = name
            self.elements = elements
        }

        /// One column of an index: a property, or an expression.
        public struct Element: Sendable, Hashable, Codable {
            public var propertyName: String?
            /// The format of an expression, for an element that is no property.
            public var expression: String?
            /// The name that compiled models give the expression (`expression1`).
            public var expressionName: String?
            /// The type of the expression's result.
            public var expressionType: AttributeType?
            public var collation: Collation = .binary
            public var isAscending = true
            public var foreign = ForeignContent()

            public init(propertyName: String) {
                self.propertyName = propertyName
            }

            public init(expression: String, type: AttributeType) {
                self.expression = expression
                expressionType = type
            }

            init() {}
        }

        /// How an index is organised; the numbers are Apple's.
        public enum Collation: UInt, Sendable, Hashable, Codable, CaseIterable {
            case binary = 0
            case rTree = 1
        }
    }
}
