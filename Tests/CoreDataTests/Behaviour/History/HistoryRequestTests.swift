import CoreData
import Foundation
import Testing

@Suite("Persistent history: requests")
struct HistoryRequestTests {
    private let stack: HistoryStack

    init() throws {
        stack = try HistoryStack()
        // Five transactions: two insertions each in 1 and 2, an update in 3, a deletion in 4, both in 5.
        for author in ["app", "widget"] {
            try stack.work(author: author, name: author + "Context") { context throws in
                for name in ["A", "B"] { _ = context.insert("Player", ["name": author + name]) }
                try context.save()
            }
        }
        try stack.work(author: "app") { context throws in
            let players = try context.all("Player", sortedBy: "name")
            players[0].setValue(30, forKey: "age")
            try context.save()
            context.delete(players[3])
            try context.save()
        }
        try stack.work { context throws in
            let players = try context.all("Player", sortedBy: "name")
            players[1].setValue(31, forKey: "age")
            context.delete(players[2])
            try context.save()
        }
    }

    private func numbers(_ request: NSPersistentHistoryChangeRequest) throws -> [Int64] {
        try stack.work { try $0.transactions(request) }.map(\.transactionNumber)
    }

    private func code(_ body: () throws -> Void) -> Int? {
        do {
            try body()
            return nil
        } catch { return (error as NSError).code }
    }

    // MARK: Where it begins

    @Test("history is fetched after a token, a transaction or a date, or as a whole")
    func places() throws {
        let all = try stack.transactions()
        #expect(all.map(\.transactionNumber) == [1, 2, 3, 4, 5])
        #expect(try numbers(.fetchHistory(after: all[1].token)) == [3, 4, 5])
        #expect(try numbers(.fetchHistory(after: all[3])) == [5])
        #expect(try numbers(.fetchHistory(after: all[2].timestamp)) == [4, 5])
        #expect(try numbers(.fetchHistory(after: nil as NSPersistentHistoryToken?)) == [1, 2, 3, 4, 5])
        #expect(try numbers(.fetchHistory(after: nil as NSPersistentHistoryTransaction?)) == [1, 2, 3, 4, 5])
        #expect(try numbers(.fetchHistory(after: Date.distantFuture)) == [])
        #expect(try numbers(NSPersistentHistoryChangeRequest()) == [1, 2, 3, 4, 5])
    }

    @Test("the current token is the one of the last transaction")
    func currentToken() throws {
        #expect(stack.token() == (try stack.transactions().last?.token))
        #expect(try stack.transactions(after: stack.token()).isEmpty)
    }

