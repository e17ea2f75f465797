import FoundationGaps

/// A row of a statement's results, as dictionaries are made of it.
package protocol SQLResultRow {
    func isNull(_ column: Int32) -> Bool
    func int(_ column: Int32) -> Int64
    func double(_ column: Int32) -> Double
    func text(_ column: Int32) -> String?
    /// The digits of a decimal number, without an exponent.
    ///
    /// - Throws: What the database reports of a number that no decimal is.
    func decimal(_ column: Int32) throws -> String
    func blob(_ column: Int32) -> Data?
    func uuid(_ column: Int32) -> UUID?
    /// The value as what it is.
    func value(_ column: Int32) -> SQLValue
}

/// Turns the rows of a dictionary fetch into dictionaries, with values as key-value coding boxes them.
///
/// They are Foundation's from the start: turning a Swift dictionary into one costs several times as much as reading a
/// row.
package struct DictionaryReader {
    private let columns: [SQLResultColumn]
    private let keys: [NSString]
    private let layouts: ModelLayout
    private let objectIDAt: (String) -> NSManagedObjectID?
    private let objectID: (_ key: Int64, _ entity: Int32) -> NSManagedObjectID
    private let entity: (Int64) -> Int32?
    private let externalData: (Data) throws -> Data?

    /// - Parameters:
    ///   - columns: What the rows are.
    ///   - objectIDAt: The ID of the object that a URI means.
    ///   - objectID: The ID of the object with a key, of the entity with a number of the model's.
    ///   - entity: The number that the model has for the entity with a `Z_ENT`.
    ///   - externalData: The data of an attribute with external storage.
    package init(
        _ columns: [SQLResultColumn], layouts: ModelLayout, objectIDAt: @escaping (String) -> NSManagedObjectID?,
        objectID: @escaping (_ key: Int64, _ entity: Int32) -> NSManagedObjectID,
        entity: @escaping (Int64) -> Int32?, externalData: @escaping (Data) throws -> Data?
    ) {
        self.columns = columns
        keys = columns.map { $0.name as NSString }
        (self.layouts, self.objectIDAt) = (layouts, objectIDAt)
        (self.objectID, self.entity, self.externalData) = (objectID, entity, externalData)
    }

    /// The dictionary of a statement's row; what is null is not in it.
    package func read(_ row: some SQLResultRow) throws -> NSDictionary {
        // Room of its own: an array for each row would cost as much as some of its values.
        try withUnsafeTemporaryAllocation(of: AnyObject.self, capacity: columns.count) { objects in
            try withUnsafeTemporaryAllocation(of: NSObject.self, capacity: columns.count) { names in
                var count = 0
                defer {
                    objects.extracting(..<count).deinitialize()
                    names.extracting(..<count).deinitialize()
                }
                for (place, column) in columns.enumerated() {
                    guard let value = try value(of: column, in: row) else { continue }
                    objects.initializeElement(at: count, to: value)
                    names.initializeElement(at: count, to: keys[place])
                    count += 1
                }
                return NSDictionary(objects: objects.baseAddress, forKeys: names.baseAddress, count: count)
            }
        }
    }

    private func value(of column: SQLResultColumn, in row: some SQLResultRow) throws -> AnyObject? {
        let index = Int32(column.index)
        if row.isNull(index) { return nil }
        switch column.kind {
        case .reference(let number): return objectID(row.int(index), number)
        case .referenceWithEntity: return entity(row.int(index + 1)).map { objectID(row.int(index), $0) }
        case .value(let type): return try value(index, type, in: row)
        }
    }

    private func value(_ index: Int32, _ type: SQLType, in row: some SQLResultRow) throws -> AnyObject? {
        switch type {
        case .boolean: return NSNumber(value: row.double(index) != 0)
        case .integer, .entity: return NSNumber(value: row.int(index))
        case .double: return NSNumber(value: row.double(index))
        case .float: return NSNumber(value: Float(row.double(index)))
        case .date: return NSDate(timeIntervalSinceReferenceDate: row.double(index))
        case .decimal: return DecimalNumber(text: try row.decimal(index))
        case .string: return row.text(index) as NSString?
        case .data: return row.blob(index) as NSData?
        case .externalData: return try row.blob(index).flatMap { try externalData($0) } as NSData?
        case .uuid: return row.uuid(index) as NSUUID?
        case .uri: return row.text(index).flatMap { NSURL(stored: $0) }
        case .transformable(let entity, let slot):
            return try row.blob(index).flatMap { try layouts[entity].slots[slot].transform($0) }.map { $0 as AnyObject }
        case .objectID: return row.text(index).flatMap { objectIDAt($0) }
        case .object(let entity): return objectID(row.int(index), entity)
        case .unknown: return Self.untyped(row, index)
        }
    }

    private static func untyped(_ row: some SQLResultRow, _ index: Int32) -> AnyObject? {
        switch row.value(index) {
        case .null: nil
        case .int(let value): NSNumber(value: value)
        case .double(let value): NSNumber(value: value)
        case .text(let value): value as NSString
        case .blob(let value): value as NSData
        }
    }
}
