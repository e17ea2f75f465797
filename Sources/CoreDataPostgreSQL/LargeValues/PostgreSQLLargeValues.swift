import CoreData
import PostgreSQLClient

/// The columns of attributes with external storage, and how their large values stay in the database.
///
/// PostgreSQL keeps large values out of the rows by itself, in the TOAST table beside each table. A statement that does
/// not ask for a value does not touch it, and `octet_length` does not either. So rows come with small values, and with
/// ``DistantData`` in the place of large ones: the column, the row's key, and the stamp of the value.
struct PostgreSQLLargeValues: Sendable {
    /// Values of more bytes stay in the database. PostgreSQL takes values out of rows that are larger than this.
    static let limit = 2_000

    let places: [Place]
    let cache = PostgreSQLLargeValueCache()
    private let numbers: [String: [String: Int]]
    private let dialect = PostgreSQLDialect()

    struct Place: Sendable {
        let table: String
        let column: String
        /// Nil for a column whose values all come with their rows.
        let stamp: String?
    }

    init(_ schema: SQLSchema) {
        var places: [Place] = []
        var numbers: [String: [String: Int]] = [:]
        for layout in schema.layouts.layouts where schema.contains(layout) {
            let table = schema.table(of: layout).name
            for slot in layout.slots where slot.isExternal && slot.isStoredInRow {
                guard let column = schema.column(of: layout, slot: slot.index),
                    numbers[table]?[column.name] == nil
                else { continue }
                numbers[table, default: [:]][column.name] = places.count
                places.append(Place(table: table, column: column.name, stamp: column.stampColumn))
            }
        }
        (self.places, self.numbers) = (places, numbers)
    }

    // MARK: Rows

    /// A select of rows of a table, with what snapshots have in the place of the columns.
    ///
    /// - Parameter isWhole: Whether large values come with the rows, too.
    func reading(_ select: SQLSelect, of table: String, isWhole: Bool = false) -> SQLSelect {
        guard let numbers = numbers[table] else { return select }
        var select = select
        select.columns = select.columns.map { expression in
            guard case .column(let name, let alias) = expression, let number = numbers[name] else { return expression }
            return cell(number, alias, isWhole: isWhole)
        }
        return select
    }

    /// See ``reading(_:of:isWhole:)``.
    func reading(_ statement: SQLStatement, of table: String) -> SQLStatement {
        guard case .select(let select) = statement else { return statement }
        return .select(reading(select, of: table))
    }

    private func cell(_ number: Int, _ alias: SQLAlias, isWhole: Bool) -> SQLExpression {
        let place = places[number]
        let value = SQLExpression.column(place.column, of: alias)
        guard let stamp = place.stamp, !isWhole else { return .form("'\\x01'::bytea || @", [value]) }
        let (key, stamps) = (SQLExpression.column("Z_PK", of: alias), SQLExpression.column(stamp, of: alias))
        return .form(
            """
            CASE WHEN octet_length(@) <= \(Self.limit) THEN '\\x01'::bytea || @ ELSE '\\x03'::bytea \
            || int8send(octet_length(@)) || int4send(\(number)) || int8send(@) || coalesce(uuid_send(@), '') END
            """, [value, value, value, key, stamps])
    }

    // MARK: Values

    /// A value on its way into a row.
    func value(_ data: Data, of column: String, in table: String, key: Int64) -> PostgreSQLLargeValue {
        guard data.count > Self.limit, let number = numbers[table]?[column], places[number].stamp != nil else {
            return PostgreSQLLargeValue(data: data, stamp: nil, raw: Data([1]) + data)
        }
        let stamp = UUID()
        var raw = Data([DistantData.lead])
        raw.append(bigEndian: Int64(data.count))
        raw.append(bigEndian: Int32(number))
        raw.append(bigEndian: key)
        withUnsafeBytes(of: stamp.uuid) { raw.append(contentsOf: $0) }
        return PostgreSQLLargeValue(data: data, stamp: stamp, raw: raw)
    }

    /// The value that a row has, or has left in the database; nil where the row is gone.
    ///
    /// The database has the value that the row has now. It is another one where another program has changed it since
    /// the row was read.
    func data(_ raw: Data, _ connection: PostgreSQLConnection) throws -> Data? {
        guard raw.first == DistantData.lead else { return raw.first == 1 ? raw.dropFirst() : nil }
        let rest = raw.dropFirst(9)
        guard rest.count >= 12 else { return nil }
        let number = Int(rest.prefix(4).bigEndianInteger)
        guard places.indices.contains(number), let stamp = places[number].stamp else { return nil }
        var select = SQLSelect(from: .table(places[number].table, .only))
        select.columns = [.own(places[number].column), .own(stamp)]
        select.conditions = [.hasKey(parameter: 1)]
        var parameters = PostgreSQLParameters()
        parameters.append(int64: rest.dropFirst(4).prefix(8).bigEndianInteger)
        let found = try connection.execute(preparing: dialect.text(of: .select(select)), parameters)
        guard found.rowCount > 0, let bytes = found.field(0, 0) else { return nil }
        let value = Data(bytes)
        // A value without a stamp, of a database that had none, can't be told from others.
        if let stamp = found.field(0, 1), rest.dropFirst(12).elementsEqual(stamp) { cache.keep(value, for: raw) }
        return value
    }
}

/// A value of an attribute with external storage on its way into a row.
struct PostgreSQLLargeValue {
    let data: Data
    /// Nil for a value that comes with its row.
    let stamp: UUID?
    /// What snapshots have.
    let raw: Data

    /// The first value of a row that no snapshot is made of.
    var unstamped: PostgreSQLLargeValue { PostgreSQLLargeValue(data: data, stamp: nil, raw: raw) }
}

extension PostgreSQLLargeValues.Place {
    private var name: String { table + "." + (stamp ?? column + PostgreSQLStamps.ending) }

    /// Gives a value another stamp where the statement that writes it does not: one of another program, or one for many
    /// rows.
    var trigger: PostgreSQLParts.Part? {
        guard let stamp else { return nil }
        let dialect = PostgreSQLDialect()
        let (function, value, mark) = (
            dialect.identifier(name), dialect.identifier(column), dialect.identifier(stamp)
        )
        let body = "BEGIN NEW.\(mark) := gen_random_uuid(); RETURN NEW; END"
        return PostgreSQLParts.Part(
            kind: .trigger, name: name, tables: [table],
            text: PostgreSQLQuoting.block(
                """
                CREATE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql AS \(PostgreSQLQuoting.body(body)); \
                CREATE TRIGGER \(function) BEFORE UPDATE OF \(value) ON \(dialect.identifier(table)) FOR EACH ROW \
                WHEN (octet_length(NEW.\(value)) > \(PostgreSQLLargeValues.limit) \
                AND NEW.\(mark) IS NOT DISTINCT FROM OLD.\(mark)) EXECUTE FUNCTION \(function)();
                """))
    }

    /// Adds the column with the stamps to a table that is there.
    var stampCreation: [String] {
        guard let stamp, let trigger else { return [] }
        let dialect = PostgreSQLDialect()
        let column = "\(dialect.identifier(stamp)) \(PostgreSQLType.uuid.rawValue)"
        return [
            "ALTER TABLE \(dialect.identifier(table)) ADD COLUMN IF NOT EXISTS \(column)", trigger.removal,
            trigger.text,
        ]
    }
}

extension Data {
    fileprivate mutating func append(bigEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }

    /// The number that the bytes are.
    fileprivate var bigEndianInteger: Int64 { reduce(0) { $0 << 8 | Int64($1) } }
}
