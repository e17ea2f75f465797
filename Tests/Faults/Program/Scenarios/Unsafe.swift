import CoreData
import Foundation

extension Scenario {
    /// What is not safe. A sweep that finds nothing wrong with these is blind.
    static let unsafe = [
        saving("unsafe: nothing is synchronized", options: ["journal_mode": "DELETE", "synchronous": "OFF"]) {
            context in
            for number in 1...200 { Library.add("Tag", "tag \(number)", to: context) }
        },
        Scenario("unsafe: a failure is reported as a success") { stage in
            let context = try stage.context()
            context.performAndWait { _ = Library.add("Tag", "new tag", to: context) }
            return { context.performAndWait { try? context.save() } }
        },
        Scenario("unsafe: a file is left") { stage in
            {
                let part = stage.url(UUID().uuidString)
                try AtomicFileWriter.write(Data("part".utf8), to: part)
                _ = try Data(contentsOf: stage.url(Library.storeName))
                try FileManager.default.removeItem(at: part)
            }
        },
        Scenario("unsafe: external data goes before the commit is on the disk") { stage in
            {
                let connection = try SQLiteConnection(path: stage.url(Library.storeName).path, access: .readWrite)
                for sql in ["PRAGMA synchronous = NORMAL", "UPDATE ZBOOK SET ZCOVER = NULL RETURNING 1"] {
                    _ = try connection.integer(sql)
                }
                let folder = ExternalFiles.folder(of: stage.url(Library.storeName))
                for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                    try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
                }
            }
        },
        Scenario("unsafe: the old file goes before the new one is there") { stage in
            {
                let (store, copy) = (stage.url(Library.storeName), stage.url("copy"))
                try Data(contentsOf: store).write(to: copy)
                try FileManager.default.removeItem(at: store)
                try FileManager.default.moveItem(at: copy, to: store)
            }
        },
    ]
}
