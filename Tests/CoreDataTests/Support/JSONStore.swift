import CoreData
import Foundation

/// A store in a JSON file: an example of an atomic store, which has all that an app's own would have.
final class JSONStore: NSAtomicStore, TestedStore, @unchecked Sendable {
    // Unchecked like its superclass.

    static let type = NSPersistentStore.StoreType(rawValue: "JSON")

    static func register() -> String {
        NSPersistentStoreCoordinator.registerStoreClass(JSONStore.self, type: type)
        return type.rawValue
    }

    /// The number of the object that was made last.
    private var lastNumber = 0

    // MARK: Reading

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        try JSONFile(contentsOf: url).metadata
    }

    override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        var file = try JSONFile(contentsOf: url)
        file.metadata = file.metadata.merging(metadata ?? [:]) { $1 }
        try file.write(to: url)
    }

    override func load() throws {
        guard let url, let size = try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize, size > 0 else { return }
        let file = try JSONFile(contentsOf: url)
        metadata = file.metadata
        lastNumber = file.lastNumber
        var nodes: [Int: NSAtomicStoreCacheNode] = [:]
        for record in file.records { nodes[record.number] = try node(of: record) }
        for record in file.records { try relate(record, nodes) }
        addCacheNodes(Set(nodes.values))
    }

    private func node(of record: JSONRecord) throws -> NSAtomicStoreCacheNode {
        guard let entity = persistentStoreCoordinator?.managedObjectModel.entitiesByName[record.entity] else {
            throw CocoaError(.fileReadCorruptFile)
        }
        let node = NSAtomicStoreCacheNode(objectID: objectID(for: entity, withReferenceObject: record.number))
        for (name, attribute) in entity.attributesByName {
            if let text = record.values[name] { node.setValue(try attribute.value(of: text), forKey: name) }
        }
        return node
    }

    private func relate(_ record: JSONRecord, _ nodes: [Int: NSAtomicStoreCacheNode]) throws {
        guard let node = nodes[record.number] else { return }
        for (name, relationship) in node.objectID.entity.relationshipsByName {
            let members = (record.members[name] ?? []).compactMap { nodes[$0] }
            if relationship.isToMany {
                node.setValue(
                    relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members), forKey: name)
            } else {
                node.setValue(members.first, forKey: name)
            }
        }
    }

    // MARK: Writing

    override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        lastNumber += 1
        return lastNumber
    }

    override func save() throws {
        let records = try cacheNodes().map { try record(of: $0) }.sorted { $0.number < $1.number }
        try JSONFile(lastNumber: lastNumber, metadata: metadata, records: records).write(to: url!)
    }

    private func record(of node: NSAtomicStoreCacheNode) throws -> JSONRecord {
        let entity = node.objectID.entity
        var record = JSONRecord(number: number(of: node), entity: entity.name ?? "")
        for (name, attribute) in entity.attributesByName where !attribute.isTransient {
            if let value = node.value(forKey: name) { record.values[name] = try attribute.text(of: value) }
        }
        for name in entity.relationshipsByName.keys {
            let value = node.value(forKey: name)
            let members = (value as? NSSet)?.allObjects ?? (value as? NSOrderedSet)?.array ?? [value as Any]
            record.members[name] = members.compactMap { ($0 as? NSAtomicStoreCacheNode).map { number(of: $0) } }
        }
        return record
    }

    private func number(of node: NSAtomicStoreCacheNode) -> Int {
        (referenceObject(for: node.objectID) as? NSNumber)?.intValue ?? 0
    }
}

/// An object in a JSON store's file.
private struct JSONRecord: Codable {
    let number: Int
    let entity: String
    var values: [String: String] = [:]
    /// The numbers of the objects at the other end of each relationship.
    var members: [String: [Int]] = [:]
}

/// The file of a JSON store.
private struct JSONFile: Codable {
    let lastNumber: Int
    /// A property list.
    private var list: Data
    let records: [JSONRecord]

    var metadata: [String: Any] {
        get { (try? PropertyListSerialization.propertyList(from: list, format: nil)) as? [String: Any] ?? [:] }
        set {
            list = (try? PropertyListSerialization.data(fromPropertyList: newValue, format: .xml, options: 0)) ?? Data()
        }
    }

    init(lastNumber: Int, metadata: [String: Any], records: [JSONRecord]) throws {
        (self.lastNumber, self.records) = (lastNumber, records)
        list = try PropertyListSerialization.data(fromPropertyList: metadata, format: .xml, options: 0)
    }

    init(contentsOf url: URL) throws {
        do { self = try JSONDecoder().decode(JSONFile.self, from: Data(contentsOf: url)) } catch is DecodingError {
            throw CocoaError(.fileReadCorruptFile)
        }
    }

    func write(to url: URL) throws { try JSONEncoder().encode(self).write(to: url, options: .atomic) }
}

extension NSAttributeDescription {
    /// A value as the file has it.
    fileprivate func text(of value: Any) throws -> String {
        switch value {
        case let text as String: text
        case let date as Date: String(date.timeIntervalSinceReferenceDate)
        case let data as Data where attributeType != .transformableAttributeType: data.base64EncodedString()
        case let uuid as UUID: uuid.uuidString
        case let url as URL: url.absoluteString
        case let number as NSNumber: number.stringValue
        default: try archived(value).base64EncodedString()
        }
    }

    fileprivate func value(of text: String) throws -> Any? {
        switch attributeType {
        case .stringAttributeType: return text
        case .dateAttributeType: return Double(text).map { Date(timeIntervalSinceReferenceDate: $0) }
        case .binaryDataAttributeType: return Data(base64Encoded: text)
        case .UUIDAttributeType: return UUID(uuidString: text)
        case .URIAttributeType: return URL(string: text)
        case .decimalAttributeType: return NSDecimalNumber(string: text)
        case .doubleAttributeType, .floatAttributeType: return Double(text).map { NSNumber(value: $0) }
        case .booleanAttributeType: return NSNumber(value: text == "1")
        case .transformableAttributeType: return try Data(base64Encoded: text).map { try unarchived($0) }
        default: return Int64(text).map { NSNumber(value: $0) }
        }
    }

    private var transformer: ValueTransformer? {
        valueTransformerName.flatMap { ValueTransformer(forName: NSValueTransformerName($0)) }
    }

    /// The data that a transformable is stored as.
    private func archived(_ value: Any) throws -> Data {
        if let data = transformer?.transformedValue(value) as? Data { return data }
        return try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
    }

    private func unarchived(_ data: Data) throws -> Any {
        if let value = transformer?.reverseTransformedValue(data) { return value }
        let classes: [AnyClass] = [
            NSArray.self, NSDictionary.self, NSString.self, NSNumber.self, NSDate.self, NSData.self,
        ]
        return try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data) as Any
    }
}
