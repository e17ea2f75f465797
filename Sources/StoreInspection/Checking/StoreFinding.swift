import CoreData

/// Something that is wrong with a store, and where.
package struct StoreFinding: Hashable, Sendable {
    /// How bad it is.
    package enum Severity: String, Sendable {
        /// The store is not what the framework writes: a reader may fail on it, or show what was never saved.
        case error
        /// The store can be read and written as it is, but would not have come about by saving with this model.
        case warning
    }

    /// What is wrong. The raw values are stable: scripts may compare them.
    package enum Kind: String, Sendable, CaseIterable {
        /// SQLite's own check found damage, or could not read a part of the file.
        case damagedFile = "damaged-file"
        /// The store's UUID or its property list is missing, damaged or says something else than a store's.
        case metadata
        /// The model that the store carries can't be read.
        case modelCache = "model-cache"
        /// An entity's version hash in the metadata is not the model's.
        case versionHash = "version-hash"
        /// The digest or checksum over all hashes is not the model's.
        case modelDigest = "model-digest"
        /// An entity of the model is not in `Z_PRIMARYKEY`.
        case missingEntity = "missing-entity"
        /// An entity is in `Z_PRIMARYKEY` twice.
        case duplicateEntity = "duplicate-entity"
        /// An entity in `Z_PRIMARYKEY` is none of the model.
        case unknownEntity = "unknown-entity"
        /// `Z_SUPER` is not the number of the entity's parent.
        case wrongParent = "wrong-parent"
        /// `Z_MAX` is below a key that is in use, so that the next object would get a key that is taken.
        case keyMaximum = "key-maximum"
        case missingTable = "missing-table"
        case missingColumn = "missing-column"
        /// A column is declared with another type than the property's.
        case columnType = "column-type"
        /// A row's `Z_PK` is NULL, not positive, or another row's too.
        case rowKey = "row-key"
        /// A row's `Z_ENT` is no entity of its table, or an abstract one.
        case rowEntity = "row-entity"
        /// A row's `Z_OPT` is no version.
        case rowVersion = "row-version"
        /// A value is of a storage class that the attribute's type is never stored in.
        case valueType = "value-type"
        /// A number is beyond what the attribute's type can hold.
        case valueRange = "value-range"
        /// A required property is NULL, or a required to-many relationship has no members.
        case requiredValue = "required-value"
        /// A value breaks a validation rule of the model.
        case validationRule = "validation-rule"
        /// A to-many relationship has fewer or more members than the model allows.
        case memberCount = "member-count"
        /// A reference leads to a row that is not there.
        case danglingReference = "dangling-reference"
        /// A reference leads to a row of an entity that the relationship can't lead to.
        case wrongDestination = "wrong-destination"
        /// The column with the entity of a reference's destination says something else than the destination's row.
        case destinationEntity = "destination-entity"
        /// One side of a relationship knows of it, and the other doesn't.
        case oneSided = "one-sided"
        /// A pair is in a many-to-many relationship's table twice.
        case duplicatePair = "duplicate-pair"
        /// A member of an ordered relationship has no place in the order.
        case missingOrderKey = "missing-order-key"
        /// Two members of an ordered relationship have the same place in the order.
        case duplicateOrderKey = "duplicate-order-key"
        /// Several rows have the same values in a uniqueness constraint.
        case uniqueness
        /// The leading byte of a value with external storage is none that the format knows, or the file's name is none.
        case externalRecord = "external-record"
        /// The file that holds a value is missing.
        case missingExternalFile = "missing-external-file"
        /// No value names a file in the folder of external files.
        case orphanedExternalFile = "orphaned-external-file"
        /// A row of the persistent history refers to something that is not there.
        case history

        package var severity: Severity {
            switch self {
            case .validationRule, .memberCount, .orphanedExternalFile: .warning
            default: .error
            }
        }
    }

    package let kind: Kind
    package var table: String?
    package var entity: String?
    /// The row's `Z_PK`.
    package var key: Int64?
    package var property: String?
    /// A sentence, without the place.
    package let message: String

    package var severity: Severity { kind.severity }

    package init(
        _ kind: Kind, table: String? = nil, entity: String? = nil, key: Int64? = nil, property: String? = nil,
        _ message: String
    ) {
        self.kind = kind
        self.table = table
        self.entity = entity
        self.key = key
        self.property = property
        self.message = message
    }
}

extension StoreFinding: CustomStringConvertible {
    /// Severity, kind, place and sentence: `error dangling-reference ZPLAYER Player/p12.team: …`.
    package var description: String {
        let object = entity.map { $0 + (key.map { "/p\($0)" } ?? "") } ?? key.map { "row \($0)" }
        let place = [object, property].compactMap { $0 }.joined(separator: ".")
        let words = [severity.rawValue, kind.rawValue, table, place.isEmpty ? nil : place].compactMap { $0 }
        return words.joined(separator: " ") + ": " + message
    }
}
