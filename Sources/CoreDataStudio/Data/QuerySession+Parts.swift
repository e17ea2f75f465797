import CoreData
import StoreBrowsing

extension QuerySession {
    /// Those of some objects that are there, with some of their properties. The others, which may be large, are not
    /// read.
    ///
    /// - Parameter properties: What is read at once. To-many relationships are left out.
    func objects(
        _ ids: [NSManagedObjectID], of entity: NSEntityDescription, with properties: [ShownProperty]
    ) throws -> [NSManagedObjectID: NSManagedObject] {
        let keys = properties.filter { $0.kind != .toMany }.compactMap(\.keys.first)
        return try objects(ids, of: entity, keys: keys)
    }

    /// - Parameter keys: The names of stored attributes and to-one relationships.
    private func objects(
        _ ids: [NSManagedObjectID], of entity: NSEntityDescription, keys: [String]
    ) throws -> [NSManagedObjectID: NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        request.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [ids])
        request.includesPropertyValues = !keys.isEmpty
        request.propertiesToFetch = Set(keys).sorted()
        let found = try context.fetch(request)
        return Dictionary(found.map { ($0.objectID, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The objects that to-one relationships lead to, with what makes their titles. They have it as long as the array
    /// lives.
    func destinations(
        of objects: some Sequence<NSManagedObject>, _ columns: [ShownProperty], _ titles: ObjectTitles
    ) throws -> [NSManagedObject] {
        let names = columns.filter { $0.kind == .toOne }.map(\.path)
        guard !names.isEmpty else { return [] }
        let all = Set(objects.flatMap { object in names.compactMap { object.value(forKey: $0) as? NSManagedObject } })
        return try Dictionary(grouping: all, by: \.entity).flatMap { entity, group -> [NSManagedObject] in
            let keys = titles.keys(of: entity).filter { entity.attributesByName[$0]?.isTransient == false }
            return Array(try self.objects(group.map(\.objectID), of: entity, keys: keys).values)
        }
    }
}
