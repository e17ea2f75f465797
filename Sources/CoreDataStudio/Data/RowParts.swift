/// How many rows are read at once: few where their values may be large, for they are in memory together.
struct RowParts {
    /// As many bytes as the values of a part should have.
    private static let bytes = 4 << 20
    /// As many rows as are read before one knows how large their values are, and as many as are read at most.
    private static let (least, mostLarge) = (1, 32)

    private let most: Int
    /// How many rows the next part has.
    private var count: Int
    /// How many rows were taken.
    private var taken = 0

    /// - Parameters:
    ///   - columns: What is read of the rows.
    ///   - most: As many rows as a part has at most.
    init(of columns: [ShownProperty], most: Int) {
        let isLarge = columns.contains(where: \.mayBeLarge)
        self.most = isLarge ? min(most, Self.mostLarge) : most
        count = isLarge ? Self.least : most
    }

    /// The next rows; nil behind the last one.
    mutating func next<Row>(of rows: [Row]) -> [Row]? {
        guard taken < rows.count else { return nil }
        let part = Array(rows[taken...].prefix(count))
        taken += part.count
        return part
    }

    /// Takes note of how many bytes the values of the last part have.
    mutating func note(_ bytes: Int) { count = bytes > Self.bytes ? min(Self.least, most) : min(count * 2, most) }
}

extension ShownProperty {
    /// Whether values may have megabytes, such as pictures.
    fileprivate var mayBeLarge: Bool {
        guard kind == .attribute else { return false }
        return switch attribute?.attributeType {
        case .binaryDataAttributeType, .transformableAttributeType, .undefinedAttributeType: true
        default: false
        }
    }
}
