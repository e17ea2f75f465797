import FoundationGaps
import ModelFormat

/// Computes the hashes of properties.
struct PropertyHasher {
    private let composites: [String: Model.Composite]

    init(_ model: Model) throws {
        composites = try Dictionary(model.composites.map { ($0.name, $0) }) { composite, _ in
            throw corruptArchive("The model defines the composite “\(composite.name)” twice.")
        }
    }

    func hash(_ attribute: Model.Attribute) throws -> [UInt8] {
        if let derivation = attribute.derivationExpression {
            var message = HashMessage()
            message.append(try Self.canonicalDerivation(derivation, of: attribute))
            message.append(
                try Self.format(of: attribute) {
                    try attribute.derivationFilterPredicate.map { try NSPredicate.parse($0).formatText }
                })
            return message.hash
        }
        if attribute.compositeName != nil {
            return try hashOfElements(attribute)
        }
        var message = HashMessage()
        message.append(
            base(
                attribute.name, isOptional: attribute.isOptional, isTransient: attribute.isTransient,
                isReadOnly: attribute.isReadOnly, modifier: attribute.versionHashModifier))
        message.append(UInt32(attribute.type.rawValue))
        message.append(attribute.allowsExternalBinaryDataStorage ? [1] : [])
        message.append(attribute.preservesValueInHistoryOnDeletion ? [1] : [])
        return message.hash
    }

    /// A derivation's text as compiled models spell it.
    ///
    /// - Throws: `CocoaError.fileReadCorruptFile` (259) with a sentence that names the attribute where the format is
    ///   wrong.
    static func canonicalDerivation(_ format: String, of attribute: Model.Attribute) throws -> String {
        try self.format(of: attribute) { try DerivationFormat.canonical(format) }
    }

    private static func format<Text>(of attribute: Model.Attribute, _ parse: () throws -> Text) throws -> Text {
        do {
            return try parse()
        } catch let error as PredicateFormatError {
            throw corruptArchive(
                "The derivation of the attribute “\(attribute.name)” has a wrong format “\(error.format)”: \(whole: error.message)."
            )
        }
    }

    /// - Parameter owner: The entity that declares the relationship.
    func hash(_ relationship: Model.Relationship, owner: String) -> [UInt8] {
        let isOwnInverse = relationship.inverseName == relationship.name && relationship.destinationName == owner
        var message = HashMessage()
        message.append(
            base(
                relationship.name, isOptional: relationship.isOptional, isTransient: relationship.isTransient,
                isReadOnly: relationship.isReadOnly, modifier: relationship.versionHashModifier))
        message.append(relationship.destinationName)
        message.append(isOwnInverse ? nil : relationship.inverseName)
        message.append(UInt32(truncatingIfNeeded: relationship.maxCount))
        message.append(UInt32(truncatingIfNeeded: relationship.minCount))
        message.append(relationship.isOrdered ? [1, 0] : [])
        return message.hash
    }

    /// What the hashes of attributes and relationships begin with.
    func base(
        _ name: String, isOptional: Bool, isTransient: Bool, isReadOnly: Bool, modifier: String?
    ) -> [UInt8] {
        var message = HashMessage()
        message.append(name)
        message.append(UInt16(isOptional ? 1 : 0) | (isTransient ? 2 : 0) | (isReadOnly ? 4 : 0))
        message.append(modifier)
        return message.hash
    }
}

// MARK: - Composites

extension PropertyHasher {
    private static let greatestElementCount = 10_000

    private func hashOfElements(_ attribute: Model.Attribute) throws -> [UInt8] {
        var leaves: [Model.Attribute] = []
        var count = 0
        try collectLeaves(of: attribute, into: &leaves, inside: [], count: &count)
        var message = HashMessage()
        for leaf in leaves.sorted(by: { precedes($0.name, $1.name) }) where !leaf.isTransient {
            message.append(try hash(leaf))
        }
        return message.hash
    }

    private func collectLeaves(
        of attribute: Model.Attribute, into leaves: inout [Model.Attribute], inside outer: Set<String>, count: inout Int
    ) throws {
        count += 1
        guard count <= Self.greatestElementCount else {
            throw corruptArchive(
                "A composite attribute of the model has more than \(Self.greatestElementCount) elements.")
        }
        guard let name = attribute.compositeName else { return leaves.append(attribute) }
        guard let composite = composites[name] else {
            throw corruptArchive(
                "The attribute “\(attribute.name)” is of the composite “\(name)”, which the model lacks.")
        }
        guard !outer.contains(name) else {
            throw corruptArchive("The composite “\(name)” of the model contains itself.")
        }
        for element in composite.elements {
            try collectLeaves(of: element, into: &leaves, inside: outer.union([name]), count: &count)
        }
    }
}