    @Test("a token survives its archive, and the end of the coordinator")
    func archive() throws {
        let token = try stack.transactions()[1].token
        let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
        let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data)
        #expect(back == token && back?.hash == token.hash)
        try stack.reopened { context throws in
            #expect(try context.transactions(.fetchHistory(after: back)).map(\.transactionNumber) == [3, 4, 5])
        }
    }

    @Test("a store that the token does not know gives its whole history")
    func unknownStore() throws {
        let other = try HistoryStack()
        _ = try other.work { context throws in
            _ = context.insert("Player")
            try context.save()
        }
        #expect(try numbers(.fetchHistory(after: other.token())) == [1, 2, 3, 4, 5])
    }

    // MARK: What comes back

    @Test("the result is what the result type says")
    func resultTypes() throws {
        try stack.work { context throws in
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
            #expect(request.resultType == .transactionsAndChanges)
            request.resultType = .statusOnly
            #expect(try context.result(request) as? Bool == true)
            request.resultType = .count
            #expect(try context.result(request) as? Int == 5)
            request.resultType = .transactionsOnly
            #expect(try context.transactions(request).allSatisfy { $0.changes == nil })
            let changes = try context.changes(request)
            #expect(changes.map(\.changeID) == [1, 2, 3, 4, 5, 6, 7, 8])
            #expect(changes.map { $0.transaction?.transactionNumber } == [1, 1, 2, 2, 3, 4, 5, 5])
            request.resultType = .objectIDs
            let ids = try context.result(request) as? [NSManagedObjectID]
            #expect(ids?.count == 4 && Set(ids ?? []) == Set(changes.map(\.changedObjectID)))
        }
    }

    @Test("a request and its results can be copied; equal transactions and changes are equal")
    func copies() throws {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: stack.token())
        request.resultType = .count
        request.fetchRequest = NSPersistentHistoryTransaction.fetchRequest
        let copy = try #require(request.copy() as? NSPersistentHistoryChangeRequest)
        #expect(copy.resultType == .count && copy.token == stack.token())
        #expect(copy.fetchRequest?.entityName == "TRANSACTION")
        let (first, second) = (try stack.transactions(), try stack.transactions())
        #expect(first == second && Set(first).union(second).count == 5)
        #expect(first[0].changes == second[0].changes)
        #expect(first[0].copy() as? NSPersistentHistoryTransaction == first[0])
    }

    // MARK: Fetch requests

    @Test(
        "transactions are found by a predicate",
        arguments: [
            ("author == 'app'", [1, 3, 4]), ("author != 'app'", [2, 5]), ("author == nil", [5]),
            ("transactionNumber BETWEEN {2, 3}", [2, 3]), ("contextName ENDSWITH 'Context'", [1, 2]),
            ("ANY changes.changeType == 2", [4, 5]), ("changes.@count == 2", [1, 2, 5]),
            ("SUBQUERY(changes, $c, $c.changeType == 1).@count > 0", [3, 5]), ("processID == 'nothing'", []),
        ] as [(String, [Int64])])
    func transactionPredicates(_ format: String, _ expected: [Int64]) throws {
        let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
        fetch.predicate = NSPredicate(format: format)
        let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
        request.resultType = .transactionsOnly
        #expect(try numbers(request) == expected)
    }

    @Test("a fetch request is ordered and cut, and begins after a token")
    func windows() throws {
        let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
        fetch.sortDescriptors = [NSSortDescriptor(key: "transactionNumber", ascending: false)]
        (fetch.fetchOffset, fetch.fetchLimit) = (1, 2)
        #expect(try numbers(.fetchHistory(withFetch: fetch)) == [4, 3])
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: try stack.transactions()[2].token)
        request.fetchRequest = fetch
        #expect(try numbers(request) == [4])
    }

    @Test("predicates compare times and tokens")
    func values() throws {
        let all = try stack.transactions()
        let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
        fetch.predicate = NSPredicate(format: "timestamp > %@", all[3].timestamp as NSDate)
        #expect(try numbers(.fetchHistory(withFetch: fetch)) == [5])
        fetch.predicate = NSPredicate(format: "token == %@", all[2].token)
        #expect(try numbers(.fetchHistory(withFetch: fetch)) == [3])
    }

    @Test("changes are found by object, entity, type and transaction")
    func changePredicates() throws {
        try stack.work { context throws in
            let all = try context.changes(.fetchHistory(after: Date.distantPast))
            let fetch = try #require(NSPersistentHistoryChange.fetchRequest)
            func ids(_ format: String, _ arguments: CVarArg...) throws -> [Int64] {
                fetch.predicate = withVaList(arguments) { NSPredicate(format: format, arguments: $0) }
                return try context.changes(.fetchHistory(withFetch: fetch)).map(\.changeID)
            }
            #expect(try ids("changedObjectID == %@", all[0].changedObjectID) == [1, 5])
            #expect(try ids("changedEntity == %@", all[0].changedObjectID.entity).count == 8)
            #expect(try ids("changeType == %d", NSPersistentHistoryChangeType.delete.rawValue).count == 2)
            #expect(try ids("transaction.author == 'widget'") == [3, 4])
            fetch.predicate = NSPredicate(format: "changeType == 1")
            let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
            let found = try context.transactions(request)
            #expect(found.map(\.transactionNumber) == [3, 5])
            #expect(found.flatMap { $0.changes ?? [] }.allSatisfy { $0.changeType == .update })
            request.resultType = .count
            #expect(try context.result(request) as? Int == 2)
        }
    }

    @Test("the entities of fetch requests are named as in the store, and given for a context, too")
    func entities() throws {
        let context = stack.context()
        #expect(NSPersistentHistoryTransaction.entityDescription?.name == "TRANSACTION")
        #expect(NSPersistentHistoryChange.entityDescription?.name == "CHANGE")
        let fetch = NSFetchRequest<any NSFetchRequestResult>()
        fetch.entity = NSPersistentHistoryTransaction.entityDescription(with: context)
        fetch.predicate = NSPredicate(format: "author = %@", "widget")
        #expect(try numbers(.fetchHistory(withFetch: fetch)) == [2])
        fetch.entity = NSPersistentHistoryChange.entityDescription(with: context)
        fetch.predicate = nil
        #expect(try numbers(.fetchHistory(withFetch: fetch)) == [1, 2, 3, 4, 5])
    }

    @Test(
        "a fetch request for other entities, or with a key that history does not have, throws",
        arguments: ["autor == 'app'", "ANY changes.color == 1", "author == $author", "transactionNumber > 'x'"])
    func badRequests(_ format: String) throws {
        let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
        fetch.predicate = NSPredicate(format: format)
        #expect(code { _ = try numbers(.fetchHistory(withFetch: fetch)) } != nil)
        let other = NSFetchRequest<NSManagedObject>(entityName: "Player")
        #expect(
            code { _ = try numbers(.fetchHistory(withFetch: other)) } == NSPersistentStoreOperationError)
    }

    // MARK: Purging

    @Test("a purge by token, transaction or date removes what is before it")
    func purges() throws {
        let all = try stack.transactions()
        try stack.work { context throws in
            let byToken = NSPersistentHistoryChangeRequest.deleteHistory(before: all[1].token)
            #expect(byToken.resultType == .statusOnly)
            #expect(try context.result(byToken) as? Bool == true)
            #expect(try numbers(.fetchHistory(after: Date.distantPast)) == [2, 3, 4, 5])
            let byTransaction = NSPersistentHistoryChangeRequest.deleteHistory(before: all[2])
            byTransaction.resultType = .count
            #expect(try context.result(byTransaction) as? Int == 1)
            let byDate = NSPersistentHistoryChangeRequest.deleteHistory(before: all[3].timestamp)
            byDate.resultType = .count
            #expect(try context.result(byDate) as? Int == 1)
            #expect(try numbers(.fetchHistory(after: all[3])) == [5])
            #expect(try context.changes(.fetchHistory(after: Date.distantPast)).map(\.changeID) == [6, 7, 8])
            _ = try context.result(.deleteHistory(before: Date.distantFuture))
            #expect(try numbers(.fetchHistory(after: all[4])) == [])
            _ = context.insert("Player")
            try context.save()
            #expect(try numbers(.fetchHistory(after: all[4])) == [6])
        }
    }

    @Test("a purge before nothing, or before a token of other stores, removes nothing")
    func emptyPurges() throws {
        try stack.work { context throws in
            _ = try context.result(.deleteHistory(before: nil as NSPersistentHistoryToken?))
            _ = try context.result(.deleteHistory(before: nil as NSPersistentHistoryTransaction?))
            _ = try context.result(.deleteHistory(before: Date.distantPast))
            let other = try HistoryStack()
            _ = try context.result(.deleteHistory(before: other.token()))
        }
        #expect(try stack.transactions().count == 5)
    }

    @Test(
        "a purge with a result type that it does not have throws, and purges nothing",
        arguments: [
            NSPersistentHistoryResultType.objectIDs, .transactionsOnly, .changesOnly, .transactionsAndChanges,
        ])
    func purgeResults(_ type: NSPersistentHistoryResultType) throws {
        try stack.work { context throws in
            let request = NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture)
            request.resultType = type
            #expect(code { _ = try context.result(request) } == NSPersistentStoreOperationError)
        }
        #expect(try stack.transactions().count == 5)
    }

    @Test("a token from before a purge has expired, and its reader gets 134301 instead of a gap")
    func expired() throws {
        let all = try stack.transactions()
        try stack.work { context throws in
            _ = try context.result(.deleteHistory(before: all[2].token))
            #expect(try numbers(.fetchHistory(after: all[1].token)) == [3, 4, 5])
            #expect(
                code { _ = try numbers(.fetchHistory(after: all[0].token)) } == NSPersistentHistoryTokenExpiredError)
            _ = try context.result(.deleteHistory(before: Date.distantFuture))
            #expect(
                code { _ = try numbers(.fetchHistory(after: all[3].token)) } == NSPersistentHistoryTokenExpiredError)
            #expect(try numbers(.fetchHistory(after: stack.token())) == [])
        }
    }

    @Test("a token that a store has not come to, as after a backup came back, has expired, too")
    func olderCopy() throws {
        let copy = stack.folder.appendingPathComponent("Copy.sqlite")
        try stack.coordinator.replacePersistentStore(
            at: copy, destinationOptions: nil, withPersistentStoreFrom: stack.url(), sourceOptions: nil,
            ofType: NSSQLiteStoreType)
        _ = try stack.work { context throws in
            _ = context.insert("Player")
            try context.save()
        }
        let token = stack.token()
        let other = NSPersistentStoreCoordinator(managedObjectModel: stack.coordinator.managedObjectModel)
        let store = try other.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: copy, options: HistoryStack.options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = other
        context.performAndWait {
            #expect(
                code { _ = try context.transactions(.fetchHistory(after: token)) }
                    == NSPersistentHistoryTokenExpiredError)
        }
        try other.remove(store)
    }

    // MARK: Merging

    @Test("a context merges a transaction by its notification")
    func merging() throws {
        let token = stack.token()
        let context = stack.context()
        let players = try context.performAndWait {
            let players = try context.all("Player", sortedBy: "name")
            #expect(players.map { $0.value(forKey: "name") as? String } == ["appA", "appB"])
            return players
        }
        try stack.reopened { other throws in
            let players = try other.all("Player", sortedBy: "name")
            players[0].setValue("Wade", forKey: "name")
            other.delete(players[1])
            _ = other.insert("Player", ["name": "Bosh"])
            try other.save()
        }
        try context.performAndWait {
            let found = try context.transactions(.fetchHistory(after: token))
            #expect(found.count == 1)
            for transaction in found { context.mergeChanges(fromContextDidSave: transaction.objectIDNotification()) }
            #expect(players[0].value(forKey: "name") as? String == "Wade")
            #expect(players[1].isDeleted || players[1].managedObjectContext == nil)
            #expect(try context.all("Player", sortedBy: "name").count == 2)
        }
    }

    @Test("several stores: a request asks all of them or those that are affected, and one token knows all")
    func severalStores() throws {
        let stack = try HistoryStack(stores: ["One", "Two"])
        let stores = stack.coordinator.persistentStores
        for store in [stores[0], stores[1], stores[1]] {
            try stack.work { context throws in
                context.assign(context.insert("Player"), to: store)
                try context.save()
            }
        }
        let token = try #require(stack.token())
        let found = try stack.transactions()
        #expect(found.map(\.storeID) == [stores[0], stores[1], stores[1]].map { $0.identifier ?? "" })
        #expect(found.map(\.transactionNumber) == [1, 1, 2])
        #expect(try stack.transactions(after: token).isEmpty)
        try stack.work { context throws in
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
            request.affectedStores = [stores[1]]
            #expect(try context.transactions(request).count == 2)
            _ = try context.result(.deleteHistory(before: found[2]))
            let rest = try context.transactions(.fetchHistory(after: Date.distantPast))
            #expect(rest.map(\.transactionNumber) == [1, 2])
        }
        #expect(stack.coordinator.currentPersistentHistoryToken(fromStores: [stores[0]]) == found[0].token)
    }
}
