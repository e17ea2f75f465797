import CoreData

extension NSPersistentHistoryToken {
    /// The token as the `id` of an event: any process on the same store reads it.
    var text: String {
        get throws {
            try NSKeyedArchiver.archivedData(withRootObject: self, requiringSecureCoding: true).base64URL
        }
    }

    /// - Throws: ``Problem`` 400 for a text that is no token's.
    static func read(_ text: String) throws -> NSPersistentHistoryToken {
        guard text.utf8.count <= 8_192, let data = Data(base64URL: text),
            let token = try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data)
        else { throw Problem.badRequest("Last-Event-ID is none of the ids that GET /events gave.") }
        return token
    }
}
