import Foundation
import PropertyLists

/// A keyed archive as `NSKeyedArchiver` writes it: numbered objects that refer to each other, cycles included.
///
/// Nothing is instantiated by name. An object is looked at only where a caller asks for it, its class must be on the
/// caller's list, and it can be told from others by its number, so that callers can follow back references.
///
/// A hostile archive may refer to one large collection from many places. So all elements that collections hand out are
/// counted, and an archive that hands out many times more than it has objects is refused.
final class KeyedArchive {
    private static let usesPerObject = 64
    /// How many superclasses of a class are looked at.
    private static let longestLineage = 16

    /// The objects by their numbers; 0 stands for nil.
    let objects: [PropertyListValue]
    private let top: [String: PropertyListValue]
    private let allowedClasses: Set<String>
    private var remainingUses: Int

    /// - Parameters:
    ///   - data: A binary property list.
    ///   - allowedClasses: The names of the classes of objects that may be looked at.
    /// - Throws: `CocoaError.fileReadCorruptFile` (259) where the data is no keyed archive.
    init(_ data: Data, allowing allowedClasses: Set<String>) throws {
        guard let archive = try PropertyListValue(binary: data).dictionary,
            archive["$archiver"]?.string == "NSKeyedArchiver",
            let objects = archive["$objects"]?.array,
            let top = archive["$top"]?.dictionary
        else {
            throw corruptArchive("The property list is no keyed archive: “$archiver”, “$objects” or “$top” is missing.")
        }
        guard archive["$version"] == .integer(100_000) else {
            throw corruptArchive("The keyed archive is of an unknown version.")
        }
        self.objects = objects
        self.top = top
        self.allowedClasses = allowedClasses
        remainingUses = 1024 + Self.usesPerObject * objects.count
    }

    /// The object that the archive consists of.
    func root() throws -> ArchivedValue {
        try value(rawRoot())
    }

    /// The reference to the object that the archive consists of.
    func rawRoot() throws -> PropertyListValue {
        guard let root = top["root"] else { throw corruptArchive("The keyed archive has no root object.") }
        return root
    }

    /// Whether the archive handed out as much as it may: what is left of it is not read.
    var isExhausted: Bool { remainingUses < 0 }

    /// Counts elements that are about to be handed out.
    func use(_ count: Int) throws {
        remainingUses -= count
        guard remainingUses >= 0 else {
            throw corruptArchive("The keyed archive refers to its \(objects.count) objects too many times.")
        }
    }
}

// MARK: - Resolving

extension KeyedArchive {
    /// What a value inside an object's fields stands for; references are followed.
    func value(_ raw: PropertyListValue) throws -> ArchivedValue {
        guard let number = raw.uid else { return try plain(raw) }
        guard objects.indices.contains(number) else {
            throw corruptArchive("The keyed archive refers to object \(number) of \(objects.count).")
        }
        if number == 0 { return .null }
        guard let fields = objects[number].dictionary else { return try plain(objects[number]) }
        return try object(number, fields)
    }

    private func plain(_ raw: PropertyListValue) throws -> ArchivedValue {
        switch raw {
        case .null: return .null
        case .boolean(let flag): return .boolean(flag)
        case .integer(let number): return .integer(number)
        case .real(let number): return .real(number)
        case .date(let seconds): return .date(seconds)
        case .data(let bytes): return .data(bytes)
        case .string(let text): return .string(text)
        case .unsigned(let number):
            throw corruptArchive("The keyed archive has the integer \(number), which no value of a model can be.")
        case .array, .dictionary, .uid:
            throw corruptArchive("The keyed archive is damaged: a value has no class.")
        }
    }

    /// An object of an allowed class, or of a class that inherits from one: then it counts as one of that.
    private func object(_ number: Int, _ fields: [String: PropertyListValue]) throws -> ArchivedValue {
        guard let classNumber = fields["$class"]?.uid, objects.indices.contains(classNumber),
            let description = objects[classNumber].dictionary, let className = description["$classname"]?.string
        else {
            throw corruptArchive("The keyed archive is damaged: object \(number) has no class.")
        }
        let lineage =
            [className] + (description["$classes"]?.array ?? []).prefix(Self.longestLineage).compactMap(\.string)
        guard let known = lineage.first(where: allowedClasses.contains) else { return .unknown(className: className) }
        return .object(ArchivedObject(archive: self, number: number, className: known, fields: fields))
    }
}
