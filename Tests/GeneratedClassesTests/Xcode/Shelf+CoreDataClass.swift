//
//  Shelf+CoreDataClass.swift
//  Pantry
//
//

import Foundation
import CoreData

@objc(PantryShelf)
public class Shelf: NSManagedObject {
    @objc dynamic var heading: String { (title ?? "") + "!" }

    @objc var title: String? {
        get {
            willAccessValue(forKey: #keyPath(Shelf.title))
            defer { didAccessValue(forKey: #keyPath(title)) }
            return (primitiveValue(forKey: #keyPath(Shelf.title)) as? String)?.capitalized
        }
        set {
            willChangeValue(forKey: #keyPath(Shelf.title))
            setPrimitiveValue(newValue, forKey: "\(#keyPath(Shelf.title))")
            didChangeValue(forKey: #keyPath(Shelf.title))
        }
    }

    static var order: NSSortDescriptor {
        NSSortDescriptor(
            key: #keyPath(Shelf.title), ascending: true,
            selector: #selector(NSString.localizedCaseInsensitiveCompare(_:)))
    }
}
