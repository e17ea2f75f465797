import CoreData
import Foundation

/// What one side answers to a fetch.
enum FetchAnswer {
    case rows([[ComparedValue]])
    case error(NSError)

    /// Asks a side. Of objects, and of what prefetching is to bring, it reads the values, too.
    init(_ fetch: RandomFetch, _ side: StoreSide) {
        let context =
            switch fetch.place {
            case .clean: side.newContext()
            case .dirty: side.dirty
            case .child: side.child
            }
        do {
            self = .rows(try context.performAndWait { try FetchReader(fetch, side, context).rows() })
        } catch {
            self = .error(error as NSError)
        }
    }

    /// Nil if two answers are the same as far as the fetch asks for it; else what is different.
    static func difference(_ first: FetchAnswer, _ second: FetchAnswer, _ fetch: RandomFetch) -> String? {
        switch (first, second) {
        case (.error(let a), .error(let b)):
            return a.domain == b.domain && a.code == b.code ? nil : "\(a)\n\(b)"
        case (.rows(let a), .rows(let b)): return difference(a, b, fetch)
        default: return "\(first)\n\(second)".prefix(1_500).description
        }
    }

    private static func difference(
        _ first: [[ComparedValue]], _ second: [[ComparedValue]], _ fetch: RandomFetch
    ) -> String? {
        var (first, second) = (first, second)
        if !fetch.isTotal {
            // Byte by byte: Swift takes texts for equal that are composed differently.
            first.sort { "\($0)".utf8.lexicographicallyPrecedes("\($1)".utf8) }
            second.sort { "\($0)".utf8.lexicographicallyPrecedes("\($1)".utf8) }
        }
        if first == second { return nil }
        // What is no decimal has no place in an order.
        if !fetch.isTotal, first.joined().contains(where: \.isNoDecimal), first.count == second.count { return nil }
        let pair = zip(first, second).first { $0 != $1 }
        return """
            \(first.count) and \(second.count) rows; the first that differ: \
            \(pair.map { "\n\($0.0)\n\($0.1)" } ?? "behind the others")
            \(first.prefix(10).map { $0.prefix(3) })
            \(second.prefix(10).map { $0.prefix(3) })
            """
    }
}

/// Reads what a fetch gives.
private struct FetchReader {
    private let fetch: RandomFetch
    private let side: StoreSide
    private let context: NSManagedObjectContext

    init(_ fetch: RandomFetch, _ side: StoreSide, _ context: NSManagedObjectContext) {
        (self.fetch, self.side, self.context) = (fetch, side, context)
    }

    func rows() throws -> [[ComparedValue]] {
        let request = try fetch.request(of: side, in: context)
        if case .count(true) = fetch.output { return [[ComparedValue(try context.count(for: request))]] }
        let found: [any NSFetchRequestResult] = try context.fetch(request)
        return found.enumerated().map { place, row in
            switch row {
            case let object as NSManagedObject: values(object, place)
            case let row as NSDictionary: dictionary(row)
            default: [value(row)]
            }
        }
    }

    /// The keys that a dictionary has are compared, too.
    private func dictionary(_ row: NSDictionary) -> [ComparedValue] {
        let keys = row.allKeys.compactMap { $0 as? String }.sorted()
        return keys.map { value(row[$0]) } + keys.map { .text($0) }
    }

    /// The serial of an object, and all its values if it is one of those that are read.
    private func values(_ object: NSManagedObject, _ place: Int) -> [ComparedValue] {
        let number = side.serials[object.objectID]
        let serial = number.map { ComparedValue.number(Double($0)) } ?? .text("unknown")
        // Where several orders are right, the serial says which ones.
        guard fetch.isTotal ? place < 8 : (number ?? 0) % 8 == 0 else { return [serial] }
        let attributes = object.entity.attributesByName.keys.sorted().map { value(object.value(forKey: $0)) }
        return [serial, .text(object.entity.name ?? "")] + attributes + fetch.prefetched.map { related(object, $0) }
    }

    /// The serials of all objects that a path leads to.
    private func related(_ object: NSManagedObject, _ path: String) -> ComparedValue {
        var objects = [object]
        for key in path.split(separator: ".") {
            let found = objects.flatMap { object -> [NSManagedObject] in
                let value = object.value(forKey: String(key))
                if let members = value as? NSSet { return members.allObjects as? [NSManagedObject] ?? [] }
                return (value as? NSManagedObject).map { [$0] } ?? []
            }
            objects = Array(Set(found))
        }
        return .text("\(objects.compactMap { side.serials[$0.objectID] }.sorted())")
    }

    private func value(_ value: Any?) -> ComparedValue {
        switch value {
        case let id as NSManagedObjectID: .text("object \(side.serials[id] ?? 0)")
        case let object as NSManagedObject: .text("object \(side.serials[object.objectID] ?? 0)")
        case is NSNull: .null
        case let parts as NSDictionary:
            .text("\(parts.map { "\($0.key)=\(self.value($0.value))" }.sorted())")
        default: ComparedValue(value)
        }
    }
}
