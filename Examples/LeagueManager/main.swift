// The League Manager: what Core Data does, told with a league of teams and players.
//
//     swift run LeagueManager              keeps the league in a temporary directory and removes it at the end
//     swift run LeagueManager DIRECTORY    keeps it there, for you to look at
import Foundation

do {
    try LeagueManager(directory: CommandLine.arguments.dropFirst().first).run()
} catch {
    FileHandle.standardError.write(Data("LeagueManager: \(error.localizedDescription)\n".utf8))
    exit(1)
}
