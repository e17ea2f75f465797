import Foundation

extension SQLiteStore {
    func members(ofAll sources: [Int64], in layout: EntityLayout, slot: PropertySlot) throws -> StoreMembers {
        try reading(for: .lookup) { try $0.members(ofAll: sources, in: layout, slot: slot) }
    }
}

extension SQLiteSession {
    func members(ofAll sources: [Int64], in layout: EntityLayout, slot: PropertySlot) throws -> StoreMembers {
        if sources.count == 1, let statement = try rowsStatement(layout, slot) {
            return try members(of: sources[0], statement, store: token.number)
        }
        let found = StoreMembers()
        let store = token.number
        guard let link = schema.link(of: layout, slot: slot.index) else { return found }
        let destination = layouts[slot.destination]
        let select = SQLMembersSelect(link, target: schema.table(of: destination).name)
        if case .joinTable = link {
            try forEachRow(select, ["Z_PK", "Z_ENT"], sources) { statement in
                let entity = schema.layoutNumber(of: statement.int(1)) ?? slot.destination
                found.append(
                    ObjectReference(key: statement.int(0), entity: entity, store: store), of: statement.int(2))
            }
        } else {
            // The rows that carry their owner's key are the members themselves.
            let reader = reader(for: destination, includesSubentities: true)
            let sourceColumn = Int32(reader.columns.count)
            try forEachRow(select, reader.columns, sources) { statement in
                guard let row = reader.read(statement) else { return }
                found.append(row, store: store, of: statement.int(sourceColumn))
            }
        }
        return found
    }

    /// The members of one object by a statement that finds their rows.
    private func members(of source: Int64, _ read: MemberRead, store: Int32) throws -> StoreMembers {
        try cocoa {
            read.statement.bind(1, int: source)
            return StoreMembers(try read.reader.readAll(read.statement), store: store, of: source)
        }
    }

    /// The statement for the members of one object, prepared once; nil where their rows don't carry its key.
    private func rowsStatement(_ layout: EntityLayout, _ slot: PropertySlot) throws -> MemberRead? {
        let key = MemberRead.Key(entity: layout.number, slot: slot.index)
        if let known = memberReads[key] { return known }
        guard let link = schema.link(of: layout, slot: slot.index), !link.isJoinTable else {
            return nil
        }
        return try cocoa {
            let destination = layouts[slot.destination]
            let reader = reader(for: destination, includesSubentities: true)
            let select = SQLMembersSelect(link, target: schema.table(of: destination).name)
            let statement = try connection.newStatement(select.ofOne(reader.columns))
            let read = MemberRead(statement: statement, reader: reader)
            memberReads[key] = read
            return read
        }
    }

    private func forEachRow(
        _ select: SQLMembersSelect, _ columns: [String], _ sources: [Int64], _ body: (SQLiteStatement) throws -> Void
    ) throws {
        try forEachRow(sources, { select.ofAll(columns, in: $0) }, body)
    }

    /// Steps through what a statement about some keys finds: in one go, where the list of keys can be one parameter.
    ///
    /// - Parameter tree: The statement; nil where there is nothing to be done.
    func forEachRow(
        _ keys: [Int64], _ tree: (SQLKeyList) -> SQLStatement?, _ body: (SQLiteStatement) throws -> Void = { _ in }
    ) throws {
        try cocoa {
            func step(_ list: SQLKeyList, bind: (SQLiteStatement) -> Void) throws {
                guard let tree = tree(list) else { return }
                let statement = try connection.statement(tree)
                bind(statement)
                defer { statement.reset() }
                while try statement.step() { try body(statement) }
            }
            if connection.hasJSON {
                let keys = "[" + keys.map { String($0) }.joined(separator: ",") + "]"
                return try step(.array(parameter: 1)) { $0.bind(1, text: keys) }
            }
            for batch in KeyBatches(keys) { try step(.parameters(count: batch.size)) { batch.bind(to: $0) } }
        }
    }
}

/// How the members of one object are read along with their rows.
struct MemberRead {
    let statement: SQLiteStatement
    let reader: RowReader

    /// The relationship, by an entity that has it.
    struct Key: Hashable {
        let entity: Int32
        let slot: Int
    }
}

extension SQLLink {
    fileprivate var isJoinTable: Bool { if case .joinTable = self { true } else { false } }
}
