//
//  Product+CoreDataClass.swift
//  Shop
//

import Foundation
import CoreData

@objc(Product)
public class Product: NSManagedObject {

    @objc public var initial: String {
        return String(title?.prefix(1) ?? "#")
    }

}
