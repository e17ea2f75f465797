import Foundation

extension DocumentFile {
    /// What becomes of a file that is read into values and written anew from them.
    package enum RoundTrip: Sendable, Hashable {
        /// The same bytes.
        case equal
        case differs(Difference)
        /// The binary kind, which is not written.
        case binary
    }

    /// The first place where two files differ.
    package struct Difference: Sendable, Hashable {
        /// The line, from 1.
        package var line: Int
        /// The column in bytes, from 1.
        package var column: Int
        /// The line as it was read; `nil` if the file had ended before it.
        package var original: String?
        /// The line as it is written; `nil` if what is written ends before it.
        package var written: String?
    }

    /// Reads the file, writes it anew in memory, and compares.
    ///
    /// - Throws: `ModelDocumentError` for a file that cannot be read, or whose values cannot be written.
    package func roundTrip() throws -> RoundTrip {
        guard kind != .binaryModel else { return .binary }
        do {
            let original = try Data(contentsOf: url)
            let written = try rewritten(original)
            return written == original ? .equal : .differs(Difference(original, written))
        } catch let error as ModelDocumentError {
            throw error.at(url)
        } catch {
            throw ModelDocumentError(
                .unreadableFile, "The file cannot be read: \(error.localizedDescription)", url: url)
        }
    }

    private func rewritten(_ data: Data) throws -> Data {
        switch kind {
        case .model, .binaryModel: try Model(contents: data).contents()
        case .versionList: try ModelVersionList(data: data).data()
        case .mappingModel: try XMLStoreDocument(data: data).data()
        }
    }
}

extension DocumentFile.Difference {
    init(_ original: Data, _ written: Data) {
        let (old, new) = (Self.lines(original), Self.lines(written))
        let line = zip(old, new).prefix(while: ==).count
        let (oldLine, newLine) = (old.dropFirst(line).first, new.dropFirst(line).first)
        let common = zip(oldLine ?? Data(), newLine ?? Data()).prefix(while: ==).count
        self.line = line + 1
        column = common + 1
        self.original = oldLine.map { String(decoding: $0, as: UTF8.self) }
        self.written = newLine.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func lines(_ data: Data) -> [Data.SubSequence] {
        data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    }
}
