//
//  Order+CoreDataClass.swift
//  Shop
//

public import Foundation
public import CoreData

public typealias OrderCoreDataClassSet = NSSet

@objc(Order)
public class Order: NSManagedObject {

}
