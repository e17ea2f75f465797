import CSQLite
import Foundation

extension SQLiteConnection {
    /// Makes a function of the translation known to this connection.
    func register(_ function: SQLFunction) throws {
        let flags = SQLITE_UTF8 | (function.isDeterministic ? SQLITE_DETERMINISTIC : 0)
        let box = Unmanaged.passRetained(FunctionBox(function))
        let code = sqlite3_create_function_v2(
            handle, function.name, Int32(function.argumentCount), flags, box.toOpaque(),
            { context, count, values in FunctionBox.call(context, count, values) }, nil, nil,
            { box in if let box { Unmanaged<FunctionBox>.fromOpaque(box).release() } })
        if code != SQLITE_OK { throw error() }
    }

    /// Makes an order of strings known to this connection.
    func register(_ collation: SQLCollation) throws {
        let box = Unmanaged.passRetained(CollationBox(collation))
        let code = sqlite3_create_collation_v2(
            handle, collation.name, SQLITE_UTF8, box.toOpaque(),
            { box, count, left, otherCount, right in CollationBox.compare(box, (count, left), (otherCount, right)) },
            { box in if let box { Unmanaged<CollationBox>.fromOpaque(box).release() } })
        // Unlike for a function, SQLite does not call the destructor of a collation that it refuses.
        if code != SQLITE_OK {
            box.release()
            throw error()
        }
    }

    /// The functions that tell which objects have stale snapshots.
    private static let noteFunctions: Set = [
        "NSCoreDataDATriggerUpdatedAffectedObjectValue", "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
        "NSCoreDataTriggerUpdateAffectedObjectValue",
    ]

    /// The functions of Apple's triggers that every connection knows.
    static let triggerFunctions = noteFunctions.union([SQLRoutine.now.rawValue])

    /// Makes the functions known that the triggers of Apple's stores call, for all of which `note` is called.
    ///
    /// Derived attributes are kept by triggers, which tell by these functions which snapshots went stale. Without the
    /// functions a write to such a store fails.
    func registerTriggerFunctions(note: @escaping @Sendable (_ table: String, _ key: Int64) -> Void) throws {
        for name in Self.noteFunctions { try registerTellingFunction(name, argumentCount: 5, note: note) }
    }
}

extension SQLiteConnection {
    /// Makes a function known that triggers call only to tell of a row: (table, `Z_ENT`, key, …).
    func registerTellingFunction(
        _ name: String, argumentCount: Int = -1,
        note: @escaping @Sendable (_ table: String, _ key: Int64) -> Void
    ) throws {
        try register(
            SQLFunction(name, argumentCount, isDeterministic: false) { arguments in
                if arguments.count > 2, case .text(let table) = arguments[0], case .int(let key) = arguments[2] {
                    note(table, key)
                }
                return .null
            })
    }
}

/// Carries a Swift function through SQLite.
private final class FunctionBox {
    private let function: SQLFunction

    init(_ function: SQLFunction) { self.function = function }

    static func call(
        _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
    ) {
        guard let data = sqlite3_user_data(context) else { return sqlite3_result_null(context) }
        let box = Unmanaged<FunctionBox>.fromOpaque(data).takeUnretainedValue()
        do {
            let arguments = (0..<Int(count)).map { SQLValue(values?[$0]) }
            SQLValue.deliver(try box.function.body(arguments), to: context)
        } catch {
            sqlite3_result_error(context, "\(error)", -1)
        }
    }
}

/// Carries a Swift comparison through SQLite.
private final class CollationBox {
    private let collation: SQLCollation

    init(_ collation: SQLCollation) { self.collation = collation }

    static func compare(
        _ box: UnsafeMutableRawPointer?, _ left: (Int32, UnsafeRawPointer?), _ right: (Int32, UnsafeRawPointer?)
    ) -> Int32 {
        guard let box else { return 0 }
        let collation = Unmanaged<CollationBox>.fromOpaque(box).takeUnretainedValue().collation
        let (a, b) = (text(left), text(right))
        return Int32(collation.compare(a, b).rawValue)
    }

    private static func text(_ bytes: (count: Int32, start: UnsafeRawPointer?)) -> String {
        String(decoding: UnsafeRawBufferPointer(start: bytes.start, count: Int(bytes.count)), as: UTF8.self)
    }
}

extension SQLValue {
    /// An argument of a function.
    fileprivate init(_ value: OpaquePointer?) {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: self = .int(sqlite3_value_int64(value))
        case SQLITE_FLOAT: self = .double(sqlite3_value_double(value))
        case SQLITE_TEXT:
            let start = sqlite3_value_text(value)
            let bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
            self = .text(String(decoding: bytes, as: UTF8.self))
        case SQLITE_BLOB:
            let start = sqlite3_value_blob(value)
            self = .blob(Data(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))))
        default: self = .null
        }
    }

    /// A column of a row.
    package init(_ statement: SQLiteStatement, _ column: Int32) {
        switch statement.type(column) {
        case SQLITE_INTEGER: self = .int(statement.int(column))
        case SQLITE_FLOAT: self = .double(statement.double(column))
        case SQLITE_TEXT: self = .text(String(decoding: statement.textBytes(column), as: UTF8.self))
        case SQLITE_BLOB: self = .blob(Data(statement.blobBytes(column)))
        default: self = .null
        }
    }

    /// Binds the value to a parameter.
    func bind(to statement: SQLiteStatement, _ index: Int32) {
        switch self {
        case .null: statement.bindNull(index)
        case .int(let value): statement.bind(index, int: value)
        case .double(let value): statement.bind(index, double: value)
        case .text(let value): statement.bind(index, text: value)
        case .blob(let value): statement.bind(index, blob: value)
        }
    }

    /// Hands a function's result to SQLite, which copies it.
    fileprivate static func deliver(_ value: SQLValue, to context: OpaquePointer?) {
        let copy = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .null: sqlite3_result_null(context)
        case .int(let value): sqlite3_result_int64(context, value)
        case .double(let value): sqlite3_result_double(context, value)
        case .text(var value):
            value.withUTF8 { text in
                text.withMemoryRebound(to: CChar.self) {
                    sqlite3_result_text64(context, $0.baseAddress, UInt64($0.count), copy, UInt8(SQLITE_UTF8))
                }
            }
        case .blob(let value):
            value.withUnsafeBytes { sqlite3_result_blob64(context, $0.baseAddress, UInt64($0.count), copy) }
        }
    }
}
