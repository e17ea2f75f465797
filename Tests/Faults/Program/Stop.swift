import RandomSeeds

/// A way in which everything stops, and what of the pending changes is found afterwards.
enum Stop: Hashable, CustomStringConvertible {
    /// The process was killed: the system has all that was written.
    case kill
    /// The process was killed in the middle of its last write.
    case killWithinWrite
    /// The power failed, and nothing that was not synchronized is there.
    case nothingKept
    /// The power failed while changes went to the disk in their order; of the last one some sectors are there.
    case firstKept(seed: UInt64)
    /// The power failed. Any sectors, and any names, are there, whatever their order was.
    case someKept(seed: UInt64)
    /// The power failed. All is there except the changes of one file, or of one folder's names.
    case oneLost(seed: UInt64)

    static func all(seed: UInt64) -> [Stop] {
        [.kill, .killWithinWrite, .nothingKept]
            + (0..<2).flatMap { [.firstKept(seed: seed + $0), .someKept(seed: seed + $0), .oneLost(seed: seed + $0)] }
    }

    /// Whether what was reported as done is there in any case.
    var isKill: Bool { self == .kill || self == .killWithinWrite }

    var description: String {
        switch self {
        case .kill: "kill"
        case .killWithinWrite: "kill within a write"
        case .nothingKept: "power loss, nothing kept"
        case .firstKept(let seed): "power loss, the first changes kept (seed \(seed))"
        case .someKept(let seed): "power loss, some changes kept (seed \(seed))"
        case .oneLost(let seed): "power loss, the changes of one file lost (seed \(seed))"
        }
    }
}

extension Disk {
    private static let sector = 512

    /// What is found after a stop.
    func image(after stop: Stop) -> Image {
        switch stop {
        case .kill: image(of: pending)
        case .killWithinWrite: image(of: pending.dropLast()) { $0.tear(pending.last, at: 1, of: 2) }
        case .nothingKept: certain
        case .firstKept(let seed): firstKept(seed)
        case .someKept(let seed): someKept(seed)
        case .oneLost(let seed): oneLost(seed)
        }
    }

    private func image(of changes: some Sequence<Change>, then finish: (inout Image) -> Void = { _ in }) -> Image {
        var image = certain
        for change in changes { image.apply(change.kind) }
        finish(&image)
        return image
    }

    private func firstKept(_ seed: UInt64) -> Image {
        var random = SeededGenerator(seed: seed)
        let count = Int.random(in: 0...pending.count, using: &random)
        return image(of: pending.prefix(count)) { image in
            guard count < pending.count else { return }
            image.tear(pending[count], at: Int.random(in: 0...4, using: &random), of: 4)
        }
    }

    private func someKept(_ seed: UInt64) -> Image {
        var random = SeededGenerator(seed: seed)
        var image = certain
        // Chances differ between runs: a single sector that is lost or kept matters, too.
        let percent = [10, 50, 90][Int.random(in: 0..<3, using: &random)]
        for change in pending {
            guard case .write(let file, let offset, let bytes) = change.kind else {
                if random.chance(percent) { image.apply(change.kind) }
                continue
            }
            var start = 0
            while start < bytes.count {
                let end = min(bytes.count, start + Self.sector - (offset + start) % Self.sector)
                if random.chance(percent) { image.write(Array(bytes[start..<end]), file, offset + start) }
                start = end
            }
        }
        return image
    }

    private func oneLost(_ seed: UInt64) -> Image {
        var random = SeededGenerator(seed: seed)
        let files = Set(pending.map(\.file)).sorted { ($0 ?? -1) < ($1 ?? -1) }
        guard let lost = files.randomElement(using: &random) else { return certain }
        return image(of: pending.filter { $0.file != lost })
    }
}

extension Image {
    /// Does a part of a write, up to a sector's end; nothing of another change.
    fileprivate mutating func tear(_ change: Disk.Change?, at part: Int, of parts: Int) {
        guard case .write(let file, let offset, let bytes) = change?.kind else { return }
        let length = bytes.count * part / parts
        write(Array(bytes.prefix(length < bytes.count ? length / 512 * 512 : length)), file, offset)
    }
}
