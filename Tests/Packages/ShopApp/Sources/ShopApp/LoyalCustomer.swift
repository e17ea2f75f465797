import CoreData
import ShopModel

/// A subclass, in another module than its parent's.
class LoyalCustomer: Customer {
    @NSManaged var points: Int32
    @NSManaged var favourite: Order?

    var rank: String { points > 100 ? "gold" : "tin" }
}

final class GiftItem: Item {
    @NSManaged var greeting: String

    override var quantity: NSNumber {
        get { NSNumber(value: -super.quantity.intValue) }
        set { super.quantity = newValue }
    }
}

extension Supplier {
    /// Where a list of suppliers begins a section.
    var sectionTitle: String { city ?? "nowhere" }
}

extension Product {
    /// A property that its own module does not declare so.
    @NSManaged private var primitiveTitle: String?

    var rawTitle: String? { primitiveTitle }
}
