import FoundationGaps
import ModelArchive

// Code written for Apple's platforms asks a bundle for `League.momd`. Here the model lies in a resource bundle that the build
// puts beside the executable, which `Bundle.main` does not look into, or it is the document itself, not compiled. These
// methods win over Foundation's wherever name and extension are given, ask those first, and differ for models only.

extension Bundle {
    /// The URL of a resource; for a model (`momd`, `mom`), also of one in the resource bundles beside this one's
    /// contents, and of a document that was not compiled (`NAME.xcdatamodeld`), which `NSManagedObjectModel(contentsOf:)` reads
    /// as well.
    public func url(forResource name: String, withExtension ext: String) -> URL? {
        let (name, ext): (String?, String?) = (name, ext)
        return url(forResource: name, withExtension: ext) ?? modelURL(name, ext)
    }

    /// The path of a resource; see ``url(forResource:withExtension:)``.
    public func path(forResource name: String, ofType ext: String) -> String? {
        let (name, ext): (String?, String?) = (name, ext)
        return path(forResource: name, ofType: ext) ?? modelURL(name, ext)?.path
    }

    /// The URLs of all resources with an extension; for models (`momd`, `mom`), also of those in the resource bundles beside
    /// this one's contents.
    public func urls(forResourcesWithExtension ext: String, subdirectory subpath: String?) -> [URL]? {
        let wanted: String? = ext
        let found = (urls(forResourcesWithExtension: wanted, subdirectory: subpath) ?? []).map { $0 as URL }
        guard found.isEmpty, subpath == nil, Self.modelExtensions.contains(ext) else { return found }
        return ModelFolders.modelURLs(in: [self]).filter { $0.pathExtension == ext }
    }

    private static let modelExtensions = ["momd", "mom"]

    private func modelURL(_ name: String?, _ ext: String?) -> URL? {
        guard let name, let ext, Self.modelExtensions.contains(ext) else { return nil }
        let models = ModelFolders.modelURLs(in: [self]).filter { $0.deletingPathExtension().lastPathComponent == name }
        return models.first { $0.pathExtension == ext } ?? models.first
    }
}
