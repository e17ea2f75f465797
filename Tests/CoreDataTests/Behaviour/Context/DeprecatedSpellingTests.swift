import CoreData
import Testing

@Suite("Spellings that public code still uses")
struct DeprecatedSpellingTests {
    @available(*, deprecated)
    @Test("a context without a queue fetches and saves on the thread that made it")
    func confinement() throws {
        let stack = try Stack(LeagueModel.make())
        let context = NSManagedObjectContext()
        context.persistentStoreCoordinator = stack.coordinator
        #expect(context.concurrencyType == .confinementConcurrencyType)
        _ = context.insert("Team", ["name": "Celtics"])
        try context.save()
        #expect(try context.all("Team").count == 1)
    }

    @available(*, deprecated)
    @Test("the locks of contexts and coordinators exclude other threads, and may be nested")
    func locks() throws {
        let stack = try Stack(LeagueModel.make())
        let context = stack.context()
        for (lock, unlock, tryLock) in [
            (context.lock, context.unlock, context.tryLock),
            (stack.coordinator.lock, stack.coordinator.unlock, stack.coordinator.tryLock),
        ] {
            lock()
            #expect(tryLock())
            unlock()
            #expect(!onAnotherThread(tryLock))
            unlock()
            #expect(
                onAnotherThread {
                    tryLock()
                        && {
                            unlock(); return true
                        }()
                })
        }
    }

    @available(*, deprecated)
    @Test("error codes have the names that Swift 3 gave them")
    func errorCodes() {
        #expect(CocoaError.managedObjectMergeError == .managedObjectMerge)
        #expect(CocoaError.Code.validationMissingMandatoryPropertyError.rawValue == 1570)
        #expect(CocoaError.Code.migrationCancelled.rawValue == NSMigrationCancelledError)
    }

    @Test("rows and items of sections are the indexes of a path, to be read and set")
    func indexPaths() {
        var path = IndexPath(row: 3, section: 1)
        #expect(path == [1, 3] && path.item == 3)
        path.section = 0
        path.row += 1
        #expect(path == IndexPath(item: 4, section: 0))
        let object = NSIndexPath(row: 2, section: 5)
        #expect(object.section == 5 && object.row == 2 && object.item == 2)
        #expect(object as IndexPath == [5, 2])
    }

    @Test("a fetch request inside an expression finds objects, or counts them")
    func fetchRequestExpressions() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context in
            for name in ["Celtics", "Bulls"] { _ = context.insert("Team", ["name": name]) }
            try context.save()
            let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Team")
            request.predicate = NSPredicate(format: "name == 'Bulls'")
            let (requested, here) = (
                NSExpression(forConstantValue: request), NSExpression(forConstantValue: context)
            )
            let fetch = NSFetchRequestExpression.expression(forFetch: requested, context: here, countOnly: false)
            let found = fetch.expressionValue(with: nil, context: nil) as? [NSManagedObject]
            #expect(found?.map { $0.string("name") } == ["Bulls"])
            let count = NSFetchRequestExpression.expression(forFetch: requested, context: here, countOnly: true)
            #expect(count.expressionValue(with: nil, context: nil) as? Int == 1)
            #expect(count.expressionType == NSFetchRequestExpressionType)
            let comparison =
                NSPredicate(format: "age == FETCH(%@, %@, YES)", request, context) as? NSComparisonPredicate
            let parsed = comparison?.rightExpression as? NSFetchRequestExpression
            #expect(parsed?.isCountOnlyRequest == true)
            #expect(parsed?.requestExpression == requested && parsed?.contextExpression == here)
        }
    }

    @Test("reset tells which objects a context forgot")
    func resetNotification() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context in
            let team = context.insert("Team", ["name": "Celtics"])
            try context.save()
            let id = team.objectID
            nonisolated(unsafe) var ids: [NSManagedObjectID]?
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
            ) { ids = $0.userInfo?[NSInvalidatedAllObjectsKey] as? [NSManagedObjectID] }
            context.reset()
            NotificationCenter.default.removeObserver(token)
            #expect(ids == [id])
        }
    }

    private func onAnotherThread(_ body: @escaping () -> Bool) -> Bool {
        // Unsafe in name only: this thread waits for the other one.
        nonisolated(unsafe) let body = body
        nonisolated(unsafe) var result = false
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            result = body()
            done.signal()
        }
        done.wait()
        return result
    }
}
