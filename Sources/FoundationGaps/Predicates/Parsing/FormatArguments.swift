public import Foundation

// What Apple's Foundation lets pass as an argument of a format, `NSPredicate(format: "id IN %@", ids)`, and Linux'
// doesn't: objects, and the values that bridge to objects. Predicates take the values as they are. Functions of C get
// an object in their place. The object's text is the value's description, so that `String(format: "%@", date)` prints
// the date.

extension NSObject: @retroactive CVarArg, @retroactive _CVarArgObject {
    /// The object's address, for an argument list of C. The caller keeps the object alive during the call.
    public var _cVarArgEncoding: [Int] { [Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())] }
    /// The object in a box: a predicate's format takes the object, `String(format: "%@", object)` its description.
    public var _cVarArgObject: any CVarArg { ArgumentBox.boxing(self) }
}

extension Date: @retroactive CVarArg, @retroactive _CVarArgObject {
    /// The date in a box, so that `NSPredicate(format: "birthday > %@", date)` takes it. C functions see its
    /// description.
    public var _cVarArgObject: any CVarArg { ArgumentBox.boxing(self) }
}

extension UUID: @retroactive CVarArg, @retroactive _CVarArgObject {
    /// The UUID in a box, so that `NSPredicate(format: "id == %@", uuid)` takes it. C functions see its description.
    public var _cVarArgObject: any CVarArg { ArgumentBox.boxing(self) }
}

extension URL: @retroactive CVarArg, @retroactive _CVarArgObject {
    /// The URL in a box, so that `NSPredicate(format: "link == %@", url)` takes it. C functions see its description.
    public var _cVarArgObject: any CVarArg { ArgumentBox.boxing(self) }
}

extension Data: @retroactive CVarArg, @retroactive _CVarArgObject {
    /// The data in a box, so that `NSPredicate(format: "hash == %@", data)` takes them. C functions see their
    /// description.
    public var _cVarArgObject: any CVarArg { ArgumentBox.boxing(self) }
}

extension Decimal: @retroactive CVarArg, @retroactive _CVarArgObject {
    /// The decimal in a box, so that `NSPredicate(format: "price > %@", price)` takes its exact value.
    public var _cVarArgObject: any CVarArg { ArgumentBox.boxing(self) }
}

extension Array: @retroactive CVarArg, @retroactive _CVarArgObject {
    /// The array in a box, so that `NSPredicate(format: "team IN %@", teams)` takes it.
    public var _cVarArgObject: any CVarArg { ArgumentBox.boxing(self) }
}

extension Set: @retroactive CVarArg, @retroactive _CVarArgObject {
    /// The set in a box, so that `NSPredicate(format: "team IN %@", teams)` takes it.
    public var _cVarArgObject: any CVarArg { ArgumentBox.boxing(self) }
}

extension Dictionary: @retroactive CVarArg, @retroactive _CVarArgObject {
    /// The dictionary in a box, so that a format takes it for `%@`. `IN` looks among its values.
    public var _cVarArgObject: any CVarArg { ArgumentBox.boxing(self) }
}

extension _CVarArgObject {
    /// The box's own encoding: code that makes an argument list keeps the box, and asks it.
    public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

/// A value on its way through a C argument list: a text for C, the value itself for `VariadicArguments`.
final class ArgumentBox: NSString {
    private(set) var value: Any = NSNull()
    private var text: [UInt16] = []

    static func boxing(_ value: Any) -> ArgumentBox {
        let box = ArgumentBox(string: "")
        box.value = value
        box.text = Array("\(value)".utf16)
        return box
    }

    override var length: Int { text.count }

    override func character(at index: Int) -> unichar { text[index] }

    // What NSString demands of its subclasses.

    required init(string: String) {
        text = Array(string.utf16)
        super.init(characters: text, length: text.count)
    }

    required convenience init?(coder aDecoder: NSCoder) {
        return nil
    }

    required convenience init(stringLiteral value: StaticString) {
        self.init(string: value.description)
    }

    required convenience init(extendedGraphemeClusterLiteral value: StaticString) {
        self.init(string: value.description)
    }

    required convenience init(unicodeScalarLiteral value: StaticString) {
        self.init(string: value.description)
    }
}
