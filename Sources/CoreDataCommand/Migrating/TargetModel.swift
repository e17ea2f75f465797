import CoreData
import Foundation
import ModelArchive
import ModelDocument
import StoreBrowsing

/// The model that a store is to get, with the versions beside it.
struct TargetModel {
    let model: Model
    /// The version's name; nil for a model that is alone.
    let version: String?
    private let source: ModelSource

    /// - Parameter path: A model, or a version in one: `League.xcdatamodeld/League 2`.
    /// - Throws: ``CommandFailure``.
    init(_ path: String) throws {
        let url = URL(fileURLWithPath: path)
        let folder = url.deletingLastPathComponent()
        let isVersion = ["xcdatamodeld", "momd"].contains(folder.pathExtension.lowercased())
        guard isVersion || FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure(.missingFile, "There is no file at \(path).")
        }
        guard isVersion || ModelAtPath.isModel(path) else {
            throw CommandFailure(
                .foreign, "\(path) is no model: an .xcdatamodeld, an .xcdatamodel, a .momd or a .mom is one.")
        }
        let source = try ModelAtPath.reporting { try ModelSource(contentsOf: isVersion ? folder : url) }
        var name = isVersion ? url.lastPathComponent : source.currentVersionName
        if isVersion, ["xcdatamodel", "mom"].contains(url.pathExtension.lowercased()) {
            name = url.deletingPathExtension().lastPathComponent
        }
        guard source.versionNames.contains(name) else {
            throw CommandFailure(
                .missingFile, "\(folder.path) has no version \(name); it has \(list: source.versionNames).")
        }
        model = try ModelAtPath.reporting { try source.document(version: name) }
        version = source.versionNames.count > 1 ? name : nil
        self.source = source
    }

    /// Where the version itself lies, as Xcode names it in mapping models.
    var versionURL: URL {
        guard source.url.pathExtension == "xcdatamodeld", let version = version ?? source.versionNames.first else {
            return source.url
        }
        return source.url.appendingPathComponent(version + ".xcdatamodel")
    }

    /// The version that made a store, among those of the model.
    func version(with hashes: [String: Data]) throws -> (Model, String?)? {
        guard !hashes.isEmpty, let name = names.first(where: { self.hashes(of: $0) == hashes }) else { return nil }
        return (try ModelAtPath.reporting { try source.document(version: name) }, version == nil ? nil : name)
    }

    /// The version that made a store, if it comes after another one.
    func newerVersion(than name: String?, with hashes: [String: Data]) -> String? {
        guard let name, let place = names.firstIndex(of: name) else { return nil }
        return names[(place + 1)...].first { self.hashes(of: $0) == hashes }
    }

    /// The versions, the oldest first.
    private var names: [String] {
        source.versionNames.sorted { $0.compare($1, options: .numeric) == .orderedAscending }
    }

    /// The version hashes of a version; nil where it can't be read, and so has made no store.
    private func hashes(of name: String) -> [String: Data]? {
        (try? source.document(version: name)).flatMap { try? VersionHashes($0).entities }
    }
}
