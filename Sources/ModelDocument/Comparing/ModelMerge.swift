import Foundation

/// What becomes of a model that was changed on two sides.
///
/// ```swift
/// let merge = try ModelMerge(base: base, ours: ours, theirs: theirs)
/// for conflict in merge.conflicts { print(conflict) }
/// try merge.model.contents().write(to: file)
/// ```
///
/// A setting that one side changed is taken from that side. A setting that both changed alike is taken once. Where they
/// disagree, the merged model has our side, and there is a conflict. Renaming identifiers say what was renamed: a
/// change of the other side reaches the element under its new name.
///
/// Places in the diagram and the Xcode that saved the document are never in conflict.
public struct ModelMerge: Sendable, Hashable {
    /// The merged model. Where there is a conflict, it has what our side has.
    ///
    /// Without conflicts it is ready to be written.
    public let model: Model

    /// The places where the sides disagree, in the document's order.
    ///
    /// After them come faults of the merged model that neither side has, for example an inverse that does not lead
    /// back.
    public let conflicts: [Conflict]

    /// All places where the sides disagree, those among them that choices have settled.
    package let questions: [Conflict]

    /// A place where the sides disagree.
    public struct Conflict: Sendable, Hashable, CustomStringConvertible {
        /// The element, such as `Player.name`; empty for the model itself.
        public var place: String

        /// What is the matter, as the rest of a sentence that begins with the place.
        public var message: String

        /// What is to be chosen; nil for a fault that no choice of a side mends.
        package var question: Question?

        /// Place and message in one line, as in `Player.name: …`.
        public var description: String { (place.isEmpty ? "the model" : place) + ": " + message }
    }

    /// Merges two models that come from a third.
    ///
    /// - Parameters:
    ///   - base: what both sides began with; `nil` if they share nothing.
    ///   - ours: the side that wins where both can't.
    ///   - theirs: the other side.
    /// - Throws: `ModelDocumentError` `unwritableContent` for a model that no document can say, such as a compiled one.
    public init(base: Model?, ours: Model, theirs: Model) throws {
        try self.init(base: base, ours: ours, theirs: theirs, choices: [:])
    }

    /// Merges two models, with a side for each conflict that is settled.
    ///
    /// - Parameter choices: By ``Question/id``. What names no conflict has no effect.
    /// - Throws: As above.
    package init(base: Model?, ours: Model, theirs: Model, choices: [String: Side]) throws {
        var sides = AlignedSides(base: base, ours: ours, theirs: theirs, choices: MergeChoices(choices))
        sides.align()
        var merger = MarkupMerger(choices: sides.choices)
        let root = merger.merged(
            try base.map { _ in try sides.base.markup() }, try sides.ours.markup(), try sides.theirs.markup())
        var merged = try Model(markup: root ?? sides.ours.markup())
        if base != nil { merged.dropRemovedNames(since: sides.base) }
        merged.mergeLayout(base, ours, theirs)
        model = merged
        questions = merger.choices.questions
        conflicts = merger.choices.conflicts + Self.faults(of: merged, notOf: [sides.ours, sides.theirs])
    }

    /// What is wrong with a model and with none of the others: the sides agree line by line, but not in sum.
    private static func faults(of model: Model, notOf others: [Model]) -> [Conflict] {
        let known = Set(others.flatMap { $0.diagnostics.map(\.message) })
        let codes: [Model.DiagnosticCode] = [.oneSidedInverse, .wrongInverse]
        return model.diagnostics
            .filter { ($0.severity == .error || codes.contains($0.code)) && !known.contains($0.message) }
            .map { finding in
                Conflict(
                    place: [finding.entityName, finding.propertyName].compactMap { $0 }.joined(separator: "."),
                    message: "together the sides give what neither has: \(finding.message)")
            }
    }
}

extension Model {
    /// Takes what is said beside the root element from the side that changed it.
    fileprivate mutating func mergeLayout(_ base: Model?, _ ours: Model, _ theirs: Model) {
        func merged<Value: Equatable>(_ value: (Model) -> Value) -> Value {
            guard let base, value(ours) == value(base) else { return value(ours) }
            return value(theirs)
        }
        leadingComments = merged(\.leadingComments)
        trailingComments = merged(\.trailingComments)
        let layout = merged { $0.documentInfo?.layout ?? .init() }
        let hasEmptyDiagram = documentInfo?.layout.hasEmptyDiagram ?? false
        documentInfo?.layout = layout
        documentInfo?.layout.hasEmptyDiagram = hasEmptyDiagram
    }
}

/// The three models under common names: what one side renamed has its new name in all of them.
struct AlignedSides {
    var base: Model
    var ours: Model
    var theirs: Model
    private(set) var choices: MergeChoices

    init(base: Model?, ours: Model, theirs: Model, choices: MergeChoices) {
        self.choices = choices
        self.base = base ?? Model()
        self.ours = ours
        self.theirs = theirs
    }

    mutating func align() {
        alignEntities()
        alignProperties()
    }

    private mutating func alignEntities() {
        let (mine, others) = (
            ModelRenames.entities(from: base, to: ours), ModelRenames.entities(from: base, to: theirs)
        )
        for rename in mine {
            if let other = others.first(where: { $0.name == rename.name }), other.newName != rename.newName {
                if choose(rename.name, rename.newName, other.newName) == .theirs {
                    try? ours.renameEntity(rename.newName, to: other.newName)
                    try? base.renameEntity(rename.name, to: other.newName)
                    continue
                }
                try? theirs.renameEntity(other.newName, to: rename.newName)
            } else if theirs[entity: rename.newName] == nil {
                try? theirs.renameEntity(rename.name, to: rename.newName)
            }
            try? base.renameEntity(rename.name, to: rename.newName)
        }
        for rename in others where base[entity: rename.name] != nil {
            if ours[entity: rename.newName] == nil { try? ours.renameEntity(rename.name, to: rename.newName) }
            try? base.renameEntity(rename.name, to: rename.newName)
        }
    }

    private mutating func alignProperties() {
        let (mine, others) = (
            ModelRenames.properties(from: base, to: ours), ModelRenames.properties(from: base, to: theirs)
        )
        for rename in mine {
            let other = others.first { $0.entity == rename.entity && $0.name == rename.name }
            if let other, other.newName != rename.newName {
                if choose("\(rename.entity).\(rename.name)", rename.newName, other.newName) == .theirs {
                    try? ours.renameProperty(rename.newName, of: rename.entity, to: other.newName)
                    try? base.renameProperty(rename.name, of: rename.entity, to: other.newName)
                    continue
                }
                try? theirs.renameProperty(other.newName, of: rename.entity, to: rename.newName)
            } else if other == nil {
                try? theirs.renameProperty(rename.name, of: rename.entity, to: rename.newName)
            }
            try? base.renameProperty(rename.name, of: rename.entity, to: rename.newName)
        }
        for rename in others where base[entity: rename.entity]?.propertyNames.contains(rename.name) == true {
            try? ours.renameProperty(rename.name, of: rename.entity, to: rename.newName)
            try? base.renameProperty(rename.name, of: rename.entity, to: rename.newName)
        }
    }

    private mutating func choose(_ place: String, _ ours: String, _ theirs: String) -> ModelMerge.Side {
        let old = place.split(separator: ".").last.map(String.init)
        return choices.ask(
            .name, at: place, ["is renamed \(ours) by us and \(theirs) by them; taken: \(ours)"],
            [.init("name", base: old, ours: ours, theirs: theirs)])
    }
}
