extension Model {
    /// An index that a store builds for an entity.
    ///
    /// ```swift
    /// var byName = Model.FetchIndex(name: "byName", elements: [.init(propertyName: "lastName")])
    /// byName.elements.append(.init(propertyName: "firstName"))
    /// entity.fetchIndexes.append(byName)
    /// ```
    ///
    /// For `Player` the SQL is `CREATE INDEX Z_Player_byName ON ZPLAYER (ZLASTNAME COLLATE BINARY ASC, …)`. In a
    /// document it is the element `fetchIndex`.
    public struct FetchIndex: Sendable, Hashable, Codable {
        /// The name: unique among the indexes of the entity.
        ///
        /// The index in the store is named after it: `Z_Player_byName`.
        public var name: String

        /// The columns of the index, in their order.
        ///
        /// A fetch can use the index if it compares the first ones.
        public var elements: [Element] = []

        /// The format of the predicate that limits the index to some rows.
        ///
        /// Only compiled models have one: `contents()` throws for it.
        public var partialIndexPredicate: String?

        /// What the element says beyond these properties.
        ///
        /// It is written with the element again. Leave it as it was read.
        public var foreign = ForeignContent()

        /// An index of some elements.
        ///
        /// An index without elements is a finding of the diagnostics, `empty-element`.
        public init(name: String, elements: [Element] = []) {
            self.name = name
            self.elements = elements
        }

        /// One column of an index: a property, or an expression.
        ///
        /// In a document it is the element `fetchIndexElement`.
        public struct Element: Sendable, Hashable, Codable {
            /// The name of the property; `nil` for an expression.
            ///
            /// In a document it is `property`.
            public var propertyName: String?

            /// The format of an expression, for an element that is no property.
            ///
            /// An index over a function that only this framework has is left out of a store.
            public var expression: String?

            /// The name that compiled models give the expression (`expression1`).
            ///
            /// Documents have none.
            public var expressionName: String?

            /// The type of the expression's result.
            ///
            /// In a document it has the spelling of ``AttributeType/documentName``.
            public var expressionType: AttributeType?

            /// How the index is organised: ``Collation/binary``, or a tree of coordinates.
            ///
            /// In a document it is `type`.
            public var collation: Collation = .binary

            /// Whether the column is in ascending order.
            ///
            /// In a document it is `order`, `ascending` or `descending`.
            public var isAscending = true

            /// What the element says beyond these properties.
            ///
            /// It is written with the element again. Leave it as it was read.
            public var foreign = ForeignContent()

            /// An element of a property, binary and ascending.
            public init(propertyName: String) {
                self.propertyName = propertyName
            }

            /// An element of an expression, binary and ascending.
            ///
            /// The format is not parsed here.
            public init(expression: String, type: AttributeType) {
                self.expression = expression
                expressionType = type
            }

            init() {}
        }

        /// How an index is organised; the numbers are Apple's.
        ///
        /// In documents they are `Binary` and `RTree`. The latter is for spatial indexes.
        public enum Collation: UInt, Sendable, Hashable, Codable, CaseIterable {
            case binary = 0
            case rTree = 1
        }
    }
}
