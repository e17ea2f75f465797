import Foundation
import ModelFormat

extension ModelReader {
    func template(_ name: String, _ value: ArchivedValue) throws -> Model.FetchRequest {
        guard let object = value.object, object.className == "NSFetchRequest" else {
            throw corruptArchive("The compiled model is damaged: the template “\(name)” is no fetch request.")
        }
        return try fetchRequest(object, named: name)
    }

    /// Reads a fetch request; zero stands for no limit, offset and batch size, and for results that are objects.
    func fetchRequest(_ object: ArchivedObject, named name: String) throws -> Model.FetchRequest {
        var request = Model.FetchRequest(name: name)
        request.entityName = try object.object("NSEntity").map(entityName)
        request.predicateFormat = try object.object("NSPredicate").map(predicates.predicateFormat)
        request.fetchLimit = try positive(object, "NSFetchLimit")
        request.fetchOffset = try positive(object, "NSFetchOffset")
        request.fetchBatchSize = try positive(object, "NSBatchSize")
        request.resultType = try positive(object, "NSResultType")
        request.sortKeys = try object.elements("NSSortDescriptors").map(sortKey)
        request.propertiesToFetch = try names(object, "NSValuesToFetch")
        request.relationshipKeyPathsForPrefetching = try names(object, "NSRelationshipKeyPathsForPrefetching")
        if try object.flag("NSHasFetchRequestFlags") {
            FetchRequestFlags(rawValue: try object.integer("NSFetchRequestFlags") ?? 0).apply(to: &request)
        }
        return request
    }

    private func positive(_ object: ArchivedObject, _ key: String) throws -> Int? {
        let number = try object.integer(key) ?? 0
        guard number >= 0 else { throw object.unexpected(key, "count") }
        return number == 0 ? nil : number
    }

    private func names(_ object: ArchivedObject, _ key: String) throws -> [String] {
        try object.elements(key).map { element in
            if let name = try element.string ?? element.object?.string("NSPropertyName") { return name }
            throw object.unexpected(key, "list of names")
        }
    }

    private func sortKey(_ value: ArchivedValue) throws -> Model.SortKey {
        guard let object = value.object, object.className == "NSSortDescriptor" else {
            throw corruptArchive("The compiled model is damaged: a fetch request sorts by what is no sort descriptor.")
        }
        let selector = try object.string("NSSelector")
        return Model.SortKey(
            key: try object.requiredString("NSKey"), isAscending: try object.flag("NSAscending"),
            selectorName: selector == "compare:" ? nil : selector)
    }
}

/// The truth values of an archived fetch request, a bit each.
struct FetchRequestFlags: OptionSet {
    static let returnsDistinctResults = FetchRequestFlags(rawValue: 1)
    static let includesSubentities = FetchRequestFlags(rawValue: 2)
    static let includesPropertyValues = FetchRequestFlags(rawValue: 4)
    static let returnsObjectsAsFaults = FetchRequestFlags(rawValue: 8)
    static let includesPendingChanges = FetchRequestFlags(rawValue: 16)

    let rawValue: Int

    init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The flags of a request; what it leaves open is as Xcode compiles it: pending changes are never part of
    /// dictionaries, property values never of object IDs.
    init(_ request: Model.FetchRequest) {
        let pairs: [(FetchRequestFlags, Bool)] = [
            (.returnsDistinctResults, request.returnsDistinctResults ?? false),
            (.includesSubentities, request.includesSubentities ?? true),
            (.includesPropertyValues, request.includesPropertyValues ?? (request.resultType != 1)),
            (.returnsObjectsAsFaults, request.returnsObjectsAsFaults ?? true),
            (.includesPendingChanges, request.includesPendingChanges ?? (request.resultType != 2)),
        ]
        self = FetchRequestFlags(pairs.filter(\.1).map(\.0))
    }

    func apply(to request: inout Model.FetchRequest) {
        request.returnsDistinctResults = contains(.returnsDistinctResults)
        request.includesSubentities = contains(.includesSubentities)
        request.includesPropertyValues = contains(.includesPropertyValues)
        request.returnsObjectsAsFaults = contains(.returnsObjectsAsFaults)
        request.includesPendingChanges = contains(.includesPendingChanges)
    }
}
