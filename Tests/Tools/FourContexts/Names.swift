import CoreData
import Foundation
import Synchronization

/// Which object has which number, for all contexts of a process.
///
/// An object keeps its number when its temporary ID becomes a permanent one: both lead to it.
final class Names: Sendable {
    private struct Lists {
        var numbers: [URL: Int] = [:]
        var known: [ObjectIdentifier: (id: NSManagedObjectID, number: Int)] = [:]
        var uris: [Int: String] = [:]
    }

    // Unchecked: IDs are immutable.
    private struct Box: @unchecked Sendable { var lists = Lists() }

    private let box = Mutex(Box())

    func enter(_ id: NSManagedObjectID, _ number: Int) {
        let uri = id.uriRepresentation()
        box.withLock {
            $0.lists.numbers[uri] = number
            if !id.isTemporaryID { $0.lists.uris[number] = uri.absoluteString }
        }
    }

    func enter(_ name: Name) {
        guard let url = URL(string: name.uri) else { return }
        box.withLock {
            $0.lists.numbers[url] = name.id
            $0.lists.uris[name.id] = name.uri
        }
    }

    func number(of id: NSManagedObjectID) -> Int? {
        box.withLock { box in
            // An ID that is asked for again is the same object as long as this list holds it.
            if let known = box.lists.known[ObjectIdentifier(id)] { return known.number }
            guard let number = box.lists.numbers[id.uriRepresentation()] else { return nil }
            box.lists.known[ObjectIdentifier(id)] = (id, number)
            return number
        }
    }

    /// The permanent URI of an object.
    func uri(of number: Int) -> String? { box.withLock { $0.lists.uris[number] } }
}
