import ModelDocument

extension Diagram {
    /// An entity as it is drawn: a header with its name, and a row for each of its own properties.
    package struct Box: Sendable, Hashable {
        package let name: String
        package let isAbstract: Bool
        package let rows: [Row]
        /// The places of the boxes are the layout's business; at first all are at the origin.
        package var frame: Rectangle

        /// One property.
        package struct Row: Sendable, Hashable {
            package enum Kind: String, Sendable, Hashable {
                case attribute, relationship, fetchedProperty
            }

            package let kind: Kind
            package let name: String
            /// An attribute's type, another property's destination.
            package let detail: String
            package let isOptional: Bool
        }

        init(_ entity: Model.Entity) {
            name = entity.name
            isAbstract = entity.isAbstract
            rows = Self.rows(of: entity)
            frame = Rectangle(origin: Point(x: 0, y: 0), size: Metrics.size(title: entity.name, rows: rows))
        }

        /// Where a link meets the box, as distance from its upper edge: the middle of a row, or a place in the header,
        /// which is another one for what inherits.
        func offset(ofRow row: Int?, _ kind: Link.Kind) -> Double {
            guard let row else { return kind == .inheritance ? 10 : 22 }
            return Metrics.offset(ofRow: row, in: rows)
        }

        private static func rows(of entity: Model.Entity) -> [Row] {
            entity.attributes.map { attribute in
                let type = attribute.compositeName ?? attribute.type.title
                return Row(kind: .attribute, name: attribute.name, detail: type, isOptional: attribute.isOptional)
            }
                + entity.relationships.map {
                    Row(
                        kind: .relationship, name: $0.name, detail: $0.destinationName ?? "?",
                        isOptional: $0.isOptional)
                }
                + entity.fetchedProperties.map {
                    Row(
                        kind: .fetchedProperty, name: $0.name, detail: $0.fetchRequest?.entityName ?? "?",
                        isOptional: $0.isOptional)
                }
        }
    }
}
