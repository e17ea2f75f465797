import Foundation

@testable import CoreDataStudio

/// One thing that is so in a shop, and that a save changes or leaves.
enum Fact: Hashable {
    case exists(String)
    case value(String, String)
    /// The object at the end of a to-one relationship.
    case link(String, String)
    /// Whether an object has another one as a member, by owner, relationship and member.
    case member(String, String, String)
    /// The order of an owner's members.
    case order(String, String)

    /// The objects that the fact is about.
    var objects: [String] {
        switch self {
        case .exists(let id), .value(let id, _), .link(let id, _), .order(let id, _): [id]
        case .member(let owner, _, let member): [owner, member]
        }
    }

    /// The same about objects with other identifiers.
    func renamed(_ names: [String: String]) -> Fact {
        func new(_ id: String) -> String { names[id] ?? id }
        return switch self {
        case .exists(let id): .exists(new(id))
        case .value(let id, let key): .value(new(id), key)
        case .link(let id, let key): .link(new(id), key)
        case .member(let owner, let key, let member): .member(new(owner), key, new(member))
        case .order(let id, let key): .order(new(id), key)
        }
    }
}

/// How a fact is.
enum FactValue: Hashable {
    case flag(Bool)
    case text(String?)
    case list([String])

    var flag: Bool { self == .flag(true) }
    var text: String? { if case .text(let text) = self { text } else { nil } }
    var list: [String] { if case .list(let list) = self { list } else { [] } }

    func renamed(_ names: [String: String]) -> FactValue {
        switch self {
        case .flag: self
        case .text(let text): .text(text.map { names[$0] ?? $0 })
        case .list(let list): .list(list.map { names[$0] ?? $0 })
        }
    }
}

/// What a store has.
struct ShopWorld: Equatable {
    /// The entities of the objects.
    var entities: [String: String] = [:]
    var facts: [Fact: FactValue] = [:]
    /// What contradicts itself.
    var flaws: [String] = []

    subscript(fact: Fact) -> FactValue {
        if case .exists(let id) = fact { return .flag(entities[id] != nil) }
        if let known = facts[fact] { return known }
        return switch fact {
        case .exists, .member: .flag(false)
        case .value, .link: .text(nil)
        case .order: .list([])
        }
    }

    /// The values and the to-one relationships of an object.
    func row(_ id: String) -> [Fact: FactValue] {
        let entity = entities[id] ?? ""
        let values = WideShop.attributes(of: entity).map { Fact.value(id, $0.key) }
        let links = WideShop.links.filter { $0.entity == entity }.map { Fact.link(id, $0.key) }
        return Dictionary(uniqueKeysWithValues: (values + links).map { ($0, self[$0]) })
    }

    /// All that an object is in, or at the end of.
    func facts(about id: String) -> [Fact: FactValue] {
        facts.filter { fact, value in
            if case .order = fact { return false }
            return value != .flag(false) && value != .text(nil) && (fact.objects.contains(id) || value == .text(id))
        }
    }

    /// The orders that an object is in.
    func orders(with id: String) -> [(fact: Fact, order: [String])] {
        facts.compactMap { fact, value in
            guard case .order = fact, value.list.contains(id) else { return nil }
            return (fact, value.list)
        }
    }

    /// Enters how a fact is now; an object goes with all facts about it.
    mutating func enter(_ value: FactValue, for fact: Fact, entity: String = "") {
        guard case .exists(let id) = fact else {
            facts[fact] = value
            return
        }
        entities[id] = value.flag ? entity : nil
        if !value.flag { facts = facts.filter { !$0.key.objects.contains(id) } }
    }
}

// MARK: Read

extension ShopWorld {
    /// - Parameter objects: What the other process read.
    init(_ objects: [JSON]) {
        for object in objects { entities[object["id"]?.text ?? ""] = object["entity"]?.text }
        var members: [String: [String]] = [:]
        for object in objects {
            let id = object["id"]?.text ?? ""
            for (key, value) in object["values"]?.members ?? [:] { facts[.value(id, key)] = .text(value.text) }
            for (key, value) in object["links"]?.members ?? [:] { facts[.link(id, key)] = .text(value.text) }
            for (key, value) in object["members"]?.members ?? [:] {
                members["\(id).\(key)"] = value.array?.compactMap(\.text) ?? []
            }
        }
        takeMembers(members)
        checkLinks(members)
        checkCounts(members)
    }

    private func ids(_ entity: String) -> [String] {
        entities.filter { WideShop.isKind($0.value, of: entity) }.keys.sorted()
    }

    private mutating func takeMembers(_ members: [String: [String]]) {
        for membership in WideShop.memberships {
            for owner in ids(membership.owner) {
                let list = members["\(owner).\(membership.key)"] ?? []
                for member in list { facts[.member(owner, membership.key, member)] = .flag(true) }
                if membership.isOrdered { facts[.order(owner, membership.key)] = .list(list) }
                checkMembers(list, "\(owner).\(membership.key)")
            }
            for member in ids(membership.member) {
                let owners = members["\(member).\(membership.inverse)"] ?? []
                let wanted = ids(membership.owner).filter { self[.member($0, membership.key, member)].flag }
                if owners.sorted() != wanted {
                    flaws.append("\(member).\(membership.inverse) is \(owners), and the other side has \(wanted)")
                }
            }
        }
    }

    private mutating func checkMembers(_ list: [String], _ name: String) {
        if Set(list).count < list.count { flaws.append("\(name) has a member twice: \(list)") }
        for id in list where entities[id] == nil { flaws.append("\(name) has \(id), which is not there") }
    }

    private mutating func checkLinks(_ members: [String: [String]]) {
        for link in WideShop.links {
            for id in ids(link.entity) {
                if let target = self[.link(id, link.key)].text, entities[target] == nil {
                    flaws.append("\(id).\(link.key) is \(target), which is not there")
                }
            }
            for owner in ids(link.owner) {
                let list = members["\(owner).\(link.inverse)"] ?? []
                let wanted = ids(link.entity).filter { self[.link($0, link.key)].text == owner }
                if list.sorted() != wanted {
                    flaws.append("\(owner).\(link.inverse) is \(list), and the other side has \(wanted)")
                }
                if link.isOrdered { facts[.order(owner, link.inverse)] = .list(list) }
            }
        }
    }

    /// What the store derives from members.
    private mutating func checkCounts(_ members: [String: [String]]) {
        for order in ids("Order") {
            let (count, lines) = (facts.removeValue(forKey: .value(order, "lineCount")), members["\(order).lines"])
            if count?.text != "\(lines?.count ?? 0)" {
                flaws.append("\(order).lineCount is \(count?.text ?? "nil") for \(lines ?? [])")
            }
        }
    }
}

extension JSON {
    static func line(_ json: JSON) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(json)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    fileprivate var members: [String: JSON]? { if case .object(let members) = self { members } else { nil } }
}
