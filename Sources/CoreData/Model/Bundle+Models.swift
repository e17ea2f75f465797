import FoundationGaps
import ModelArchive

// Code written for Apple's platforms asks a bundle for `League.momd`. Here the model lies in a resource bundle that the
// build puts beside the executable, which `Bundle.main` does not look into, or it is the document itself, not compiled.
// These methods win over Foundation's wherever a name, an extension or both are no optionals, ask those first, and
// differ for models only.
//
// Where both are optionals, Foundation's methods have the same types. Ours hide them in files that import CoreData
// alone. In files that import Foundation too, the attribute lets Foundation's win, as the call would be ambiguous
// otherwise.

extension Bundle {
    /// The URL of a resource; for a model (`momd`, `mom`), also of one in the resource bundles beside this one's
    /// contents, and of a document that was not compiled (`NAME.xcdatamodeld`), which
    /// `NSManagedObjectModel(contentsOf:)` reads as well.
    public func url(forResource name: String, withExtension ext: String) -> URL? { foundURL(name, ext) }

    /// The URL of a resource; see ``url(forResource:withExtension:)``.
    public func url(forResource name: String?, withExtension ext: String) -> URL? { foundURL(name, ext) }

    /// The URL of a resource; see ``url(forResource:withExtension:)``. The name of a model may have its extension:
    /// `League.momd`.
    public func url(forResource name: String, withExtension ext: String?) -> URL? { foundURL(name, ext) }

    /// The URL of a resource; see ``url(forResource:withExtension:)``.
    @_disfavoredOverload
    public func url(forResource name: String?, withExtension ext: String?) -> URL? { foundURL(name, ext) }

    /// The URL of a resource in a folder. The versions of a model are `mom` resources in the folder `NAME.momd`; that
    /// may be a single file, which `NSManagedObjectModel(contentsOf:)` knows.
    public func url(forResource name: String, withExtension ext: String, subdirectory subpath: String?) -> URL? {
        foundURL(name, ext, in: subpath)
    }

    /// The URL of a resource in a folder; see ``url(forResource:withExtension:subdirectory:)``.
    public func url(forResource name: String?, withExtension ext: String, subdirectory subpath: String?) -> URL? {
        foundURL(name, ext, in: subpath)
    }

    /// The URL of a resource in a folder; see ``url(forResource:withExtension:subdirectory:)``.
    public func url(forResource name: String, withExtension ext: String?, subdirectory subpath: String?) -> URL? {
        foundURL(name, ext, in: subpath)
    }

    /// The URL of a resource in a folder; see ``url(forResource:withExtension:subdirectory:)``.
    @_disfavoredOverload
    public func url(forResource name: String?, withExtension ext: String?, subdirectory subpath: String?) -> URL? {
        foundURL(name, ext, in: subpath)
    }

    /// The path of a resource; see ``url(forResource:withExtension:)``.
    public func path(forResource name: String, ofType ext: String) -> String? { foundURL(name, ext)?.path }

    /// The path of a resource; see ``url(forResource:withExtension:)``.
    public func path(forResource name: String?, ofType ext: String) -> String? { foundURL(name, ext)?.path }

    /// The path of a resource; see ``url(forResource:withExtension:)``.
    public func path(forResource name: String, ofType ext: String?) -> String? { foundURL(name, ext)?.path }

    /// The path of a resource; see ``url(forResource:withExtension:)``.
    @_disfavoredOverload
    public func path(forResource name: String?, ofType ext: String?) -> String? { foundURL(name, ext)?.path }

    /// The URLs of all resources with an extension; for models (`momd`, `mom`), also of those in the resource bundles
    /// beside this one's contents. With a model as the folder (`League.momd`), the URLs of its versions (`mom`).
    public func urls(forResourcesWithExtension ext: String, subdirectory subpath: String?) -> [URL]? {
        let found = foundationURLs(ext, in: subpath) ?? []
        guard found.isEmpty, Self.modelExtensions.contains(ext) else { return found }
        guard let subpath, !subpath.isEmpty else {
            return ModelFolders.modelURLs(in: [self]).filter { $0.pathExtension == ext }
        }
        return ext == "mom" ? versionURLs(of: subpath) : []
    }

    /// The URLs of all resources with an extension; see ``urls(forResourcesWithExtension:subdirectory:)``.
    @_disfavoredOverload
    public func urls(forResourcesWithExtension ext: String?, subdirectory subpath: String?) -> [URL]? {
        if let ext { return urls(forResourcesWithExtension: ext, subdirectory: subpath) }
        return foundationURLs(nil, in: subpath)
    }

    /// The paths of all resources with an extension; see ``urls(forResourcesWithExtension:subdirectory:)``.
    public func paths(forResourcesOfType ext: String, inDirectory subpath: String?) -> [String] {
        let found = foundationPaths(ext, in: subpath)
        return found.isEmpty
            ? (urls(forResourcesWithExtension: ext, subdirectory: subpath) ?? []).map(\.path) : found
    }

    private static let modelExtensions = ["momd", "mom"]

    private func foundURL(_ name: String?, _ ext: String?) -> URL? {
        foundationURL(name, ext) ?? modelURL(name, ext)
    }

    private func foundURL(_ name: String?, _ ext: String?, in subpath: String?) -> URL? {
        if let found = foundationURL(name, ext, in: subpath) { return found }
        guard let subpath, !subpath.isEmpty else { return modelURL(name, ext) }
        let versions = ext == "mom" ? versionURLs(of: subpath) : []
        return versions.first { name == nil || $0.deletingPathExtension().lastPathComponent == name }
    }

    private func modelURL(_ name: String?, _ ext: String?) -> URL? {
        guard let ext, !ext.isEmpty else {
            guard let url = name.map({ URL(fileURLWithPath: $0) }), !url.pathExtension.isEmpty else { return nil }
            return modelURL(url.deletingPathExtension().lastPathComponent, url.pathExtension)
        }
        guard Self.modelExtensions.contains(ext) else { return nil }
        let models = ModelFolders.modelURLs(in: [self]).filter { url in
            name.map { $0 == url.deletingPathExtension().lastPathComponent } ?? true
        }
        return models.first { $0.pathExtension == ext } ?? (name == nil ? nil : models.first)
    }

    /// The URLs of the versions of a model in one file or in a folder.
    private func versionURLs(of name: String) -> [URL] {
        guard name.hasSuffix(".momd"), let model = modelURL(name, nil), model.pathExtension == "momd",
            let source = try? ModelSource(contentsOf: model)
        else { return [] }
        return source.versionNames.map { model.appendingPathComponent($0 + ".mom") }
    }
}
