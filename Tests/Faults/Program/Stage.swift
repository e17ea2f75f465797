import CoreData
import FileFaults
import Foundation

/// A folder in which a scenario takes place, and what is open in it.
final class Stage {
    let folder: URL
    private var coordinators: [NSPersistentStoreCoordinator] = []
    /// The contexts whose objects are to be those of the stores' new state, saved or not.
    private(set) var contexts: [NSManagedObjectContext] = []
    /// How many steps were completed.
    private(set) var completedSteps = 0
    /// Called after each step.
    var didStep: (() throws -> Void)?

    init(_ folder: URL) { self.folder = folder }

    /// Options with which a lock that is never released is a failure and not a long wait.
    static var impatient: [AnyHashable: Any] { [NSPersistentStoreTimeoutOption: 1.0] }

    func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// A coordinator with the scenario's store, or with others.
    func coordinator(
        _ model: NSManagedObjectModel = Library.model, stores: [String] = [Library.storeName],
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        coordinators.append(coordinator)
        let options = Self.impatient.merging(options ?? [:]) { $1 }
        for store in stores {
            try coordinator.addPersistentStore(type: Self.type(of: store), at: url(store), options: options)
        }
        return coordinator
    }

    /// The type of a store, by its file's name.
    static func type(of name: String) -> NSPersistentStore.StoreType {
        switch (name as NSString).pathExtension {
        case "xml": .xml
        case "bin": .binary
        default: .sqlite
        }
    }

    /// A context whose objects, saved or not, are to be those of the new state.
    func context(_ coordinator: NSPersistentStoreCoordinator? = nil) throws -> NSManagedObjectContext {
        let context = try Self.context(on: coordinator ?? self.coordinator())
        contexts.append(context)
        return context
    }

    /// A context that the sweep does not look at.
    static func context(on coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// An operation of several steps, each of which ends in a state that a crash may leave.
    ///
    /// When it is called again, it goes on with the step that failed.
    func steps(_ steps: [() throws -> Void]) -> () throws -> Void {
        var left = steps[...]
        return {
            while let step = left.first {
                try step()
                left.removeFirst()
                try self.endStep()
            }
        }
    }

    /// Ends a step of an operation that can't be written as a list of them. One that is done again counts once.
    func endStep(_ number: Int) throws {
        if number > completedSteps { try endStep() }
    }

    /// Runs a part of an operation on which no faults fall.
    func withoutFaults(_ body: () throws -> Void) rethrows {
        filefaults_pause(true)
        defer { filefaults_pause(false) }
        try body()
    }

    private func endStep() throws {
        completedSteps += 1
        filefaults_mark()
        try withoutFaults { try didStep?() }
    }

    /// Removes all stores from their coordinators.
    func close() throws {
        contexts.removeAll()
        for coordinator in coordinators {
            for store in coordinator.persistentStores { try coordinator.remove(store) }
        }
        coordinators.removeAll()
    }
}
