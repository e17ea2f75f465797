import Foundation

/// The model documents in a target's folder.
struct ModelDocuments {
    /// The documents, in the order of their paths.
    let urls: [URL]

    init(in directory: URL) {
        var found: [URL] = []
        let enumerator = FileManager.default.enumerator(at: directory, includingPropertiesForKeys: [.isDirectoryKey])
        while let url = enumerator?.nextObject() as? URL {
            guard ["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension) else { continue }
            found.append(url)
            enumerator?.skipDescendants()
        }
        urls = found.sorted { $0.path < $1.path }
    }

    /// Two documents of one name would write the same files.
    func checkNames() throws {
        for (name, same) in Dictionary(grouping: urls, by: { $0.deletingPathExtension().lastPathComponent })
        where same.count > 1 {
            throw Problem(description: "two models are called \(name): \(same.map(\.path).joined(separator: ", "))")
        }
    }

    /// Everything inside a document: a change of any of it runs the compiler again.
    func files(of document: URL) -> [URL] {
        let enumerator = FileManager.default.enumerator(at: document, includingPropertiesForKeys: [.isRegularFileKey])
        var files: [URL] = []
        while let url = enumerator?.nextObject() as? URL {
            guard (try? url.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true else { continue }
            files.append(url)
        }
        return files.sorted { $0.path < $1.path }
    }

    struct Problem: Error, CustomStringConvertible {
        let description: String
    }
}
