import CoreData

// Classes as people write them by hand: every property is `@NSManaged`, and the plug-in writes the bodies.

enum JarKind: Int16 {
    case glass, stone, tin
}

/// A value that a transformer of the app's own makes.
final class Label: NSObject {
    let text: String

    init(_ text: String) { self.text = text }
}

final class LabelTransformer: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? {
        (value as? Label).map { Data($0.text.utf8) }
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).map { Label(String(decoding: $0, as: UTF8.self)) }
    }
}

class Jar: NSManagedObject {
    enum Shape: String {
        case round, square
    }

    typealias Grams = Int32

    @NSManaged var name: String
    @NSManaged var maker: String?
    @NSManaged var grams: Grams
    @NSManaged var volume: Int
    @NSManaged var level: Int16
    @NSManaged var flag: Bool
    @NSManaged var float: Float, double: Double
    @NSManaged var count: Int64?
    @NSManaged var number: NSNumber?
    @NSManaged var opened: Date?
    @NSManaged var sealed: TimeInterval
    @NSManaged var blob: Data
    @NSManaged var id: UUID!
    @NSManaged var link: URL?
    @NSManaged var price: Decimal
    @NSManaged var kind: JarKind
    @NSManaged var shape: Shape?
    @NSManaged var label: Label?
    @NSManaged var tags: [String]?
    @NSManaged var anything: Any?
    @NSManaged private(set) var neighbours: [Jar]?
    @NSManaged weak var brand: Brand?

    // MARK: Accessors that a wrapper makes

    @Fixed var fixed = 7
    @Counted var counted = 0

    // MARK: A custom accessor over the primitive value

    @NSManaged private var primitiveMaker: String?
    @NSManaged private var primitiveBrand: Brand?

    /// A custom accessor of a relationship.
    var ownBrand: Brand? {
        get { brand }
        set {
            willChangeValue(forKey: "brand")
            primitiveBrand = newValue
            didChangeValue(forKey: "brand")
        }
    }

    /// The keys for which nil was set that can't be nil.
    private(set) var refusedKeys: [String] = []

    override func setNilValueForKey(_ key: String) { refusedKeys.append(key) }

    /// The maker in capitals, whichever way it was set.
    var loudMaker: String? {
        get {
            willAccessValue(forKey: "maker")
            defer { didAccessValue(forKey: "maker") }
            return primitiveMaker?.uppercased()
        }
        set {
            willChangeValue(forKey: "maker")
            primitiveMaker = newValue
            didChangeValue(forKey: "maker")
        }
    }

    // MARK: What the model does not know

    /// Under which letter the jar is listed.
    var sectionTitle: String { name.prefix(1).uppercased() }

    var openings = 0

    private(set) var secret = 42

    var nickname: String? {
        get { maker.map { "\($0)'s \(name)" } }
        set { maker = newValue }
    }

    func validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        guard let name = value.pointee as? String else { return }
        if name == "mud" { throw CocoaError(.validationStringPatternMatching) }
        value.pointee = name.trimmingCharacters(in: .whitespaces) as NSString
    }

    #if DEBUG
        var debugTitle: String { "debug " + name }
    #endif
}

extension Jar {
    @NSManaged var spare: Shelf?
}

extension Shelf {
    /// The spare jars without an `NSSet`.
    @NSManaged var primitiveSpares: [Jar]
    @NSManaged var primitiveJars: [Jar]
}

final class PickleJar: Jar {
    @NSManaged var acid: Double

    override var sectionTitle: String { "pickles" }
}

/// A class in a type, which the model calls by its whole name.
enum Hideout {
    class Secret: NSManagedObject {
        @NSManaged fileprivate var word: NSString?

        var plainWord: String? {
            get { word as String? }
            set { word = newValue.map { NSString(string: $0) } }
        }
    }
}

/// A value that can't be set, as a macro may make one.
@propertyWrapper struct Fixed {
    let wrappedValue: Int
}

@propertyWrapper struct Counted {
    var wrappedValue: Int
}
