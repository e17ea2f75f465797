import ArgumentParser
import Foundation
import ModelDocument
import StoreBrowsing

#if canImport(CoreDataStudio)
    import CoreDataStudio
#endif

/// Has a person settle the conflicts of a merge in the browser, where the command is built with the studio.
struct MergeSettling: ParsableArguments {
    #if canImport(CoreDataStudio)
        @Flag(help: "Settle conflicts side by side in the browser.")
        var studio = false

        @Option(help: "The port of the page; without it, any that is free.")
        var port = 0

        @Flag(inversion: .prefixedNo, help: "Open the page in a browser.")
        var open = true

        func validate() throws {
            if !(0...65535).contains(port) { throw ValidationError("--port takes a number from 1 to 65535.") }
        }

        /// The merge with what was chosen; the plain one where nothing is to be chosen, or the merge was given up.
        ///
        /// - Throws: ``CommandFailure``.
        func settled(
            _ plain: ModelMerge, base: Model?, ours: Model, theirs: Model, name: String
        ) async throws -> ModelMerge {
            guard studio, !plain.questions.isEmpty else { return plain }
            let opens = open
            do {
                let server = try MergeServer(
                    MergeTask(base: base, ours: ours, theirs: theirs, name: name), port: port)
                let settled = try await server.run { address in
                    // Standard output may be the merged model.
                    report("\(address)\nSettle the conflicts of \(name) there; ^C gives up.")
                    if opens { Browser.show(address) }
                }
                return settled ?? plain
            } catch let failure as StudioFailure { throw CommandFailure(.other, whole: failure.message) }
        }
    #else
        func settled(
            _ plain: ModelMerge, base: Model?, ours: Model, theirs: Model, name: String
        ) async throws -> ModelMerge { plain }
    #endif
}
