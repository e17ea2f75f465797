import FoundationGaps
import ModelArchive
import ModelDocument

extension NSManagedObjectModel {
    /// A model from a file: Xcode's `.xcdatamodeld` or `.xcdatamodel`, a compiled `.momd` or `.mom`, or the one-file
    /// `.momd` of a build with the model plug-in.
    ///
    /// Of several versions the current one is taken.
    ///
    /// - Returns: nil if there is no readable model; standard error then says why.
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
            try self.init(document: source.document(version: version), moduleName: source.moduleName)
        } catch var error as ModelDocumentError {
            error.url = error.url ?? source.url
            throw error
        }
    }

    /// The checksum of each version of a model.
    ///
    /// - Parameter modelURL: As for ``init(contentsOf:)``.
    /// - Returns: By the version's name what ``versionChecksum`` is for it.
    /// - Throws: `ModelDocumentError`, or a Cocoa error for a damaged archive.
    public class func __checksumsForVersionedModel(at modelURL: URL) throws -> [String: String] {
        let source = try ModelSource(contentsOf: modelURL)
        return try Dictionary(
            uniqueKeysWithValues: source.versionNames.map { name in
                (name, try VersionHashes(source.document(version: name)).checksum)
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
            "There is no model \(name).momd, .mom or .xcdatamodeld in \(places). Does the target list the model as a resource, or use the model plug-in?"
        )
    }

    /// The current versions of all models in some bundles; nil stands for the program's own.
    ///
    /// A file that is no readable model is passed over, with a message on standard error.
    static func models(in bundles: [Bundle]?) -> [NSManagedObjectModel] {
        ModelFolders.modelURLs(in: bundles).compactMap { NSManagedObjectModel(contentsOf: $0) }
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

/// The folders in which a program's models are.
enum ModelFolders {
    /// The main bundle's resources, then the resource bundles beside the executable.
    static var own: [URL] {
        let main = Bundle.main
        let roots = [main.resourceURL, main.bundleURL, main.executableURL?.deletingLastPathComponent()]
        return unique(roots.compactMap { $0 } + roots.compactMap { $0 }.flatMap(resourceBundles))
    }

    /// The models in some bundles; nil stands for the program's own, and so does an empty list: that is what
    /// `Bundle.allBundles` is on Linux.
    static func modelURLs(in bundles: [Bundle]?) -> [URL] {
        guard let bundles, !bundles.isEmpty else { return unique(own.flatMap(models)) }
        return unique(bundles.flatMap(folders).flatMap(models))
    }

    /// A bundle's resources, then the resource bundles that a build lays into it: those of its targets.
    private static func folders(of bundle: Bundle) -> [URL] {
        if bundle == Bundle.main { return own }
        let roots = [bundle.resourceURL, bundle.bundleURL].compactMap { $0 }
        return unique(roots + roots.flatMap(resourceBundles))
    }

    private static func resourceBundles(beside folder: URL) -> [URL] {
        contents(of: folder).filter { ["resources", "bundle"].contains($0.pathExtension) }
            .flatMap { [$0, $0.appendingPathComponent("Contents/Resources")] }
    }

    private static func models(in folder: URL) -> [URL] {
        contents(of: folder).filter { ModelSource.pathExtensions.contains($0.pathExtension) }
    }

    private static func contents(of folder: URL) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().map { folder.appendingPathComponent($0) }
    }

    private static func unique(_ urls: [URL]) -> [URL] {
        var known = Set<String>()
        return urls.filter { known.insert($0.standardizedFileURL.resolvingSymlinksInPath().path).inserted }
    }
}
