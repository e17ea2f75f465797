/// Merges the elements of three documents.
struct MarkupMerger {
    private(set) var choices: MergeChoices
    /// The names of the elements around the present one.
    private var place: [String] = []

    init(choices: MergeChoices) { self.choices = choices }

    /// One node from three; `nil` where there is none.
    mutating func merged(_ base: MarkupNode?, _ ours: MarkupNode?, _ theirs: MarkupNode?) -> MarkupNode? {
        if ours == theirs || base == theirs { return ours }
        if base == ours { return theirs }
        guard let ours, let theirs else { return removed(base, ours ?? theirs, byUs: ours == nil) }
        guard case .element(let name, let mine, let myChildren) = ours,
            case .element(_, let their, let theirChildren) = theirs
        else { return ours }
        let (old, oldChildren) = (base?.parts.attributes, base?.parts.children ?? [])
        let title = ours.title
        if let title { place.append(title) }
        defer { if title != nil { place.removeLast() } }
        let attributes = merged(name, old, mine, their)
        guard !ours.isWhole else {
            let children = whole(oldChildren, myChildren, theirChildren)
            // Each side took out other elements of an index, until none was left.
            return children.isEmpty ? nil : .element(name: name, attributes: attributes, children: children)
        }
        let children = merged(oldChildren, myChildren, theirChildren)
        if children.isEmpty, ours.isWrapper, name != "userInfo" { return nil }
        return .element(name: name, attributes: attributes, children: children)
    }

    private var path: String { place.joined(separator: ".") }

    // MARK: - Children

    /// What is left of an element that one side removed and the other changed: the changed one.
    private mutating func removed(_ base: MarkupNode?, _ remaining: MarkupNode?, byUs: Bool) -> MarkupNode? {
        guard let remaining, base != nil else { return remaining }
        guard !remaining.isWrapper else {
            // A wrapper without content is left out: its content is what was removed.
            let empty = remaining.emptied
            guard let merged = merged(base, byUs ? empty : remaining, byUs ? remaining : empty) else { return nil }
            return merged.parts.children.isEmpty ? nil : merged
        }
        if remaining.isPartOfDiagram { return nil }
        guard let title = remaining.title else { return remaining }
        place.append(title)
        defer { place.removeLast() }
        let change: ModelMerge.Side = byUs ? .theirs : .ours
        let (old, new) = (base?.summary, remaining.summary)
        let side = choices.ask(
            .removal, at: path,
            ["was removed by \(byUs ? "us" : "them") and changed by \(byUs ? "them" : "us"); taken: the change"],
            [.init("element", base: old, ours: byUs ? nil : new, theirs: byUs ? new : nil)], standard: change)
        return side == change ? remaining : nil
    }

    private mutating func merged(
        _ base: [MarkupNode], _ ours: [MarkupNode], _ theirs: [MarkupNode]
    ) -> [MarkupNode] {
        let sides = [base, ours, theirs].map { KeyedNodes($0) }
        var result: [NodeKey: MarkupNode] = [:]
        for key in MergedOrder<NodeKey>.union(sides.map(\.keys)) {
            result[key] = merged(sides[0][key], sides[1][key], sides[2][key])
        }
        let order = MergedOrder(base: sides[0].keys, ours: sides[1].keys, theirs: sides[2].keys)
        return order.keys(where: { result[$0] != nil }).compactMap { result[$0] }
    }

    /// Children in an order that counts: what either side took out is gone, anything else is for one side to say.
    private mutating func whole(
        _ base: [MarkupNode], _ ours: [MarkupNode], _ theirs: [MarkupNode]
    ) -> [MarkupNode] {
        if ours == theirs || base == theirs { return ours }
        if base == ours { return theirs }
        if base.filter(ours.contains) == ours, base.filter(theirs.contains) == theirs {
            return ours.filter(theirs.contains)
        }
        let lists = [base, ours, theirs].map { $0.compactMap(\.listTitle).joined(separator: ", ") }
        let side = choices.ask(
            .list, at: path, ["its elements were changed by both sides; taken: ours"],
            [.init("elements", base: lists[0], ours: lists[1], theirs: lists[2])], sides: [.ours, .theirs, .both])
        switch side {
        case .ours: return ours
        case .theirs: return theirs
        case .both: return ours + theirs.filter { !ours.contains($0) }
        }
    }
}

// MARK: - Attributes

extension MarkupMerger {
    /// Attributes of relationships that mean something together only.
    private static let relationshipGroups = [
        ["destinationEntity", "inverseName", "inverseEntity"], ["toMany", "maxCount"],
    ]

