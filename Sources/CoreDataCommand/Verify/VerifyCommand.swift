import ArgumentParser
import Foundation

/// `coredata verify`: are there bodies for all that `@NSManaged` leaves to Core Data?
///
/// The plug-in reads sources with a scanner of its own, so the compiler is asked here what it saw: its symbol graph
/// names every `@NSManaged` member with its symbol. A member that nothing defines is a linker's error in a program, and
/// in a library not even that, until a program uses it.
struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Find @NSManaged members of a package that have no body.",
        discussion: """
            Builds the package's targets that declare such members, for debugging and without linking, asks the compiler's \
            symbol graph which they are, and looks for their bodies in what the targets compile, generated files included. \
            Says nothing where all have one; a member without is an error with its file and line, and makes the exit code 1.

            EXAMPLES
              coredata verify
              coredata verify ../League --target LeagueModel
            """)

    @Argument(help: "The package's folder.", completion: .directory)
    var package = "."

    @Option(name: .customLong("target"), help: "Only this target; may be given more than once.")
    var targets: [String] = []

    @Option(help: "The folder of the package's build, if it is not .build.", completion: .directory)
    var scratchPath: String?

    func run() throws {
        let package = try SwiftPackage(path: package, scratchPath: scratchPath)
        let missing = try chosen(of: package.targets()).flatMap { target in
            let module = try package.build(target)
            return try module.undefinedMembers().map { (member: $0, advice: module.advice) }
        }
        for (member, advice) in missing {
            print("\(member.place): error: \(member.title) has no body: nothing defines \(member.symbol). \(advice)")
        }
        if !missing.isEmpty { throw ExitCode(CommandFailure.Code.other.rawValue) }
    }

    /// The targets to look at: those asked for, or those with sources that have the attribute at all.
    private func chosen(of all: [SwiftPackage.Target]) throws -> [SwiftPackage.Target] {
        guard !targets.isEmpty else { return all.filter(\.mentionsManagedMembers) }
        return try targets.map { name in
            guard let target = all.first(where: { $0.name == name }) else {
                let names = all.map(\.name).sorted()
                throw CommandFailure(
                    .missingFile, "The package has no target \(name) of Swift sources; it has \(list: names).")
            }
            return target
        }
    }
}
