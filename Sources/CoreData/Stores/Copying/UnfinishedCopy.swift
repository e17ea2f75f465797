import Foundation

/// Option: the store is the destination of a copy, which may take several runs (`String`, the UUID of the source).
///
/// Where there is nothing, a store is made whose metadata say that it is unfinished (``UnfinishedCopy``). It has no
/// indexes, and nothing that changes values by itself. A store that is there is opened only if it is an unfinished copy
/// of the same source.
package let StoreCopyOption = "CoreDataStoreCopyOption"

/// How far a copy has come, as the metadata of its destination say.
///
/// The metadata are written in the transaction of the rows: a process that is killed leaves a store that says how far
/// it is.
package struct UnfinishedCopy {
    /// Under this key the metadata of an unfinished store have a dictionary.
    package static let key = "CoreDataUnfinishedCopy"

    /// What a copy does, in this order.
    enum Step: Int {
        /// Rows with their values and to-ones.
        case rows
        case indexes
        /// Members that no row says.
        case members
        case constraints
        /// Everything is there. What is left is the comparison, and the source's metadata.
        case comparison
    }

    /// The UUID of the source.
    let source: String
    var step = Step.rows
    /// The root of the entity tree that the step is at; nil at the beginning of a step.
    var root: String?
    /// The last key of that tree that the step is done with.
    var lastKey = Int64.min
    /// The digests of the rows, and of the members, that were read of the source.
    var digests: [Data] = []

    init(source: String) { self.source = source }

    /// Nil for a store that is no unfinished copy.
    init?(_ metadata: [String: Any]) {
        guard let values = metadata[Self.key] as? [String: Any] else { return nil }
        source = values["source"] as? String ?? ""
        step = (values["step"] as? NSNumber).flatMap { Step(rawValue: $0.intValue) } ?? .rows
        root = values["root"] as? String
        lastKey = (values["lastKey"] as? NSNumber)?.int64Value ?? .min
        digests = values["digests"] as? [Data] ?? []
    }

    /// What stands in the metadata.
    var values: [String: Any] {
        var values: [String: Any] = [
            "source": source, "step": NSNumber(value: step.rawValue), "lastKey": NSNumber(value: lastKey),
            "digests": digests,
        ]
        values["root"] = root
        return values
    }

    /// The entry of a store that a copy of this source begins with.
    package static func beginning(of source: String) -> [String: Any] { [key: UnfinishedCopy(source: source).values] }

    // MARK: Opening

    /// The UUID of the source in the options of a store that is the destination of a copy.
    package static func source(in options: [AnyHashable: Any]?) -> String? { options?[StoreCopyOption] as? String }

    /// Refuses a store that is unfinished, and as the destination of a copy any other.
    ///
    /// - Parameter place: The store in messages.
    /// - Throws: 134080 for an unfinished store; 516 for a destination that is finished, or has another source.
    package static func check(_ metadata: [String: Any], _ place: String, _ options: [AnyHashable: Any]?) throws {
        let found = UnfinishedCopy(metadata)
        guard let source = source(in: options) else {
            if found != nil { throw unfinished(place) }
            return
        }
        guard let found else {
            throw taken("There is a store in \(place) already; destroy it, or choose another place.")
        }
        guard found.source == source else {
            throw taken(
                "In \(place) there is an unfinished copy of another store, with the UUID \(found.source).",
                "Finish that copy first, or destroy the store there.")
        }
    }

    private static func unfinished(_ place: String) -> NSError {
        .cocoa(
            NSPersistentStoreOpenError, "The store in \(place) is an unfinished copy of another one.",
            reason: """
                What filled it was broken off. The same coredata copy finishes a copy. A migration begins again when \
                the store is destroyed.
                """)
    }

    private static func taken(_ sentence: String, _ reason: String? = nil) -> NSError {
        .cocoa(CocoaError.Code.fileWriteFileExists.rawValue, sentence, reason: reason)
    }
}
