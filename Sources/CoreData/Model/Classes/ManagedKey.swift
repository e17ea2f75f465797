import FoundationGaps

/// A property as generated code names it: its name, and the place that the model compiler computed for it.
///
/// An accessor of a generated class finds its value by the place. If the class is used with another version of the
/// model, whose places differ, the name is looked up instead. An app has no reason to make keys.
public struct ManagedKey: Sendable {
    /// The property's name.
    public let name: StaticString
    let slot: Int
    let nameHash: UInt64

    /// Makes a key with a place.
    ///
    /// - Parameters:
    ///   - name: The property's name.
    ///   - slot: Its index in the entity's layout: the parent's properties first, then the entity's own by name.
    public init(_ name: StaticString, slot: Int) {
        self.name = name
        self.slot = slot
        nameHash = name.withUTF8Buffer { Self.hash($0) }
    }

    /// A key with a slot that is not known when the code is generated: it is looked up at each use.
    ///
    /// - Parameter name: The property's name.
    public init(_ name: StaticString) { self.init(name, slot: .max) }

    /// FNV-1a, chosen because it is short and the same in every process.
    static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    static func hash(_ name: String) -> UInt64 { hash(name.utf8) }
}