    /// What an attribute's type gives a meaning to.
    private static let typeGroup = [
        "attributeType", "valueTransformerName", "customClassName", "composite", "derived", "derivationExpression",
        "allowsExternalBinaryDataStorage", "minValueString", "maxValueString", "minDateTimeInterval",
        "maxDateTimeInterval", "defaultDateTimeInterval", "defaultValueString", "regularExpressionString",
        "usesScalarValueType",
    ]

    private mutating func merged(
        _ element: String, _ base: [MarkupNode.Attribute]?, _ ours: [MarkupNode.Attribute],
        _ theirs: [MarkupNode.Attribute]
    ) -> [MarkupNode.Attribute] {
        let sides = AttributeSides(base, ours, theirs)
        var result: [String: String] = [:]
        for group in groups(of: element, sides) {
            for (name, value) in merged(group, of: element, sides) { result[name] = value }
        }
        return sides.names.compactMap { name in result[name].map { MarkupNode.Attribute(name, $0) } }
    }

    /// The attributes that are there, those together that one side has to say.
    private func groups(of element: String, _ sides: AttributeSides) -> [[String]] {
        var groups: [[String]] =
            switch element {
            case "relationship": Self.relationshipGroups
            case "attribute" where sides.changesType: [Self.typeGroup]
            case "model": [["lastSavedToolsVersion", "systemVersion"]]
            default: []
            }
        let grouped = Set(groups.joined())
        groups += sides.names.filter { !grouped.contains($0) }.map { [$0] }
        return groups
    }

    private mutating func merged(
        _ names: [String], of element: String, _ sides: AttributeSides
    ) -> [(String, String?)] {
        let (base, ours, theirs) = (
            names.map { sides.base[$0] }, names.map { sides.ours[$0] }, names.map { sides.theirs[$0] }
        )
        if ours == theirs || (sides.hasBase && base == theirs) { return Array(zip(names, ours)) }
        if sides.hasBase, base == ours { return Array(zip(names, theirs)) }
        if element == "model", names[0] == "lastSavedToolsVersion" {
            return Array(zip(names, Self.isNewer(theirs, than: ours) ? theirs : ours))
        }
        if element == "element" { return Array(zip(names, Self.isNewer(theirs, than: ours) ? theirs : ours)) }
        let fields = zip(names, zip(base, zip(ours, theirs))).filter { $0.1.1.0 != $0.1.1.1 }.map { name, values in
            ModelMerge.Field(name, base: values.0, ours: values.1.0, theirs: values.1.1)
        }
        let side = choices.ask(.setting, at: path, fields.map { Self.sentence($0) + "; taken: ours" }, fields)
        return Array(zip(names, side == .theirs ? theirs : ours))
    }

    private static func sentence(_ field: ModelMerge.Field) -> String {
        "\(field.name) was \(spelled(field.base)), is \(spelled(field.ours)) with us and \(spelled(field.theirs)) with them"
    }

    private static func spelled(_ value: String?) -> String { value.map { "“\($0)”" } ?? "not there" }

    /// Whether texts come after others, numbers by their value.
    private static func isNewer(_ these: [String?], than those: [String?]) -> Bool {
        for (this, that) in zip(these, those) where this != that {
            guard let this else { return false }
            guard let that else { return true }
            if let (one, other) = Double(this).flatMap({ one in Double(that).map { (one, $0) } }), one != other {
                return one > other
            }
            return that.utf8.lexicographicallyPrecedes(this.utf8)
        }
        return false
    }
}

/// The attributes of one element on three sides.
private struct AttributeSides {
    /// Whether the element was there before; if not, what one side alone says is not known to be its addition.
    let hasBase: Bool
    let base: [String: String]
    let ours: [String: String]
    let theirs: [String: String]
    /// All names, ours in our order first.
    let names: [String]

    init(_ base: [MarkupNode.Attribute]?, _ ours: [MarkupNode.Attribute], _ theirs: [MarkupNode.Attribute]) {
        func values(_ attributes: [MarkupNode.Attribute]) -> [String: String] {
            Dictionary(attributes.map { ($0.name, $0.value) }) { first, _ in first }
        }
        hasBase = base != nil
        (self.base, self.ours, self.theirs) = (values(base ?? []), values(ours), values(theirs))
        names = MergedOrder<String>(base: (base ?? []).map(\.name), ours: ours.map(\.name), theirs: theirs.map(\.name))
            .keys { _ in true }
    }

    /// Whether a side changed the type of an attribute that was there.
    var changesType: Bool {
        let types = [base, ours, theirs].map { [$0["attributeType"], $0["composite"], $0["derived"]] }
        return types[1] != types[0] || types[2] != types[0]
    }
}
