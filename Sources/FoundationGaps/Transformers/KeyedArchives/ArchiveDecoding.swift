import Foundation

/// One decoding of an archive that has been examined, by Foundation's unarchiver without its own checks.
///
/// Foundation traps on a class that wasn't asked for, so the same checks are made around it: a name whose class may not
/// be decoded anywhere stands for a class that fails to decode, and each decoded object is compared with what its
/// decoder asked for. Both end in an ordinary error.
final class ArchiveDecoding {
    /// Why the first refused object was refused.
    private var refusal: CocoaError?
    private let unarchiver: NSKeyedUnarchiver
    private let allowedClasses: [AnyClass]

    /// - Parameters:
    ///   - classNames: The names of all classes in the archive.
    ///   - classes: The classes of which the archived object may be.
    init(_ data: Data, classNames: Set<String>, allowing classes: [AnyClass]) throws {
        unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
        unarchiver.requiresSecureCoding = false
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        allowedClasses = classes
        for name in classNames {
            unarchiver.setClass(decodableClass(named: name) ?? RefusedObject.self, forClassName: name)
        }
    }

    func decodeRoot() throws -> Any {
        let watcher = DecodingWatcher { [self] in check($0) }
        unarchiver.delegate = watcher
        defer { withExtendedLifetime(watcher) { unarchiver.delegate = nil } }
        let object = unarchiver.decodeObject(of: allowedClasses, forKey: NSKeyedArchiveRootObjectKey)
        if let error = refusal ?? unarchiver.error { throw error }
        guard let object else { throw SecureArchive.corrupt("The archive holds no object.") }
        return object
    }

    /// Called for each decoded object, while the classes that its decoder asked for are known.
    private func check(_ object: Any) {
        guard refusal == nil, !SecureArchive.isInstance(object, of: unarchiver.allowedClasses ?? []) else { return }
        refuse("The archive holds an object of the class \(type(of: object)), which is not allowed at its place.")
        unarchiver.failWithError(SecureArchive.corrupt("The archive holds an object that is not allowed."))
    }

    /// The class of a name, if its objects can be decoded from an archive that nobody vouches for.
    private func decodableClass(named name: String) -> AnyClass? {
        guard let found = ArchivedClassNames.type(named: name) else {
            refuse("The archive holds an object of the class \(name), which is unknown here.")
            return nil
        }
        guard (found as? any NSSecureCoding.Type)?.supportsSecureCoding == true else {
            refuse("The archive holds an object of the class \(name), which doesn't support secure coding.")
            return nil
        }
        return found
    }

    private func refuse(_ sentence: String) {
        refusal = refusal ?? SecureArchive.corrupt(sentence)
    }
}

enum ArchivedClassNames {
    static func type(named name: String) -> AnyClass? {
        // Apple's archives name a private class for decimals; Foundation's own recurses endlessly in `hash`.
        if name == "NSDecimalNumber" || name == "NSDecimalNumberPlaceholder" { return DecimalNumber.self }
        if let type = NSKeyedUnarchiver.class(forClassName: name) { return type }
        return name.isTypeName ? NSClassFromString(name) : nil
    }
}

/// Shows each decoded object to a block. The other methods of the protocol have nothing to do.
private final class DecodingWatcher: NSKeyedUnarchiverDelegate {
    private let didDecode: (Any) -> Void

    init(_ didDecode: @escaping (Any) -> Void) { self.didDecode = didDecode }

    func unarchiver(_ unarchiver: NSKeyedUnarchiver, didDecode object: Any?) -> Any? {
        if let object { didDecode(object) }
        return nil
    }

    func unarchiver(
        _ unarchiver: NSKeyedUnarchiver, cannotDecodeObjectOfClassName name: String, originalClasses: [String]
    ) -> AnyClass? { nil }
    func unarchiver(_ unarchiver: NSKeyedUnarchiver, willReplace object: Any, with newObject: Any) {}
    func unarchiverWillFinish(_ unarchiver: NSKeyedUnarchiver) {}
    func unarchiverDidFinish(_ unarchiver: NSKeyedUnarchiver) {}
}

/// Stands for an object that may not be decoded.
private final class RefusedObject: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    init?(coder: NSCoder) { nil }
    func encode(with coder: NSCoder) {}
}
