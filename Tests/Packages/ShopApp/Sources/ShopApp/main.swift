import CoreData
import ShopModel

let folder = FileManager.default.temporaryDirectory.appending(path: "shop-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let container = makeShop(at: folder.appending(path: "Shop.sqlite"))
let context = container.viewContext

let supplier = Supplier(context: context)
supplier.city = "Aachen"
let product = Product(context: context)
product.title = "jam"
product.supplier = supplier

let customer = Customer(context: context)
customer.name = "Ada"
customer.score = 7
let loyal = NSEntityDescription.insertNewObject(forEntityName: "LoyalCustomer", into: context) as! LoyalCustomer
loyal.name = "Bob"
loyal.points = 120

for number in 1...3 {
    let order = Order(context: context)
    order.number = NSNumber(value: number)
    order.placed = NSDate(timeIntervalSinceReferenceDate: Double(number))
    customer.addToOrders(order)
    let item = number == 2 ? GiftItem(context: context) : Item(context: context)
    item.price = 2.5
    item.quantity = NSNumber(value: number * 10)
    item.product = product
    order.addToItems(item)
    loyal.favourite = order
}
customer.removeFromOrders(at: 2)
customer.insertIntoOrders(loyal.favourite!, at: 0)
try context.save()
context.reset()

let request: NSFetchRequest<Customer> = Customer.fetchRequest()
request.sortDescriptors = [NSSortDescriptor(keyPath: \Customer.score, ascending: false)]
for customer in try context.fetch(request) {
    let orders = (customer.orders?.array ?? []).compactMap { $0 as? Order }
    print(customer.name ?? "-", customer.score, orders.map { "\($0.number!)" }.joined(separator: ","))
    for order in orders {
        let item = order.items!.anyObject() as! Item
        print(
            " ", order.placed!.timeIntervalSinceReferenceDate, item.quantity, item.price!, item.product!.title!,
            item.order == order)
    }
}
let loyals = try context.fetch(NSFetchRequest<LoyalCustomer>(entityName: "LoyalCustomer"))
print(loyals[0].rank, loyals[0].value(forKey: "rank")!, loyals[0].favourite!.number!)
let products = try context.fetch(Product.fetchRequest())
print(products[0].rawTitle!, products[0].value(forKey: "initial")!)
let gifts = try context.fetch(NSFetchRequest<GiftItem>(entityName: "GiftItem"))
print(gifts[0].greeting.isEmpty, gifts[0].value(forKey: "quantity")!)
let suppliers = try context.fetch(Supplier.fetchRequest())
print(
    (suppliers as NSArray).filtered(using: NSPredicate(format: "sectionTitle BEGINSWITH 'A'")).count,
    suppliers[0].founded)
