import CoreData

/// The type of a store in a PostgreSQL database.
///
/// ```swift
/// import CoreData
/// import CoreDataPostgreSQL
///
/// let container = NSPersistentContainer(name: "League")
/// let description = NSPersistentStoreDescription(url: URL(string: "postgresql://league@db.example.com/league")!)
/// description.type = NSPostgreSQLStoreType
/// container.persistentStoreDescriptions = [description]
/// ```
///
/// The URL is what PostgreSQL's own programs take: all of libpq's parameters may stand in it, as `sslmode=verify-full`.
/// One parameter is the framework's: `schema` names the schema of the database that has the store's tables. Without it
/// they are in `public`. A database may have one store in each of its schemas.
///
/// The first use of the constant makes the framework know the type. Do not write the text `"PostgreSQL"` instead.
public let NSPostgreSQLStoreType: String = {
    StoreKinds.register(PostgreSQLStoreKind(), type: "PostgreSQL")
    return "PostgreSQL"
}()

extension NSPersistentStore.StoreType {
    /// A store in a PostgreSQL database: ``NSPostgreSQLStoreType``.
    public static var postgreSQL: NSPersistentStore.StoreType { .init(rawValue: NSPostgreSQLStoreType) }
}
