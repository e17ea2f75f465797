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
    /// The URL of a resource; a model's URL also where the build has put it elsewhere.
    ///
    /// ```swift
    /// let url = Bundle.main.url(forResource: "League", withExtension: "momd")!
    /// let model = NSManagedObjectModel(contentsOf: url)
    /// ```
    ///
    /// A model (`momd`, `mom`) is looked for in the bundle, and then in the resource bundles beside the bundle's
    /// contents. A document that was not compiled (`NAME.xcdatamodeld`) is found, too:
    /// ``NSManagedObjectModel/init(contentsOf:)`` reads it. For other resources, the result is that of Foundation.
    public func url(forResource name: String, withExtension ext: String) -> URL? { foundURL(name, ext) }

    /// The URL of a resource; see ``url(forResource:withExtension:)``. With nil, the URL of any resource with the
    /// extension.
    public func url(forResource name: String?, withExtension ext: String) -> URL? { foundURL(name, ext) }

    /// The URL of a resource; see ``url(forResource:withExtension:)``. The name of a model may have its extension:
    /// `League.momd`.
    public func url(forResource name: String, withExtension ext: String?) -> URL? { foundURL(name, ext) }

    /// The URL of a resource; see ``url(forResource:withExtension:)``.
    ///
    /// In a file that imports Foundation as well, Foundation's function of the same types is called.
    @_disfavoredOverload
    public func url(forResource name: String?, withExtension ext: String?) -> URL? { foundURL(name, ext) }

    /// The URL of a resource in a folder, a version of a model among them.
    ///
    /// ```swift
    /// let old = Bundle.main.url(forResource: "League 2", withExtension: "mom", subdirectory: "League.momd")
    /// ```
    ///
    /// The versions of a model are resources with the extension `mom` in the folder `NAME.momd`. That folder may be a
    /// single file here; ``NSManagedObjectModel/init(contentsOf:)`` reads the URL all the same.
    public func url(forResource name: String, withExtension ext: String, subdirectory subpath: String?) -> URL? {
        foundURL(name, ext, in: subpath)
    }

    /// The URL of a resource in a folder; see ``url(forResource:withExtension:subdirectory:)``. With nil, the first
    /// version.
    public func url(forResource name: String?, withExtension ext: String, subdirectory subpath: String?) -> URL? {
        foundURL(name, ext, in: subpath)
    }

    /// The URL of a resource in a folder; see ``url(forResource:withExtension:subdirectory:)``.
    public func url(forResource name: String, withExtension ext: String?, subdirectory subpath: String?) -> URL? {
        foundURL(name, ext, in: subpath)
    }

    /// The URL of a resource in a folder; see ``url(forResource:withExtension:subdirectory:)``.
    ///
    /// In a file that imports Foundation as well, Foundation's function of the same types is called.
    @_disfavoredOverload
    public func url(forResource name: String?, withExtension ext: String?, subdirectory subpath: String?) -> URL? {
        foundURL(name, ext, in: subpath)
    }

    /// The path of a resource; see ``url(forResource:withExtension:)``.
    ///
    /// ```swift
    /// guard let path = Bundle.main.path(forResource: "League", ofType: "momd") else { return }
    /// let model = NSManagedObjectModel(contentsOf: URL(fileURLWithPath: path))
    /// ```
    public func path(forResource name: String, ofType ext: String) -> String? { foundURL(name, ext)?.path }

    /// The path of a resource; see ``url(forResource:withExtension:)``.
    public func path(forResource name: String?, ofType ext: String) -> String? { foundURL(name, ext)?.path }

    /// The path of a resource; see ``url(forResource:withExtension:)``.
    public func path(forResource name: String, ofType ext: String?) -> String? { foundURL(name, ext)?.path }

    /// The path of a resource; see ``url(forResource:withExtension:)``.
    @_disfavoredOverload
    public func path(forResource name: String?, ofType ext: String?) -> String? { foundURL(name, ext)?.path }

    /// The URLs of all resources with an extension; for models also of those in the resource bundles beside this one's
    /// contents.
    ///
    /// ```swift
    /// let models = Bundle.main.urls(forResourcesWithExtension: "momd", subdirectory: nil) ?? []
    /// let versions = Bundle.main.urls(forResourcesWithExtension: "mom", subdirectory: "League.momd") ?? []
    /// ```
    ///
    /// With a model as the folder, the URLs are those of its versions. If Foundation finds resources, only these are in
    /// the list.
    public func urls(forResourcesWithExtension ext: String, subdirectory subpath: String?) -> [URL]? {
        let found = foundationURLs(ext, in: subpath) ?? []
        guard found.isEmpty, Self.modelExtensions.contains(ext) else { return found }
        guard let subpath, !subpath.isEmpty else {
            return ModelFolders.modelURLs(in: [self]).filter { $0.pathExtension == ext }
        }
        return ext == "mom" ? versionURLs(of: subpath) : []
    }

    /// The URLs of all resources with an extension; see ``urls(forResourcesWithExtension:subdirectory:)``. Nil: of any
    /// extension.
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
