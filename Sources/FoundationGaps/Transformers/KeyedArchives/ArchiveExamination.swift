import Foundation

/// A look at the structure of a keyed archive before it is decoded, for what Foundation's unarchiver on Linux does not
/// survive: references to nowhere, classes without a name, objects that contain themselves or nest without end.
struct ArchiveExamination {
    /// Objects within objects. The decoder recurses, and a thread's stack is finite.
    private static let deepestNesting = 100

    private let objects: [Any]
    private let top: [String: Any]

    init(_ data: Data) throws {
        guard data.starts(with: Array("bplist00".utf8)) else {
            throw SecureArchive.corrupt("The data is no keyed archive.")
        }
        let list = try Self.propertyList(data)
        guard let archive = list as? [String: Any], archive["$archiver"] as? String == "NSKeyedArchiver",
            let objects = archive["$objects"] as? [Any], let top = archive["$top"] as? [String: Any]
        else {
            throw SecureArchive.corrupt("The data is a property list, but no keyed archive.")
        }
        self.objects = objects
        self.top = top
    }

    /// Examines the archive and gives the names of all classes in it.
    ///
    /// - Throws: `CocoaError.coderReadCorrupt` with what is wrong.
    func classNames() throws -> Set<String> {
        var visit = Visit(count: objects.count)
        try examine(top, &visit, depth: 0)
        return visit.classNames
    }

    private static func propertyList(_ data: Data) throws -> Any {
        do {
            return try PropertyListSerialization.propertyList(from: data, options: [], format: nil)
        } catch {
            throw SecureArchive.corrupt("The archive is damaged: \(error.localizedDescription)")
        }
    }

    /// Which objects have been examined, and which are being.
    private struct Visit {
        enum State { case unseen, open, done }
        var states: [State]
        var classNames: Set<String> = []
        init(count: Int) { states = Array(repeating: .unseen, count: count) }
    }

    private func examine(_ value: Any, _ visit: inout Visit, depth: Int) throws {
        guard depth <= Self.deepestNesting else {
            throw SecureArchive.corrupt("The archive nests objects more than \(Self.deepestNesting) deep.")
        }
        switch value {
        case let object as [String: Any]:
            for value in object.values { try examine(value, &visit, depth: depth + 1) }
        case let array as [Any]:
            for value in array { try examine(value, &visit, depth: depth + 1) }
        default:
            if let index = try Self.reference(value) { try examineObject(at: index, &visit, depth: depth + 1) }
        }
    }

    private func examineObject(at index: Int, _ visit: inout Visit, depth: Int) throws {
        guard objects.indices.contains(index) else {
            throw SecureArchive.corrupt("The archive refers to an object that it doesn't hold.")
        }
        switch visit.states[index] {
        case .done: return
        case .open: throw SecureArchive.corrupt("The archive holds an object that contains itself.")
        case .unseen: break
        }
        visit.states[index] = .open
        if let object = objects[index] as? [String: Any] { try examineClass(of: object, &visit) }
        try examine(objects[index], &visit, depth: depth)
        visit.states[index] = .done
    }

    private func examineClass(of object: [String: Any], _ visit: inout Visit) throws {
        guard let value = object["$class"] else { return }
        guard let index = try Self.reference(value), objects.indices.contains(index),
            let description = objects[index] as? [String: Any], let name = description["$classname"] as? String
        else {
            throw SecureArchive.corrupt("The archive holds an object without a class.")
        }
        visit.classNames.insert(name)
    }

    /// The index of the object that a value refers to; nil for a value that is no reference.
    ///
    /// `PropertyListSerialization` gives references as objects of a private class, whose number only a mirror shows.
    private static func reference(_ value: Any) throws -> Int? {
        guard type(of: value) is AnyClass, String(describing: type(of: value)) == "_NSKeyedArchiverUID" else {
            return nil
        }
        guard let number = Mirror(reflecting: value).descendant("value") as? UInt32 else {
            throw SecureArchive.corrupt("The archive's references can't be read with this version of Foundation.")
        }
        return Int(number)
    }
}
