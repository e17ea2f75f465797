//
//  Customer+CoreDataClass.swift
//  Shop
//
//  Created by Somebody on 04.05.23.
//
//

import Foundation
import CoreData

@objc(Customer)
open class Customer: NSManagedObject {

}
