import CoreData
import Foundation

/// Something that is done to stores, on every file-system call of which each kind of fault falls in turn.
struct Scenario: Sendable {
    let name: String
    /// The stores, by their files' names. Those that are not there count as such.
    var stores = [Library.storeName]
    /// Models that can open the stores: that of the new state, and that of the old one if it has another.
    var models: @Sendable () -> [NSManagedObjectModel] = { [Library.model] }
    /// Whether what was reported as done survives a power loss.
    var isDurable = false
    /// Whether a power loss takes nothing of a store that was closed.
    var isDurableWhenClosed = true
    /// Whether the operation may report an error and have the new state, because something is left to be done again.
    var mayFailLate = false
    /// Whether a success may leave files of external data that no value names any more.
    var mayLeaveOrphans = false
    /// Whether the stores commit one after the other: a crash in between, or an error that says so (134040), leaves
    /// some of them with the new state.
    var commitsInTurn = false
    /// Of so many calls one gets a fault, where each would take too long.
    var stride = 1
    /// Whether another process may have the stores open meanwhile.
    var allowsBystander = false
    /// Makes the folder's old state. The stage is closed afterwards.
    var prepare: @Sendable (Stage) throws -> Void = { try Library.fill($0) }
    /// Readies everything, without faults, and returns what the faults fall on.
    ///
    /// What it returns is called again if it throws, then without faults. It must be able to go on: see
    /// ``Stage/steps(_:)``.
    let operation: @Sendable (Stage) throws -> () throws -> Void

    init(_ name: String, operation: @escaping @Sendable (Stage) throws -> () throws -> Void) {
        self.name = name
        self.operation = operation
    }

    /// The scenario with other properties.
    func with(_ change: (inout Scenario) -> Void) -> Scenario {
        var scenario = self
        change(&scenario)
        return scenario
    }
}
