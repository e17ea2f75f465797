import FoundationGaps

/// A file that keeps the names and sizes of a controller's sections.
///
/// Apple's compares the times of files; here what the file says is checked against the results, at both ends of each
/// section, which spares the reading of all others.
struct SectionCache {
    struct Contents: Codable, Equatable {
        /// Tells what the sections were made for; see ``key(for:)``.
        let key: String
        let names: [String]
        let counts: [Int]
    }

    let name: String
    let key: String

    private var url: URL { Self.folder.appendingPathComponent(Self.fileName(name)) }

    /// What is kept, if it was made for the same request and model.
    var contents: Contents? {
        guard let stored, stored.key == key else { return nil }
        return stored
    }

    /// What is kept for whatever request. What can't be read, or understood, is not there: it is computed again.
    var stored: Contents? {
        (try? Data(contentsOf: url)).flatMap { try? PropertyListDecoder().decode(Contents.self, from: $0) }
    }

    /// Keeps sections. What can't be written is computed again the next time.
    func write(_ sections: ResultSections) {
        let contents = Contents(
            key: key, names: sections.list.map(\.name), counts: sections.list.map(\.objects.count))
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        guard let data = try? encoder.encode(contents) else { return }
        try? FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
        try? data.write(to: url, options: .atomic)
    }

    static func delete(_ name: String?) {
        let url = name.map { folder.appendingPathComponent(fileName($0)) } ?? folder
        try? FileManager.default.removeItem(at: url)
    }

    /// Says what sections are made for: the request and the entity's version.
    static func key(for query: ResultsQuery) -> String {
        let request = query.request
        let parts: [String] = [
            query.entity.name, query.entity.entity.versionHash.base64EncodedString(), query.sectionKeyPath ?? "",
            request.predicate?.formatText ?? "",
            query.descriptors.map { "\($0.storeKey ?? "") \($0.ascending) \($0.selector?.description ?? "")" }
                .joined(separator: ", "),
            "\(request.fetchLimit) \(request.fetchOffset) \(request.includesSubentities)",
        ]
        return parts.joined(separator: "\n")
    }

    /// Where the program's caches are, `$XDG_CACHE_HOME/PROGRAM/SectionCaches` on Linux.
    private static var folder: URL {
        let base = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
        return (base ?? URL(fileURLWithPath: NSTemporaryDirectory()))
            .appendingPathComponent(ProcessInfo.processInfo.processName, isDirectory: true)
            .appendingPathComponent("SectionCaches", isDirectory: true)
    }

    /// A name that is a file's, whatever it is made of.
    private static func fileName(_ name: String) -> String {
        let safe = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return safe.prefix(200) + (safe.count > 200 ? "-\(ManagedKey.hash(name))" : "") + ".sections"
    }
}

extension ResultsCore {
    /// The cache that a fetch may use; nil: there is none to be used.
    ///
    /// Traps where the request was changed and the cache was not deleted, as Apple's does.
    func openCache(_ query: ResultsQuery) -> SectionCache? {
        guard let cacheName, sectionKeyPath != nil else { return nil }
        let cache = SectionCache(name: cacheName, key: SectionCache.key(for: query))
        if let cacheKey, cacheKey != cache.key, cache.stored?.key == cacheKey {
            programmerError(
                "The request of the results controller for \(query.entity.name) was changed, and the sections cached as \"\(cacheName)\" are still there; call deleteCache(withName: \"\(cacheName)\") before you change the request, or use no cache."
            )
        }
        cacheKey = cache.key
        return cache
    }

    /// Writes sections that are not yet in the cache.
    func writeCache(_ sections: ResultSections) {
        guard cacheIsStale, let cacheName, sectionKeyPath != nil, let cacheKey else { return }
        cacheIsStale = false
        SectionCache(name: cacheName, key: cacheKey).write(sections)
    }
}
