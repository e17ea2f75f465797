/// In the user info of an entity, or of a many-to-many: the name of its table.
///
/// ```swift
/// player.userInfo = [NSPostgreSQLTableUserInfoKey: "players"]  // or in Xcode's inspector
/// player.attributesByName["lastName"]?.userInfo = [NSPostgreSQLColumnUserInfoKey: "last_name"]
/// ```
///
/// Without it the table has the name of the entity, or of the entity and the relationship. Subentities share the table
/// of their root: the root says its name. User info is no part of a version hash. A store keeps the names that it was
/// made with: a model that asks for others does not open it (134020).
///
/// With ``NSPostgreSQLKeyUserInfoKey`` it is the name of a table that another program has made. Then it may have the
/// table's schema before a dot.
public let NSPostgreSQLTableUserInfoKey = "postgreSQLTable"

/// In the user info of an attribute, a to-one or a many-to-many: the name of its column.
///
/// Without it the column has the name of the property. The column of a many-to-many is that of the targets' keys in the
/// relationship's table.
public let NSPostgreSQLColumnUserInfoKey = "postgreSQLColumn"

/// In the user info of an entity: the column with the primary key of a table that another program has made.
///
/// The column holds integers, UUIDs or texts, each once. Rows with other keys than integers get a number for their
/// object IDs, in a table beside the view.
///
/// The key says that the table is there already. Either all entities of a store have it, or none.
public let NSPostgreSQLKeyUserInfoKey = "postgreSQLKey"

/// In the user info of an entity with ``NSPostgreSQLKeyUserInfoKey``: the column with the versions of the rows.
///
/// It holds integers. Each program that changes a row adds 1 to it: so a context sees what others have changed. The
/// rows of a table without such a column can be read, and not be written.
public let NSPostgreSQLVersionUserInfoKey = "postgreSQLVersion"

/// In the user info of an entity without a parent: the attribute that its rows are spread by over several nodes.
///
/// ```swift
/// team.userInfo = [NSPostgreSQLDistributionUserInfoKey: "tenant"]
/// player.userInfo = [NSPostgreSQLDistributionUserInfoKey: "tenant"]
/// ```
///
/// The attribute's column becomes a part of the primary key, of the foreign keys and of each join. It is a string, an
/// integer or a UUID, is not optional, and is set once. Related objects have the same value: a save that breaks this
/// throws 133000. Each uniqueness constraint of the entity has the attribute in it.
///
/// A store keeps the attribute that it was made with: a model that asks for another one does not open it (134020).
public let NSPostgreSQLDistributionUserInfoKey = "postgreSQLDistribution"
