import CoreData

extension CodingUserInfoKey {
    static let managedObjectContext = CodingUserInfoKey(rawValue: "managedObjectContext")!
}

enum DecoderConfigurationError: Error {
    case missingManagedObjectContext
}

/// A managed object that is read from JSON, and written to it.
public class Book: NSManagedObject, Codable {
    enum CodingKeys: CodingKey {
        case title, pages, published
    }

    public required convenience init(from decoder: Decoder) throws {
        guard let context = decoder.userInfo[CodingUserInfoKey.managedObjectContext] as? NSManagedObjectContext else {
            throw DecoderConfigurationError.missingManagedObjectContext
        }
        self.init(context: context)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.title = try container.decode(String.self, forKey: .title)
        self.pages = try container.decodeIfPresent(Int32.self, forKey: .pages) ?? 0
        self.published = try container.decodeIfPresent(Date.self, forKey: .published)
    }

    public func encode(to encoder: Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(title, forKey: .title)
        try container.encode(pages, forKey: .pages)
        try container.encodeIfPresent(published, forKey: .published)
    }
}
