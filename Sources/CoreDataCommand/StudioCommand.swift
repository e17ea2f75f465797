#if canImport(CoreDataStudio)
    import ArgumentParser
    import CoreDataStudio
    import Foundation
    import ModelDocument
    import ModelExchange
    import StoreBrowsing

    /// `coredata studio MODEL STORE`: the model editor and the data browser, in a browser.
    struct StudioCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "studio",
            abstract: "Edit a model or a mapping model, and browse a store's data, in the browser.",
            discussion: """
                Serves the editor on this machine alone, prints its address and opens it where there is a browser. The address \
                has a token in it that is new at every start. Requests without the token get nothing. Nothing is written before you \
                save; what is unsaved when the program ends is kept beside the model and offered at the next start. ^C ends it.

                Several models and stores stand in tabs. More are opened in the window: by their path, from the list of those \
                that were opened last, or by dropping a file or folder into it, of which a copy is opened. Without arguments, \
                the studio starts with that list.

                A store is opened for reading alone: file, log and all files beside them stay as they are, byte for byte. It is \
                shown by the model that it carries; one that carries none, by the model that is given with it. With --edit \
                its objects can be changed. Changes are saved together, after a backup of the file beside it. Those that are not saved \
                when the program ends are kept and offered at the next start.

                A mapping model is checked against both of its models, which are looked for where it says, beside it and in the \
                model that is given with it. With a store, the migration can be tried on a copy. With --edit it can be carried \
                out, after a backup of the file beside it.

                EXAMPLES
                  coredata studio League.xcdatamodeld
                  coredata studio --new Shop.xcdatamodeld
                  coredata studio --new Shop.xcdatamodeld --from Shop.sql
                  coredata studio League.sqlite
                  coredata studio League.sqlite --edit
                  coredata studio League.xcdatamodeld League.sqlite Shop.sqlite
                  coredata studio
                  coredata studio League1To2.xcmappingmodel League.sqlite --edit
                  coredata studio 'postgresql://reader@db.example.org/league?sslmode=verify-full'
                  coredata studio League.xcdatamodeld --port 8080 --no-open
                """)

        @Argument(
            help: ArgumentHelp(
                "Models to edit, .xcdatamodeld or .xcdatamodel; mapping models, .xcmappingmodel; stores to look at, files or databases. Each has a tab.",
                valueName: "path"),
            completion: .file())
        var paths: [String] = []

        @Flag(help: "Make the model; it comes to the disk when it is saved.")
        var new = false

        @Option(
            help: ArgumentHelp(
                "Begin the new model with a draft, as “coredata model draft” makes it of this file or database.",
                valueName: "source"), completion: .file())
        var from: String?

        @Flag(help: "Change the store's objects, after a backup of its file.")
        var edit = false

        @Option(help: "The port to listen on; without it, any that is free.")
        var port = 0

        @Flag(inversion: .prefixedNo, help: "Open the address in a browser.")
        var open = true

        func validate() throws {
            if !(0...65535).contains(port) { throw ValidationError("--port takes a number from 1 to 65535.") }
            if edit, stores.isEmpty, !paths.isEmpty {
                throw ValidationError("--edit takes a store. A model can be edited without it.")
            }
            if from != nil, !new {
                throw ValidationError("--from is for a model that is to be made: it takes --new, too.")
            }
            if new, models.count != 1 {
                throw ValidationError("--new takes the one model that is to be made, an .xcdatamodeld.")
            }
        }

        func run() async throws {
            let studio: StudioServer
            let draft = try draft()
            do {
                let documents = try paths.map { path -> DocumentPlace in
                    guard Self.isModel(path), !Self.isMapping(path) else { return try DocumentPlace(path) }
                    return .model(URL(fileURLWithPath: path), isNew: new, draft: draft)
                }
                studio = try StudioServer(documents: documents, editsStores: edit, port: port)
            } catch let failure as StudioFailure {
                throw CommandFailure(new || areThere ? .other : .missingFile, whole: failure.message)
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

        /// What a new model begins with. What was decided is told on standard error.
        private func draft() throws -> VersionedModel? {
            guard let from, let path = models.first else { return nil }
            let (draft, _) = try DraftSource.draft(from)
            for note in draft.notes { report(SafeText.singleLine(note)) }
            return draft.document(named: URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent)
        }

        private var models: [String] { paths.filter { !Self.isMapping($0) && Self.isModel($0) } }
        private var stores: [String] { paths.filter { !Self.isMapping($0) && !Self.isModel($0) } }

        private static func isMapping(_ path: String) -> Bool { DocumentPlace.isMapping(path) }

        /// Whether a path names a model: by its ending, or because it is a folder, which no store is.
        private static func isModel(_ path: String) -> Bool { DocumentPlace.isModel(path) }

        /// Whether all files are there. A database tells for itself what it lacks.
        private var areThere: Bool {
            paths.allSatisfy { StorePlace.isDatabase($0) || FileManager.default.fileExists(atPath: $0) }
        }
    }

    /// The system's browser.
    enum Browser {
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
