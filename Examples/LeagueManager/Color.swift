import CoreData

/// A colour, as an attribute of a laptop.
public final class Color: NSObject, Sendable {
    let red, green, blue, alpha: Double

    init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    static let red = Color(red: 1, green: 0, blue: 0)
    static let silver = Color(red: 0.75, green: 0.75, blue: 0.75)

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? Color else { return false }
        return components == other.components
    }

    public override var hash: Int { components.hashValue }

    var components: [Double] { [red, green, blue, alpha] }
}

/// Packs a colour into data, as four doubles, and back.
final class ColorTransformer: ValueTransformer {
    static let name = NSValueTransformerName("ColorTransformer")

    override class func transformedValueClass() -> AnyClass { NSData.self }
    override class func allowsReverseTransformation() -> Bool { true }

    override func transformedValue(_ value: Any?) -> Any? {
        (value as? Color).map { color in color.components.withUnsafeBytes { Data($0) } }
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let data = value as? Data, data.count == 4 * MemoryLayout<Double>.size else { return nil }
        let parts = data.withUnsafeBytes { bytes in
            (0..<4).map { bytes.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Double>.size, as: Double.self) }
        }
        return Color(red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3])
    }
}
