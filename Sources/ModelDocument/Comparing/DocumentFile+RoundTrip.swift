import Foundation
import MappingDocument
import ModelFormat

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
    /// - Throws: `ModelDocumentError` for a file that cannot be read, or has values that cannot be written.
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
                .unreadableFile, sentence: "The file cannot be read: \(whole: error.localizedDescription)", url: url)
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
    /// The first difference of two files that are not the same.
    init(_ original: Data, _ written: Data) {
        let (old, new) = ([UInt8](original), [UInt8](written))
        let place = zip(old, new).prefix(while: ==).count
        let start = old[..<place].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        self.init(
            line: old[..<place].count { $0 == UInt8(ascii: "\n") } + 1, column: place - start + 1,
            original: Self.line(of: old, from: start), written: Self.line(of: new, from: start))
    }

    /// The line that begins at a place; `nil` at the end of the file if nothing, not even a line end, comes after the
    /// last line that there was.
    private static func line(of bytes: [UInt8], from start: Int) -> String? {
        guard start < bytes.count else { return nil }
        let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }
}
