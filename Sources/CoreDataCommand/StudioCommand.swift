#if canImport(CoreDataStudio)
    import ArgumentParser
    import CoreDataStudio
    import Foundation

    /// `coredata studio MODEL`: the model editor in a browser.
    struct StudioCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "studio", abstract: "Edit a model in the browser, as tables or as a graph.",
            discussion: """
                Serves the editor on this machine alone, prints its address and opens it where there is a browser. The address \
                has a token in it that is new at every start. Requests without the token get nothing. Nothing is written before you \
                save; what is unsaved when the program ends is kept beside the model and offered at the next start. ^C ends it.

                EXAMPLES
                  coredata studio League.xcdatamodeld
                  coredata studio --new Shop.xcdatamodeld
                  coredata studio League.xcdatamodeld --port 8080 --no-open
                """)

        @Argument(
            help: "An .xcdatamodeld or an .xcdatamodel.",
            completion: .file(extensions: ["xcdatamodeld", "xcdatamodel"]))
        var model: String

        @Flag(help: "Make the model; it comes to the disk when it is saved.")
        var new = false

        @Option(help: "The port to listen on; without it, any that is free.")
        var port = 0

        @Flag(inversion: .prefixedNo, help: "Open the address in a browser.")
        var open = true

        func validate() throws {
            if !(0...65535).contains(port) { throw ValidationError("--port takes a number from 1 to 65535.") }
        }

        func run() async throws {
            let studio: StudioServer
            do {
                studio = try StudioServer(document: URL(fileURLWithPath: model), isNew: new, port: port)
            } catch let failure as StudioFailure {
                throw CommandFailure(new || isThere ? .other : .missingFile, whole: failure.message)
            }
            do {
                let opens = open
                let unsaved = try await studio.run { address in
                    print("\(address)\n^C ends the studio.")
                    // A program that reads this through a pipe needs it now.
                    fflush(nil)
                    if opens { Browser.show(address) }
                }
                switch unsaved {
                case .none: break
                case .kept(let path): report("Unsaved changes are kept in \(path); the next start offers them.")
                case .lost(let reason): throw CommandFailure(.other, "Unsaved changes are lost. \(whole: reason)")
                }
            } catch let failure as StudioFailure { throw CommandFailure(.other, whole: failure.message) }
        }

        private var isThere: Bool { FileManager.default.fileExists(atPath: model) }
    }

    /// The system's browser.
    private enum Browser {
        /// Opens an address, where there is something to open it with.
        static func show(_ address: String) {
            let environment = ProcessInfo.processInfo.environment
            #if os(Linux)
                // Without a display xdg-open falls back on browsers in the terminal, which would take it over.
                guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return }
                let names = ["xdg-open"]
            #else
                let names = ["open"]
            #endif
            let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
            for name in names {
                guard
                    let folder = folders.first(where: { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") })
                else { continue }
                let process = Process()
                process.executableURL = URL(fileURLWithPath: "\(folder)/\(name)")
                process.arguments = [address]
                process.standardOutput = FileHandle.nullDevice
                process.standardError = FileHandle.nullDevice
                do { try process.run() } catch {
                    report("note: \(name) could not be started; open the address yourself")
                }
                return
            }
        }
    }
#endif
