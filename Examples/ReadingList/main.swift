// An app, its share extension, its widget and a task at night: programs on one store.
//
//     swift run ReadingList app FOLDER                      shows the list, and what the others do to it
//     swift run ReadingList share FOLDER ADDRESS [TITLE]    adds a link
//     swift run ReadingList widget FOLDER                   shows what is new on the home screen
//     swift run ReadingList tidy FOLDER                     removes what was read
//
// The app reads commands: `read ADDRESS`, `progress ADDRESS 0.5`, `remove ADDRESS`, `purge`, `quit`.
import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
do {
    guard arguments.count >= 2 else { throw Complaint("name a program and a folder: ReadingList app FOLDER") }
    let folder = URL(fileURLWithPath: arguments[1], isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    switch arguments[0] {
    case "app":
        try App(folder).run()
    case "share":
        guard arguments.count > 2 else { throw Complaint("name the address that is to be shared") }
        try ShareExtension(folder).add(arguments[2], title: arguments.count > 3 ? arguments[3] : arguments[2])
    case "widget":
        try Widget(folder).show()
    case "tidy":
        try Tidying(folder).removeRead()
    default:
        throw Complaint("\(arguments[0]) is none of the programs: app, share, widget, tidy")
    }
} catch {
    FileHandle.standardError.write(Data("ReadingList: \(error.localizedDescription)\n".utf8))
    exit(1)
}
