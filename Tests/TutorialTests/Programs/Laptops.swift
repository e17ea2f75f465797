import CoreData

public class Color: NSObject {
    let components: [Double]

    init(red: Double, green: Double, blue: Double, alpha: Double) { components = [red, green, blue, alpha] }

    class var red: Color { return Color(red: 1, green: 0, blue: 0, alpha: 1) }
    class var blue: Color { return Color(red: 0, green: 0, blue: 1, alpha: 1) }

    public override func isEqual(_ object: Any?) -> Bool { return (object as? Color)?.components == components }
    public override var hash: Int { return components.hashValue }
}

/// Packs the four parts of a colour into data, and back.
class ColorTransformer: ValueTransformer {
    override class func allowsReverseTransformation() -> Bool { return true }

    override class func transformedValueClass() -> AnyClass { return NSData.self }

    override func transformedValue(_ value: Any?) -> Any? {
        let color = value as! Color
        return color.components.withUnsafeBytes { Data($0) } as NSData
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        let data = value as! Data
        var parts = [Double](repeating: 0, count: 4)
        _ = parts.withUnsafeMutableBytes { data.copyBytes(to: $0) }
        return Color(red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3])
    }
}

class LaptopProgram {
    let managedObjectContext: NSManagedObjectContext

    init(managedObjectContext: NSManagedObjectContext) {
        self.managedObjectContext = managedObjectContext
        ValueTransformer.setValueTransformer(
            ColorTransformer(), forName: NSValueTransformerName(rawValue: "ColorTransformer"))
    }

    func saveRedLaptop() throws {
        let laptop = NSEntityDescription.insertNewObject(forEntityName: "Laptop", into: managedObjectContext) as! Laptop
        laptop.model = "model name"
        laptop.color = Color.red
        let other = Laptop(context: managedObjectContext)
        other.model = "another"
        other.color = Color.blue
        try managedObjectContext.save()
    }

    func findRedLaptops() throws -> [Laptop] {
        let fetch = NSFetchRequest<Laptop>(entityName: "Laptop")
        fetch.fetchLimit = 1
        fetch.predicate = NSPredicate(format: "color == %@", Color.red)
        return try managedObjectContext.fetch(fetch)
    }
}
