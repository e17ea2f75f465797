/// The statements that write the rows of one table.
package struct SQLRowStatements {
    let table: String

    package init(table: String) { self.table = table }

    /// Inserts a row. Parameters: the key, the entity's number, the version, then the columns' values.
    package func insertion(_ columns: [String]) -> SQLStatement {
        let all = ["Z_PK", "Z_ENT", "Z_OPT"] + columns
        return .insert(
            SQLInsert(table: table, columns: all, values: all.indices.map { .parameter($0 + 1) }))
    }

    /// Updates a row that still has its version. Parameters: the new version, the values of the columns, the key, the
    /// old version.
    package func update(_ columns: [SQLColumn]) -> SQLStatement {
        var settings = [SQLSetting(column: "Z_OPT", value: .parameter(1))]
        for column in columns { settings += column.settings(from: settings.count + 1) }
        let next = settings.count + 1
        return .update(
            SQLUpdate(
                table: table, settings: settings,
                conditions: [.hasKey(parameter: next), .equal(.own("Z_OPT"), .parameter(next + 1))]))
    }

    /// Deletes a row. Parameters: the key and, where the version counts, the version.
    package func deletion(checksVersion: Bool) -> SQLStatement {
        let version = checksVersion ? [SQLExpression.equal(.own("Z_OPT"), .parameter(2))] : []
        return .delete(SQLDelete(table: table, conditions: [.hasKey(parameter: 1)] + version))
    }

    /// Another row with the same values. Parameters: the key of the row, then the values of the columns that are given.
    ///
    /// - Parameter columns: The columns; those that are not given have the value that the row itself has in the table.
    package func twin(_ columns: [(name: String, isGiven: Bool)]) -> SQLStatement {
        var select = SQLSelect(from: .table(table, .only))
        select.columns = [.own("Z_PK"), .own("Z_ENT")]
        select.conditions = [.compare(.notEqual, .own("Z_PK"), .parameter(1))]
        var parameter = 1
        for column in columns {
            let value: SQLExpression
            if column.isGiven {
                parameter += 1
                value = .parameter(parameter)
            } else {
                var own = SQLSelect(from: .table(table, .only))
                own.columns = [.own(column.name)]
                own.conditions = [.hasKey(parameter: 1)]
                value = .scalar(own)
            }
            select.conditions.append(.equal(.own(column.name), value))
        }
        return .select(select)
    }

    /// The rows behind a key, which is the parameter, in the order of their keys.
    package func selectionBehind(_ columns: [String]) -> SQLStatement {
        var select = SQLSelect(from: .table(table, .only))
        select.columns = columns.map { .own($0) }
        select.conditions = [.compare(.greater, .own("Z_PK"), .parameter(1))]
        select.order = [SQLOrder(.own("Z_PK"), ascending: true)]
        return .select(select)
    }

    /// The row with a key, which is the parameter.
    package func selection(_ columns: [String]) -> SQLStatement {
        var select = SQLSelect(from: .table(table, .only))
        select.columns = columns.map { .own($0) }
        select.conditions = [.hasKey(parameter: 1)]
        return .select(select)
    }
}

extension SQLColumn {
    /// The columns that a row of a new object fills.
    package var columns: [String] { [name] + [entityColumn, stampColumn].compactMap { $0 } }

    /// What an UPDATE sets, a parameter each. A row that gets another owner has no place among the new owner's members
    /// yet.
    ///
    /// - Parameter parameter: The number of the first parameter.
    fileprivate func settings(from parameter: Int) -> [SQLSetting] {
        var settings = columns.enumerated().map { SQLSetting(column: $1, value: .parameter(parameter + $0)) }
        if let orderColumn {
            let isKept = SQLBranch(
                condition: .isSame(.own(name), .parameter(parameter + settings.count)), result: .own(orderColumn))
            settings.append(SQLSetting(column: orderColumn, value: .choice([isKept], otherwise: .null)))
        }
        return settings
    }
}
