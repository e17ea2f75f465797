import ModelDocument

extension Diagram {
    /// A line between two boxes: a relationship together with its inverse, or what an entity inherits from.
    package struct Link: Sendable, Hashable {
        package enum Kind: String, Sendable, Hashable {
            case relationship, inheritance
        }

        package let kind: Kind
        /// The end at the relationship's entity, or at the subentity.
        package let source: End
        /// The end at the destination, or at the parent.
        package let target: End

        /// Whether both ends are at one box.
        package var isLoop: Bool { source.box == target.box }
    }

    /// Where a link meets a box.
    package struct End: Sendable, Hashable {
        /// The box's position among the boxes.
        package let box: Int
        /// The row at which the link ends; `nil`: the header.
        package let row: Int?
        /// What leads here from the other end; `nil` where nothing does, as at the source of a relationship without an
        /// inverse.
        package let arrow: Arrow?
        /// The relationship that starts here, where one does.
        package let departure: Departure?
    }

    /// The tip of a link, as the relationship that points to this end has it.
    package struct Arrow: Sendable, Hashable {
        package let isToMany: Bool
        package let isOptional: Bool
    }

    /// What is to be seen of a relationship where it starts.
    package struct Departure: Sendable, Hashable {
        package let name: String
        package let deleteRule: Model.DeleteRule
    }
}
