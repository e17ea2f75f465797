import Foundation

/// The data of a new server, which is made once in a process: a copy takes a tenth of the time.
final class ServerTemplate: Sendable {
    static let shared = Result { try ServerTemplate() }

    let folder: String
    private let keeper: ServerKeeper

    private init() throws {
        let programs = try ServerPrograms()
        folder = try programs.makeFolder()
        keeper = try ServerKeeper(command: [], folder: folder)
        try programs.initialize(folder)
    }
}
