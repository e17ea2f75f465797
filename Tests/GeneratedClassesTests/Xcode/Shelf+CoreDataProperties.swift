//
//  Shelf+CoreDataProperties.swift
//  Pantry
//
//

import Foundation
import CoreData


extension Shelf {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Shelf> {
        return NSFetchRequest<Shelf>(entityName: "Shelf")
    }

    @NSManaged public var height: Double
    @NSManaged public var jars: NSOrderedSet?
    @NSManaged var spares: Set<Jar>

}

// MARK: Generated accessors for jars
extension Shelf {

    @objc(insertObject:inJarsAtIndex:)
    @NSManaged func insertIntoJars(_ value: Jar, at idx: Int)

    @objc(removeObjectFromJarsAtIndex:)
    @NSManaged public func removeFromJars(at idx: Int)

    @objc(insertJars:atIndexes:)
    @NSManaged func insertIntoJars(_ values: [Jar], at indexes: NSIndexSet)

    @objc(removeJarsAtIndexes:)
    @NSManaged public func removeFromJars(at indexes: NSIndexSet)

    @objc(replaceObjectInJarsAtIndex:withObject:)
    @NSManaged func replaceJars(at idx: Int, with value: Jar)

    @objc(replaceJarsAtIndexes:withJars:)
    @NSManaged func replaceJars(at indexes: NSIndexSet, with values: [Jar])

    @objc(addJarsObject:)
    @NSManaged func addToJars(_ value: Jar)

    @objc(removeJarsObject:)
    @NSManaged func removeFromJars(_ value: Jar)

    @objc(addJars:)
    @NSManaged public func addToJars(_ values: NSOrderedSet)

    @objc(removeJars:)
    @NSManaged public func removeFromJars(_ values: NSOrderedSet)

    @objc(addSparesObject:)
    @NSManaged func park(_ value: Jar)

    @NSManaged func removeFromSpares(_ values: Set<Jar>)

}

extension Shelf : Identifiable {

}
