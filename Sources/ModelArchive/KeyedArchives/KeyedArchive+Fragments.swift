import Foundation
import PropertyLists

extension KeyedArchive {
    /// What a value refers to as an archive of its own, classes and all. Nothing of it is interpreted.
    func fragment(_ raw: PropertyListValue) throws -> Data {
        var builder = KeyedArchiveBuilder()
        var copier = ArchiveCopier(source: self)
        let root = raw.uid == nil ? builder.append(raw) : try copier.copy(raw, into: &builder)
        return builder.data(root: root)
    }
}

extension KeyedArchiveBuilder {
    /// Adds everything that an archive holds.
    ///
    /// - Returns: A reference to what was the archive's root.
    /// - Throws: `CocoaError.fileReadCorruptFile` (259) where the data is no keyed archive.
    mutating func add(fragment: Data) throws -> ArchiveReference {
        let archive = try KeyedArchive(fragment, allowing: [])
        var copier = ArchiveCopier(source: archive)
        return try copier.copy(archive.rawRoot(), into: &self)
    }
}

/// Copies objects from one archive into another, each once.
private struct ArchiveCopier {
    let source: KeyedArchive
    private var copies: [Int: ArchiveReference] = [0: .null]
    private var pending: [(original: Int, copy: ArchiveReference)] = []

    init(source: KeyedArchive) {
        self.source = source
    }

    /// Copies an object and all that it refers to. Works off a list, as a hostile archive may be one long chain.
    mutating func copy(_ raw: PropertyListValue, into builder: inout KeyedArchiveBuilder) throws -> ArchiveReference {
        guard let number = raw.uid else { throw corruptArchive("The keyed archive's root is no reference.") }
        let root = try reference(number, &builder)
        while let next = pending.popLast() {
            builder.replace(next.copy, with: try translated(source.objects[next.original], &builder))
        }
        return root
    }

    private mutating func reference(_ number: Int, _ builder: inout KeyedArchiveBuilder) throws -> ArchiveReference {
        if let known = copies[number] { return known }
        guard source.objects.indices.contains(number) else {
            throw corruptArchive("The keyed archive refers to object \(number) of \(source.objects.count).")
        }
        let copy = builder.reserve()
        copies[number] = copy
        pending.append((number, copy))
        return copy
    }

    /// A value with references into the other archive.
    private mutating func translated(
        _ value: PropertyListValue, _ builder: inout KeyedArchiveBuilder
    ) throws -> PropertyListValue {
        try source.use(1)
        return switch value {
        case .uid(let number): try reference(number, &builder).value
        case .array(let elements): .array(try elements.map { try translated($0, &builder) })
        case .dictionary(let fields):
            .dictionary(
                try fields.sorted { $0.key < $1.key }.reduce(into: [:]) {
                    $0[$1.key] = try translated($1.value, &builder)
                })
        default: value
        }
    }
}
