import FoundationGaps
import ModelArchive
import ModelFormat

extension NSManagedObjectModel {
    /// Loads a model from a file.
    ///
    /// ```swift
    /// let url = Bundle.module.url(forResource: "League", withExtension: "momd")!
    /// guard let model = NSManagedObjectModel(contentsOf: url) else { fatalError("no model at \(url.path)") }
    /// let container = NSPersistentContainer(name: "League", managedObjectModel: model)
    /// ```
    ///
    /// It reads Xcode's `.xcdatamodeld` and `.xcdatamodel`, a compiled `.momd` or `.mom`, and the one-file `.momd` of a
    /// build with the plug-in. Of several versions the current one is taken.
    ///
    /// A compiled model may have parts that this library does not know, such as an index of a later release. They are
    /// left out, with a warning on standard error. A store is opened for writing only if the model still has the
    /// store's version hashes.
    ///
    /// - Returns: Nil if there is no readable model. Standard error then has the reason.
    public convenience init?(contentsOf url: URL) {
        do {
            try self.init(ModelSource(contentsOf: url), version: nil)
        } catch {
            let reason = (error as? ModelDocumentError)?.message ?? (error as NSError).localizedDescription
            let warning =
                "CoreData: error: Failed to load the model \(url.path): \(reason)\n"
            FileHandle.standardError.write(Data(warning.utf8))
            return nil
        }
    }

    /// A model from a file, or the reason why there is none.
    ///
    /// - Parameters:
    ///   - url: As for ``init(contentsOf:)``.
    ///   - version: The name of a version; nil is the current one.
    /// - Throws: `ModelDocumentError`, or a Cocoa error for a damaged archive.
    package convenience init(reading url: URL, version: String? = nil) throws {
        try self.init(ModelSource(contentsOf: url), version: version)
    }

    private convenience init(_ source: ModelSource, version: String?) throws {
        do {
            let notes = source.isCompiled ? ReadingNotes() : nil
            let document = try source.document(version: version, leavingOut: notes)
            try self.init(document: document, moduleName: source.moduleName, leavingOut: notes)
            notes?.lines.forEach { Self.warn("The model \(source.url.path): \($0)") }
        } catch var error as ModelDocumentError {
            error.url = error.url ?? source.url
            throw error
        }
    }

    /// Tells the developer, on standard error.
    package static func warn(_ sentence: String) {
        FileHandle.standardError.write(Data("CoreData: warning: \(sentence)\n".utf8))
    }

    /// See ``__checksumsForVersionedModel(at:)``.
    class func checksums(at modelURL: URL) throws -> [String: String] {
        let source = try ModelSource(contentsOf: modelURL)
        return try Dictionary(
            uniqueKeysWithValues: source.versionNames.map { name in
                (name, try VersionHashes(source.document(version: name, leavingOut: ReadingNotes())).checksum)
            })
    }
}

// MARK: - Looking for models

extension NSManagedObjectModel {
    /// The current version of a model by its name, as `NSPersistentContainer(name:)` looks for it.
    ///
    /// It is looked for in the main bundle, then in the resource bundles that the build lays beside the executable
    /// (`*.resources`, `*.bundle`): `NAME.momd`, `NAME.mom`, `NAME.xcdatamodeld`, `NAME.xcdatamodel`.
    ///
    /// - Throws: `ModelDocumentError`: `unreadableFile`, naming the places, if there is none; else what is wrong with
    ///   it.
    package class func named(_ name: String) throws -> NSManagedObjectModel {
        let folders = ModelFolders.own
        for folder in folders {
            for pathExtension in ModelSource.pathExtensions {
                let url = folder.appendingPathComponent(name).appendingPathExtension(pathExtension)
                guard FileManager.default.fileExists(atPath: url.path) else { continue }
                return try NSManagedObjectModel(reading: url)
            }
        }
        let places = folders.map(\.path).joined(separator: ", ")
        throw ModelDocumentError(
            .unreadableFile,
            sentence:
                "There is no model \(name).momd, .mom or .xcdatamodeld in \(whole: places). Does the target list the model as a resource, or use the model plug-in?"
        )
    }

    /// The current versions of all models in some bundles; nil stands for the program's own.
    ///
    /// A build folder holds the resources of programs that are built beside this one, too. Where it is known of some
    /// models that they belong to this program, those of others are left out.
    ///
    /// A file that is no readable model is passed over, with a message on standard error.
    static func models(in bundles: [Bundle]?) -> [NSManagedObjectModel] {
        ModelFolders.modelURLsOfProgram(in: bundles).compactMap { NSManagedObjectModel(contentsOf: $0) }
    }

    /// All versions of all models in some bundles.
    static func allVersions(in bundles: [Bundle]?) -> [NSManagedObjectModel] {
        ModelFolders.modelURLs(in: bundles).flatMap(versions).map(\.model)
    }

    /// The readable versions of a model with their names; none for what is no model.
    static func versions(at url: URL) -> [(name: String, model: NSManagedObjectModel)] {
        guard let source = try? ModelSource(contentsOf: url) else { return [] }
        return source.versionNames.compactMap { name in
            (try? NSManagedObjectModel(source, version: name)).map { (name, $0) }
        }
    }
}
