import Foundation

/// The lock file's text: readable, and made so that a version control's comparison shows what changed, line by line.
///
/// ```
/// lock 1
///
/// version League
///   entity Player 6b31f4e97b691d16c4c820bae55f89408d47013bd42151ecfde1eac7fe4be798
///     unique name
///     attribute name String
///     attribute petName String, optional
///     relationship team to one Team, inverse players, optional
/// ```
///
/// Versions, entities and properties stand in the order of their names. Lines that begin with `#` and empty lines mean
/// nothing.
extension ModelLock {
    private static let formatLine = "lock 1"

    private static let preamble = """
        # The version hashes of the versions of this model that have shipped. Stores made with a version open only as long
        # as its hashes stay as they are. Written by "coredata model lock", checked by "coredata model lint".
        """

    /// The text of a lock file.
    package var text: String {
        var lines = [Self.preamble, Self.formatLine]
        for (name, version) in versions.sorted(by: { precedes($0.key, $1.key) }) {
            lines += ["", "version \(name)"]
            for (name, entity) in version.entities.sorted(by: { precedes($0.key, $1.key) }) {
                lines.append("  entity \(name) \(entity.hash.hexadecimal)")
                lines += entity.facts.map { "    \($0.line)" }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Reads the text of a lock file.
    ///
    /// - Throws: `CocoaError.fileReadCorruptFile` (259) with a sentence that names the line.
    package init(text: String) throws {
        var reader = LockReader()
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let content = line.trimming { $0.isWhitespace }
            guard !content.isEmpty, !content.hasPrefix("#") else { continue }
            guard reader.read(content) else {
                throw corruptArchive("The lock file is damaged in line \(index + 1): “\(content.prefix(80))”.")
            }
        }
        guard reader.hasFormat else {
            throw corruptArchive("The file is no lock file of a model: its first line would be “\(Self.formatLine)”.")
        }
        self.init(versions: reader.versions)
    }

    /// Takes the lines of a lock file one by one.
    private struct LockReader {
        private(set) var versions: [String: Version] = [:]
        private(set) var hasFormat = false
        private var version: String?
        private var entity: String?

        /// - Returns: Whether the line is one that may stand where it does.
        mutating func read(_ line: Substring) -> Bool {
            guard hasFormat else {
                hasFormat = line == ModelLock.formatLine
                return hasFormat
            }
            let words = line.split(separator: " ", maxSplits: 1)
            let rest = words.count > 1 ? words[1] : ""
            switch words[0] {
            case "version": return begin(version: String(rest))
            case "entity": return begin(entity: rest)
            default: return add(Fact(line: line))
            }
        }

        private mutating func begin(version name: String) -> Bool {
            guard !name.isEmpty, versions[name] == nil else { return false }
            versions[name] = Version(entities: [:])
            (version, entity) = (name, nil)
            return true
        }

        private mutating func begin(entity text: Substring) -> Bool {
            guard let version, let space = text.lastIndex(of: " "),
                let hash = Data(hexadecimal: text[text.index(after: space)...])
            else { return false }
            let name = String(text[..<space])
            guard versions[version]?.entities.updateValue(Entity(hash: hash, facts: []), forKey: name) == nil else {
                return false
            }
            entity = name
            return true
        }

        private mutating func add(_ fact: Fact?) -> Bool {
            guard let version, let entity, let fact else { return false }
            versions[version]?.entities[entity]?.facts.append(fact)
            return true
        }
    }
}

extension ModelLock.Fact {
    /// The fact as a line of a lock file.
    fileprivate var line: String {
        [kind.rawValue, property, detail].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The fact that a line says, if it says one.
    fileprivate init?(line: Substring) {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        guard let kind = Kind(rawValue: words[0]) else { return nil }
        let rest = words.count > 1 ? words[1] : ""
        guard kind == .attribute || kind == .relationship else {
            self.init(kind: kind, detail: rest)
            return
        }
        guard let space = rest.firstIndex(of: " ") else { return nil }
        self.init(kind: kind, property: String(rest[..<space]), detail: String(rest[rest.index(after: space)...]))
    }
}

extension Data {
    fileprivate var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// - Returns: nil for anything but 64 digits of small letters and figures, the 32 bytes of a hash.
    fileprivate init?(hexadecimal text: Substring) {
        let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == 64, text.utf8.count == 64 else { return nil }
        self.init(stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    }
}

extension Substring {
    /// The text without characters at both ends that fulfil a condition.
    fileprivate func trimming(_ condition: (Character) -> Bool) -> Substring {
        let front = drop(while: condition)
        guard let last = front.lastIndex(where: { !condition($0) }) else { return front[front.endIndex...] }
        return front[...last]
    }
}
