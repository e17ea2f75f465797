//
//  Item.swift
//  Shop
//
//  As Xcode 6 wrote it, one file a class.
//

import Foundation
import CoreData

open class Item: NSManagedObject {

    @NSManaged public var price: NSDecimalNumber?
    @NSManaged open var quantity: NSNumber
    @NSManaged public var order: Order
    @NSManaged public var product: Product?

}
