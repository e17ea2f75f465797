import Foundation

// Foundation's own look-ups. CoreData has methods of the same names and types for models, which hide these in all of
// its files.

extension Bundle {
    package func foundationURL(_ name: String?, _ ext: String?, in subpath: String? = nil) -> URL? {
        if let subpath { return url(forResource: name, withExtension: ext, subdirectory: subpath) }
        return url(forResource: name, withExtension: ext)
    }

    package func foundationURLs(_ ext: String?, in subpath: String?) -> [URL]? {
        urls(forResourcesWithExtension: ext, subdirectory: subpath)?.map { $0 as URL }
    }

    package func foundationPaths(_ ext: String?, in subpath: String?) -> [String] {
        paths(forResourcesOfType: ext, inDirectory: subpath)
    }
}
