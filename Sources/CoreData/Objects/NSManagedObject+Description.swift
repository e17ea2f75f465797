import FoundationGaps

extension NSManagedObject {
    /// `<Person: 0x…> (entity: Person; id: …; data: {…})`, with `<fault>` for what is not loaded. Loads nothing.
    func describe() -> String {
        let address = String(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()), radix: 16)
        let id = contextStorage == nil ? "(none)" : ownID.uriRepresentation().absoluteString
        let head = "<\(type(of: self)): 0x\(address)> (entity: \(layout.name); id: \(id); data: "
        return head + (isUnfired ? "<fault>" : dataDescription) + ")"
    }

    private var dataDescription: String {
        let lines = layout.slots.filter { !$0.name.contains(".") }.sorted { $0.name < $1.name }.map { slot in
            "    \(slot.name) = \(valueDescription(slot));"
        }
        return "{\n" + lines.joined(separator: "\n") + "\n}"
    }

    private func valueDescription(_ slot: PropertySlot) -> String {
        switch slot.kind {
        case .toOne:
            guard case .reference(let reference) = current(slot) else { return "nil" }
            return contextStorage?.objectID(for: reference)?.uriRepresentation().absoluteString ?? "nil"
        case .toMany, .orderedToMany:
            guard let state = record?.cache(slot.index, as: ToManyState.self), state.isLoaded else {
                return "\"<relationship fault: '\(slot.name)'>\""
            }
            return "(\(state.count) objects)"
        case .fetched: return "\"<relationship fault: '\(slot.name)'>\""
        case .string: return NSManagedObject.box(current(slot), slot.kind).map { "\"\($0)\"" } ?? "nil"
        case .binary:
            return state.contains(.realized) && !slot.isExternal
                ? "\(NSManagedObject.box(current(slot), slot.kind) ?? "nil")" : "<data>"
        case .transformable: return "(...not nil..)"
        default: return NSManagedObject.box(current(slot), slot.kind).map { "\($0)" } ?? "nil"
        }
    }
}
