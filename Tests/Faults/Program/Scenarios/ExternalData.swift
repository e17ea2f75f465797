import CoreData
import Foundation

extension Scenario {
    /// Saves that write or remove files of attributes with external storage.
    static let externalData = [
        saving("add external data") { try addCovers($0) },
        saving("replace external data") { try replaceCover($0) },
        saving("remove external data") { context in
            try Library.find("Book", "book 1.1", in: context).setValue(nil, forKey: "cover")
            context.delete(try Library.find("Book", "book 2.1", in: context))
        },
        saving("replace external data, synchronous", options: ["synchronous": "FULL"]) { try replaceCover($0) }
            .with { $0.isDurable = true },
        Scenario("replace external data twice") { stage in
            let context = try stage.context()
            return stage.steps(
                (10...11).map { number in
                    {
                        try context.performAndWait {
                            try stage.withoutFaults {
                                let book = try Library.find("Book", "book 1.1", in: context)
                                book.setValue(Library.cover(UInt8(number)), forKey: "cover")
                            }
                            try context.save()
                        }
                    }
                })
        },
    ]

    static func addCovers(_ context: NSManagedObjectContext) throws {
        for number in 2...3 {
            let book = try Library.find("Book", "book 1.\(number)", in: context)
            book.setValue(Library.cover(UInt8(number)), forKey: "cover")
        }
    }

    static func replaceCover(_ context: NSManagedObjectContext) throws {
        try Library.find("Book", "book 1.1", in: context).setValue(Library.cover(9), forKey: "cover")
    }
}
