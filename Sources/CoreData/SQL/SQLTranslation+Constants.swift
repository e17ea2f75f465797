import FoundationGaps

extension SQLTranslation {
    /// A constant as a parameter.
    ///
    /// - Parameter type: What it is compared with; nil or unknown: it is bound as what it is.
    func constant(_ constant: PredicateValue, as type: SQLType?) throws -> SQLTerm {
        let type = type == nil || type == .unknown ? try naturalType(of: constant) : type ?? .unknown
        return SQLTerm(.value(try value(constant, as: type)), type)
    }

    /// A constant as the database stores a value of the type.
    func value(_ constant: PredicateValue, as type: SQLType) throws -> SQLValue {
        if constant.isNull { return .null }
        let value: SQLValue? =
            switch type {
            case .integer, .boolean, .double, .float: constant.sqlNumber(dialect)
            case .decimal: constant.sqlDecimal(dialect)
            case .string: constant.sqlText
            case .date: constant.sqlDate(dialect)
            case .data: if case .data(let data) = constant { .blob(data) } else { nil }
            case .externalData: throw SQLTranslationError.external("a comparison")
            case .uuid: constant.sqlUUID
            case .uri: constant.sqlURI
            case .transformable(let entity, let slot): try transformed(constant, entity, slot)
            case .objectID: objectID(constant)
            case .object(let entity): reference(constant).map { .int(key(of: $0, inTreeOf: entity)) }
            case .entity: entityNumber(constant)
            case .unknown: nil
            }
        guard let value else { throw SQLTranslationError.unsuitable(constant.boxed ?? "nil", for: type) }
        return value
    }

    private func naturalType(of constant: PredicateValue) throws -> SQLType {
        switch constant {
        case .null: return .unknown
        case .integer: return .integer(.bits64)
        case .double: return .double
        case .decimal: return .decimal
        case .string: return .string
        case .date: return .date
        case .data: return .data
        case .uuid: return .uuid
        case .url: return .uri
        case .object(let object) where object is NSEntityDescription: return .entity
        case .object, .other, .collection:
            if let reference = reference(constant), schema.layouts.layouts.indices.contains(Int(reference.entity) - 1) {
                return .object(entity: reference.entity)
            }
            throw SQLTranslationError.unsuitable(constant.boxed ?? "nil", for: .unknown)
        }
    }

    // MARK: Objects

    func reference(_ constant: PredicateValue) -> ObjectReference? {
        guard case .object(let object) = constant else { return nil }
        return (object as? NSManagedObject)?.reference ?? (object as? NSManagedObjectID)?.reference
    }

    /// The key of an object, or 0, which no row has, where the object isn't in the table: because it is unsaved, of
    /// another store, or of another kind.
    private func key(of reference: ObjectReference, inTreeOf entity: Int32) -> Int64 {
        guard !reference.isTemporary, reference.store == store,
            schema.layouts.layouts.indices.contains(Int(reference.entity) - 1), isSameTree(reference.entity, entity)
        else { return 0 }
        return reference.key
    }

    /// The value of an object ID attribute.
    private func objectID(_ constant: PredicateValue) -> SQLValue? {
        guard case .object(let object) = constant else { return constant.sqlURI }
        let id = object as? NSManagedObjectID ?? (object as? NSManagedObject)?.objectID
        return id.map { .text($0.uriRepresentation().absoluteString) }
    }

    /// The number of an entity, by the description or its name; 0, which none has, for an entity that isn't in the
    /// store.
    private func entityNumber(_ constant: PredicateValue) -> SQLValue? {
        let name: String?
        switch constant {
        case .object(let entity as NSEntityDescription): name = entity.name
        case .string(let text): name = text
        default: return nil
        }
        guard let layout = name.flatMap(schema.layouts.layout(named:)), schema.contains(layout) else { return .int(0) }
        return .int(schema.number(of: layout) ?? 0)
    }

    // MARK: Transformables

    /// The data that the attribute's transformer makes of a value: two values are equal if their data is.
    private func transformed(_ constant: PredicateValue, _ entity: Int32, _ slot: Int) throws -> SQLValue? {
        guard let value = constant.boxed else { return nil }
        return .blob(try schema.layouts[entity].slots[slot].data(from: value))
    }
}

/// Constants as values of a database.
///
/// A constant of another kind than the attribute is converted where nothing is lost, as SQLite does it with the
/// affinity of a column: `age == "5"` is understood.
extension PredicateValue {
    /// The elements of an array, set or dictionary; nil for anything else.
    var listElements: [PredicateValue]? {
        guard case .collection(let collection) = self else { return nil }
        return collection.elements.map { PredicateValue($0) }
    }

    fileprivate func sqlNumber(_ dialect: any SQLDialect) -> SQLValue? {
        switch self {
        case .integer(let value): return .int(value)
        case .double(let value): return value.isNaN ? .null : .double(value)
        case .decimal: return sqlDecimal(dialect)
        case .date(let date): return .double(date.timeIntervalSinceReferenceDate)
        case .string(let text):
            if let value = Int64(text) { return .int(value) }
            return Double(text).map { .double($0) }
        default: return nil
        }
    }

    fileprivate func sqlDecimal(_ dialect: any SQLDialect) -> SQLValue? {
        guard case .decimal(let value) = self else { return sqlNumber(dialect) }
        return dialect.decimal(NSDecimalNumber(decimal: value).description(withLocale: nil))
    }

    fileprivate var sqlText: SQLValue? {
        switch self {
        case .string(let text): .text(text)
        case .integer(let value): .text(String(value))
        case .double(let value): .text(NSNumber(value: value).stringValue)
        case .decimal(let value): .text(NSDecimalNumber(decimal: value).description(withLocale: nil))
        case .uuid(let uuid): .text(uuid.uuidString)
        case .url(let url): .text(url.absoluteString)
        default: nil
        }
    }

    fileprivate func sqlDate(_ dialect: any SQLDialect) -> SQLValue? {
        switch self {
        case .date(let date): .double(date.timeIntervalSinceReferenceDate)
        case .integer, .double, .decimal: sqlNumber(dialect)?.number.map { .double($0) }
        default: nil
        }
    }

    fileprivate var sqlUUID: SQLValue? {
        switch self {
        case .uuid(let uuid): .blob(withUnsafeBytes(of: uuid.uuid) { Data($0) })
        case .string(let text):
            UUID(uuidString: text).map { uuid in .blob(withUnsafeBytes(of: uuid.uuid) { Data($0) }) }
        default: nil
        }
    }

    fileprivate var sqlURI: SQLValue? {
        switch self {
        case .url(let url): .text(url.absoluteString)
        case .string(let text): .text(text)
        default: nil
        }
    }
}
