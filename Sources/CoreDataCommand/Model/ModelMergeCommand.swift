import ArgumentParser
import Foundation
import ModelDocument
import StoreBrowsing

/// `coredata model merge BASE OURS THEIRS`: one model of two that were changed independently.
struct ModelMergeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merge what two sides made of one model, element by element, into a document as Xcode writes it.",
        discussion: """
            Where the sides disagree the result has ours, each conflict is told on standard error, and the exit code is 1. \
            The result is a whole document all the same, to be opened and put right.

            As a merge driver of git, once per machine and repository:

              git config merge.coredata-model.name "Core Data models"
              git config merge.coredata-model.driver \\
                "coredata model merge %O %A %B --output %A --name %P"
              echo '**/*.xcdatamodel/contents merge=coredata-model' >> .gitattributes

            With --studio, conflicts are settled side by side in the browser, and the exit code is 0 once the merged model \
            is written. Add it to the driver, or merge once by hand.

            EXAMPLES
              coredata model merge base/contents ours/contents theirs/contents > merged
              coredata model merge base/contents ours/contents theirs/contents -o merged --studio
              coredata model merge %O %A %B --output %A --name %P
            """)

    @Argument(
        help: "The 'contents' file that both sides began with, or its .xcdatamodel; an empty file for none.",
        completion: .file())
    var base: String

    @Argument(help: "Our side.", completion: .file())
    var ours: String

    @Argument(help: "The other side.", completion: .file())
    var theirs: String

    @Option(name: [.short, .long], help: "The file to write; without it standard output.", completion: .file())
    var output: String?

    @Option(help: "What conflicts call the file; without it the path of our side.")
    var name: String?

    @OptionGroup var settling: MergeSettling

    func run() async throws {
        let (base, ours, theirs) = try ModelAtPath.reporting {
            (try model(self.base), try required(self.ours), try required(self.theirs))
        }
        let plain = try ModelAtPath.reporting { try ModelMerge(base: base, ours: ours, theirs: theirs) }
        let merge = try await settling.settled(plain, base: base, ours: ours, theirs: theirs, name: name ?? self.ours)
        try write(merge)
    }

    private func write(_ merge: ModelMerge) throws {
        let contents = try ModelAtPath.reporting { try merge.model.contents() }
        if let output {
            do { try contents.write(to: URL(fileURLWithPath: output)) } catch { throw CommandFailure(error) }
        } else {
            FileHandle.standardOutput.write(contents)
        }
        guard !merge.conflicts.isEmpty else { return }
        for conflict in merge.conflicts { report(TextTable.singleLine("\(name ?? ours): conflict: \(conflict)")) }
        throw ExitCode(CommandFailure.Code.other.rawValue)
    }

    private func required(_ path: String) throws -> Model {
        guard let model = try model(path) else { throw CommandFailure(.foreign, "\(path) is empty.") }
        return model
    }

    /// The model of a file; nil for an empty one.
    private func model(_ path: String) throws -> Model? {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw CommandFailure(.missingFile, "There is no file at \(path).")
        }
        let file = URL(fileURLWithPath: isFolder.boolValue ? path + "/contents" : path)
        let data: Data
        do { data = try Data(contentsOf: file) } catch { throw CommandFailure(.missingFile, "\(path) can't be read.") }
        if data.isEmpty { return nil }
        do {
            return try Model(contents: data)
        } catch var error as ModelDocumentError {
            error.url = error.url ?? file
            throw error
        }
    }
}
