import PropertyLists

/// SHA-256 of a message that comes in pieces, such as a file too large for memory.
package struct SHA256Stream {
    private var state = SHA256.initialState
    /// What does not fill a block yet.
    private var rest: [UInt8] = []
    private var count: UInt64 = 0

    package init() {}

    /// Appends a piece of the message.
    package mutating func update(_ piece: some Sequence<UInt8>) {
        rest.append(contentsOf: piece)
        let whole = rest.count / SHA256.blockSize * SHA256.blockSize
        guard whole > 0 else { return }
        count += UInt64(whole)
        SHA256.update(&state, with: Array(rest[..<whole]))
        rest.removeFirst(whole)
    }

    /// The digest of everything that came: 32 bytes.
    package func digest() -> [UInt8] {
        var (last, state) = (rest, state)
        last.append(0x80)
        while last.count % SHA256.blockSize != SHA256.blockSize - 8 { last.append(0) }
        last += ((count + UInt64(rest.count)) * 8).bigEndianBytes
        SHA256.update(&state, with: last)
        return state.flatMap(\.bigEndianBytes)
    }
}
