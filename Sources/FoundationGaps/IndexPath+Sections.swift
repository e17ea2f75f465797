import Foundation

/// Places in a list with sections, which on Apple's platforms UIKit and AppKit add.
extension IndexPath {
    /// The place of a row in a section.
    ///
    /// ```swift
    /// let player = controller.object(at: IndexPath(row: 0, section: 1))
    /// ```
    public init(row: Int, section: Int) { self = [section, row] }

    /// The place of an item in a section. It equals the index path of a row of the same number.
    public init(item: Int, section: Int) { self = [section, item] }

    /// The section: the first index.
    ///
    /// An index path that has not two indexes traps with a sentence.
    public var section: Int {
        get { self[requiredPosition(0)] }
        set { self[requiredPosition(0)] = newValue }
    }

    /// The row in the section: the second index.
    ///
    /// An index path that has not two indexes traps with a sentence.
    public var row: Int {
        get { self[requiredPosition(1)] }
        set { self[requiredPosition(1)] = newValue }
    }

    /// The item in the section: the second index, the same as `row`.
    public var item: Int {
        get { row }
        set { row = newValue }
    }

    private func requiredPosition(_ position: Int) -> Int {
        precondition(
            count == 2,
            "\(self) has no section and row: it has \(count) indexes, not 2. Make it with IndexPath(row:section:).")
        return position
    }
}

extension NSIndexPath {
    /// The place of a row in a section.
    ///
    /// Delegates get `IndexPath` values; this class is for code that names it.
    public convenience init(row: Int, section: Int) { self.init(indexes: [section, row], length: 2) }

    /// The place of an item in a section. It equals the index path of a row of the same number.
    public convenience init(item: Int, section: Int) { self.init(row: item, section: section) }

    /// The section: the first index.
    ///
    /// An index path that has not two indexes traps with a sentence.
    public var section: Int { IndexPath(indexes: (0..<length).map { index(atPosition: $0) }).section }

    /// The row in the section: the second index.
    ///
    /// An index path that has not two indexes traps with a sentence.
    public var row: Int { IndexPath(indexes: (0..<length).map { index(atPosition: $0) }).row }

    /// The item in the section: the second index, the same as `row`.
    public var item: Int { row }
}
