import CoreData
import Foundation
import ModelArchive
import ModelDocument
import PropertyLists

/// The model that a store is read with, when it is given by files.
package enum StoreModels {
    /// Reads the models at some paths, of each the version that made the store, and merges them.
    ///
    /// - Parameters:
    ///   - hashes: The store's version hashes; empty where it has none.
    ///   - tell: Told where no version is the one that made the store.
    /// - Throws: ``ToolFailure``.
    package static func read(
        _ paths: [String], hashes: [String: Data], telling tell: (String) -> Void
    ) throws -> Model {
        var merged = Model()
        for path in paths {
            let model = try ModelAtPath.reporting { try best(path, hashes) }
            let known = Set(merged.entities.map(\.name))
            merged.entities += model.entities.filter { !known.contains($0.name) }
            merged.composites += model.composites
            merged.fetchRequests += model.fetchRequests
        }
        warn(merged, hashes, tell)
        return merged
    }

    /// The version with the most entities in the store; among equals the current one.
    private static func best(_ path: String, _ hashes: [String: Data]) throws -> Model {
        let source = try ModelSource(contentsOf: URL(fileURLWithPath: path))
        let current = try source.document()
        guard source.versionNames.count > 1, !hashes.isEmpty else { return current }
        var best = (model: current, score: score(current, hashes))
        for name in source.versionNames where name != source.currentVersionName && best.score < current.entities.count {
            // A version that can't be read can't be the one; the current one could.
            guard let model = try? source.document(version: name) else { continue }
            let score = score(model, hashes)
            if score > best.score { best = (model, score) }
        }
        return best.model
    }

    private static func score(_ model: Model, _ hashes: [String: Data]) -> Int {
        let own = (try? VersionHashes(model).entities) ?? [:]
        return own.count { hashes[$0.key] == $0.value }
    }

    private static func warn(_ model: Model, _ hashes: [String: Data], _ tell: (String) -> Void) {
        let own = (try? VersionHashes(model).entities) ?? [:]
        let others = hashes.filter { own[$0.key] != $0.value }.map(\.key).sorted { $0.precedesByCodePoint($1) }
        guard !others.isEmpty else { return }
        let sentence: Sentence =
            "warning: no version of the given model made this store; it is fitted as far as it goes. These entities differ: \(list: others)"
        tell(sentence.text)
    }
}
