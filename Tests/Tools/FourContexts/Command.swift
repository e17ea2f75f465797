/// What a context is told to do, here or in the other process. Objects are named by numbers that the oracle gives.
struct Command: Codable {
    enum Verb: String, Codable {
        case insert, set, setToOne, add, remove, setMembers, delete
        case undo, redo, save, rollBack, reset, refresh, refreshAll, rely
        case fetch, read, takeOver, takeOverRemotely, look, forget
    }

    var verb: Verb
    var id = 0
    var entity = ""
    var key = ""
    var value: String?
    /// The object at the other end, or the least number of a fetch.
    var other: Int?
    /// The new members of a relationship, the places of the saves that are to be taken over, or the objects to forget.
    var ids: [Int] = []
    var flag = false
    /// A merge policy, by its raw value.
    var policy: UInt = 0
    /// What others saved, by number: for ``Verb/takeOverRemotely``.
    var inserted: [Int] = []
    var updated: [Int] = []
    var deleted: [Int] = []
    /// Saved objects that the other process has not heard of.
    var names: [Name] = []
    /// Whether what was done before can't be undone any longer.
    var forgetsUndo = false
}

/// The number that the oracle knows an object by, and the object's URI.
struct Name: Codable {
    let id: Int
    let uri: String
}

/// What a context looks like, as far as looking changes nothing.
struct Observation: Codable {
    struct Object: Codable {
        var entity: String
        var isFault: Bool
        /// How often the row was saved that it has, or has at hand.
        var version: Int?
        /// None of a fault or a deleted object.
        var attributes: [String: String] = [:]
        var toOne: [String: Int] = [:]
        /// The members of relationships that are loaded.
        var toMany: [String: [Int]] = [:]
    }

    var objects: [Int: Object] = [:]
    var inserted: [Int] = []
    var updated: [Int] = []
    var deleted: [Int] = []
    var hasChanges = false
    /// What a fetch found.
    var fetched: [Int]?
    /// The code of the error that was thrown.
    var error: Int?
    /// The objects that an error's conflicts are about.
    var conflicts: [Int] = []
    /// What the notification of a save said.
    var saved: Saved?
    /// The URIs that inserted objects were saved under.
    var names: [Name] = []
    var undoCount = 0
    var redoCount = 0
    /// What contradicts itself.
    var contradictions: [String] = []
}

/// What a save wrote.
struct Saved: Codable, Equatable {
    var inserted: [Int] = []
    var updated: [Int] = []
    var deleted: [Int] = []
}
