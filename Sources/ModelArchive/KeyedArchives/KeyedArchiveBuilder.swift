import Foundation
import PropertyLists

/// Builds a keyed archive object by object; its bytes depend on nothing but the order in which objects are added.
///
/// Strings, numbers and classes that are equal are one object. Objects may refer to each other in cycles: reserve a
/// reference first, fill it later.
struct KeyedArchiveBuilder {
    /// The numbered objects; 0 stands for nil.
    private var objects: [PropertyListValue] = [.string("$null")]
    private var strings: [[UInt16]: ArchiveReference] = [:]
    private var numbers: [NumberKey: ArchiveReference] = [:]
    private var classes: [ArchivedClass: ArchiveReference] = [:]

    /// What tells numbers apart: a real 0 is no integer 0.
    private enum NumberKey: Hashable {
        case boolean(Bool)
        case integer(Int64)
        case real(UInt64)
    }

    /// The archive with the object as its root.
    func data(root: ArchiveReference) -> Data {
        let archive: [String: PropertyListValue] = [
            "$archiver": .string("NSKeyedArchiver"),
            "$version": .integer(100_000),
            "$top": .dictionary(["root": root.value]),
            "$objects": .array(objects),
        ]
        return PropertyListValue.dictionary(archive).binary
    }

    // MARK: Scalars

    mutating func string(_ text: String) -> ArchiveReference {
        let units = Array(text.utf16)
        if let known = strings[units] { return known }
        let reference = append(.string(text))
        strings[units] = reference
        return reference
    }

    /// A reference to the text, or to nil.
    mutating func string(_ text: String?) -> ArchiveReference {
        guard let text else { return .null }
        return string(text) as ArchiveReference
    }

    mutating func boolean(_ flag: Bool) -> ArchiveReference {
        number(.boolean(flag), .boolean(flag))
    }

    mutating func integer(_ number: Int64) -> ArchiveReference {
        self.number(.integer(number), .integer(number))
    }

    mutating func real(_ number: Double) -> ArchiveReference {
        self.number(.real(number.bitPattern), .real(number))
    }

    mutating func data(_ bytes: Data) -> ArchiveReference {
        append(.data(bytes))
    }

    private mutating func number(_ key: NumberKey, _ value: PropertyListValue) -> ArchiveReference {
        if let known = numbers[key] { return known }
        let reference = append(value)
        numbers[key] = reference
        return reference
    }

    // MARK: Objects

    /// A reference to an object that is filled later.
    mutating func reserve() -> ArchiveReference {
        append(.null)
    }

    /// Gives a reserved object its class and fields.
    mutating func fill(
        _ reference: ArchiveReference, _ objectClass: ArchivedClass, _ fields: [String: PropertyListValue]
    ) {
        var fields = fields
        fields["$class"] = self.reference(to: objectClass).value
        objects[reference.number] = .dictionary(fields)
    }

    /// Adds an object with its class and fields.
    mutating func object(_ objectClass: ArchivedClass, _ fields: [String: PropertyListValue]) -> ArchiveReference {
        let reference = reserve()
        fill(reference, objectClass, fields)
        return reference
    }

    /// Adds an object of any value; for what other archives are copied from.
    mutating func append(_ value: PropertyListValue) -> ArchiveReference {
        objects.append(value)
        return ArchiveReference(number: objects.count - 1)
    }

    /// Replaces what a reserved object is; for what other archives are copied from.
    mutating func replace(_ reference: ArchiveReference, with value: PropertyListValue) {
        objects[reference.number] = value
    }

    private mutating func reference(to objectClass: ArchivedClass) -> ArchiveReference {
        if let known = classes[objectClass] { return known }
        let names = objectClass.chain.map(PropertyListValue.string)
        let reference = append(.dictionary(["$classname": names[0], "$classes": .array(names)]))
        classes[objectClass] = reference
        return reference
    }

    // MARK: Values of classes

    mutating func date(_ seconds: Double) -> ArchiveReference {
        object(.date, ["NS.time": .real(seconds)])
    }

    mutating func uuid(_ uuid: UUID) -> ArchiveReference {
        object(.uuid, ["NS.uuidbytes": .data(withUnsafeBytes(of: uuid.uuid) { Data($0) })])
    }

    mutating func url(_ text: String) -> ArchiveReference {
        let relative = string(text) as ArchiveReference
        return object(.url, ["NS.base": ArchiveReference.null.value, "NS.relative": relative.value])
    }

    // MARK: Collections

    mutating func array(_ elements: [ArchiveReference], _ objectClass: ArchivedClass = .array) -> ArchiveReference {
        object(objectClass, ["NS.objects": .array(elements.map(\.value))])
    }

    mutating func dictionary(
        _ entries: [(key: String, value: ArchiveReference)], _ objectClass: ArchivedClass = .dictionary
    ) -> ArchiveReference {
        let keys = entries.map { string($0.key) as ArchiveReference }
        return object(
            objectClass, ["NS.keys": .array(keys.map(\.value)), "NS.objects": .array(entries.map(\.value.value))])
    }

    /// A dictionary with its keys in an object of their own, as the framework archives a model's entities.
    mutating func knownKeysDictionary(_ entries: [(key: String, value: ArchiveReference)]) -> ArchiveReference {
        let keys = array(entries.map { string($0.key) as ArchiveReference })
        let mapping = object(
            .knownKeys, ["keys": keys.value, "length": .integer(Int64(entries.count)), "version": .integer(1)])
        let emptyToken = string("__empty_slot_token_4c24_98dc_ac1e_b773__") as ArchiveReference
        return object(
            .knownKeysDictionary,
            [
                "searchMapping": mapping.value, "values": array(entries.map(\.value)).value,
                "emptyToken": emptyToken.value, "version": .integer(1),
            ])
    }
}

/// An object's number in an archive that is being built.
struct ArchiveReference: Hashable {
    static let null = ArchiveReference(number: 0)

    let number: Int

    /// The reference as a field's value.
    var value: PropertyListValue { .uid(number) }
}
