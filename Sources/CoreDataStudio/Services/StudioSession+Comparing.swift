import Foundation
import ModelDocument
import ModelGraph
import ModelLint
import StoreInspection

extension StudioSession {
    /// What is different between two versions, of this document as it is, as it was saved last, or as it is on disk.
    ///
    /// - Parameters: each a version's identifier, `disk:` or `saved:` and one.
    func compare(from: String, to: String) throws -> JSON {
        let (old, new) = (try side(from), try side(to))
        let comparison = JudgedComparison(from: old.version.model, to: new.version.model)
        return [
            "changes": .array(comparison.changes.map(\.json)), "migration": comparison.need.json,
            "from": old.json, "to": new.json,
        ]
    }

    private func side(_ text: String) throws -> ComparedSide {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard let id = parts.last.map(ElementID.init(rawValue:)),
            let index = document.trees.firstIndex(where: { $0.id == id })
        else { throw StudioError(.unknownElement, "There is no version ‘\(text)’ to compare.") }
        let version = document.document.versions[index]
        guard parts.count == 2 else {
            return ComparedSide(version: version, tree: document.trees[index])
        }
        let other: VersionedModel?
        switch parts[0] {
        case "saved": other = files.base
        case "disk": do { other = try VersionedModel(contentsOf: url) } catch { throw StudioError(error) }
        default: throw StudioError(.invalidRequest, "‘\(parts[0])’ is no state of a document: disk or saved.")
        }
        guard let other = other?.versions.first(where: { $0.name == version.name }) else {
            throw StudioError(.unknownElement, "There is no version “\(version.name)” there.")
        }
        return ComparedSide(version: other, tree: nil)
    }

    /// What renaming an element would change beside it.
    func previewRename(_ id: ElementID, to name: String) throws -> JSON {
        let location = try document.location(of: id)
        let model = document.model(location)
        guard let target = location.place == .model ? nil : model.renameTarget(location.place) else {
            return ["references": [], "problem": nil]
        }
        do {
            let references = try ModelRename(target, to: ActionChecks.name(name)).references(in: model)
            let tree = document.trees[location.version]
            return ["references": .array(references.map { $0.json(tree) }), "problem": nil]
        } catch { return ["references": [], "problem": .text(StudioError(error).message)] }
    }

    /// The text of a version as saving would write it, and what that changes.
    func source(ofVersion id: ElementID) throws -> JSON {
        guard let index = document.trees.firstIndex(where: { $0.id == id }) else {
            throw StudioError(.unknownElement, "There is no version ‘\(id)’.")
        }
        let path = files.path(ofVersion: document.document.versions[index].name)
        do {
            let text = String(decoding: try files.files(of: document.document)[path] ?? Data(), as: UTF8.self)
            let saved = String(decoding: files.bytes[path] ?? Data(), as: UTF8.self)
            let diff = UnifiedDiff(saved, text, path: path).lines.joined(separator: "\n")
            return ["text": .text(text), "diff": .text(diff)]
        } catch { throw StudioError(error) }
    }
}

/// One side of a comparison.
private struct ComparedSide {
    var version: VersionedModel.Version
    /// The identifiers, where the version is one of the document's; others get their own.
    var tree: VersionTree?

    var json: JSON {
        let tree = tree ?? ownTree
        let records = VersionRecords(version, tree, isCurrent: false).records
        return [
            "name": .text(version.name), "version": .text(tree.id.rawValue),
            "records": .object(Dictionary(uniqueKeysWithValues: records.map { ($0.rawValue, .object($1)) })),
            "places": GraphPlaces.json(Diagram(version.model), tree),
        ]
    }

    private var ownTree: VersionTree {
        var source = IDSource(scratch: true)
        let children = IdentifiedNode.identified(version.model.outline, formerly: [], &source)
        return VersionTree(
            IdentifiedNode(id: source.next(.version), kind: .version, key: version.name, children: children))
    }
}

extension JudgedComparison.Change {
    fileprivate var json: JSON {
        [
            "kind": .text(change.kind.rawValue), "element": .text(change.element.rawValue),
            "owner": .optional(change.owner), "name": .text(change.name), "formerName": .optional(change.formerName),
            "migration": need.json,
            "settings": .array(
                change.settings.map { ["name": .text($0.name), "old": .optional($0.old), "new": .optional($0.new)] }),
        ]
    }
}

extension StoreNeed {
    fileprivate var json: JSON { ["kind": .text(name), "reason": .optional(reason)] }
}

extension ModelRename.Reference {
    fileprivate func json(_ tree: VersionTree) -> JSON {
        [
            "element": .text(tree.nearestID(to: ElementPlace(path)).rawValue), "field": .text(field),
            "title": .text(title), "before": .text(before), "after": .text(after),
            "certainty": doubt == nil ? "sure" : "unsure", "reason": .optional(doubt),
        ]
    }
}
