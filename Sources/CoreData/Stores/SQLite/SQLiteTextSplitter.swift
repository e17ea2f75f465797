import CSQLite
import Foundation

/// Splits texts as the indexes of SQLite's stores do: FTS5's own tokenizers do both.
final class SQLiteTextSplitter: TextSplitter, @unchecked Sendable {
    // Unchecked: all is used under the lock. Tokenizers of FTS5 have buffers, and serve one thread at a time.

    static let shared = SQLiteTextSplitter()

    private let lock = NSLock()
    private var connection: SQLiteConnection?
    private var tokenizers: [TextTokenizer: Tokenizer] = [:]

    private struct Tokenizer {
        let module: fts5_tokenizer
        let instance: OpaquePointer?

        func split(
            _ text: UnsafeBufferPointer<CChar>, for purpose: TextPurpose, into words: UnsafeMutablePointer<[String]>
        ) -> Int32 {
            module.xTokenize(instance, words, purpose.flags, text.baseAddress, Int32(text.count)) {
                words, _, characters, count, _, _ in
                guard let words, let characters else { return SQLITE_OK }
                let bytes = UnsafeRawBufferPointer(start: characters, count: Int(count))
                words.assumingMemoryBound(to: [String].self).pointee.append(String(decoding: bytes, as: UTF8.self))
                return SQLITE_OK
            }
        }
    }

    func words(of text: String, by tokenizer: TextTokenizer, for purpose: TextPurpose) throws -> [String] {
        try lock.withLock {
            let splitter = try known(tokenizer)
            var (text, words) = (text, [String]())
            let code = text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    withUnsafeMutablePointer(to: &words) {
                        splitter.split(characters, for: purpose, into: $0)
                    }
                }
            }
            guard code == SQLITE_OK else {
                throw SQLiteError(code: code, message: "a text can't be split into words")
            }
            return words
        }
    }

    private func known(_ tokenizer: TextTokenizer) throws -> Tokenizer {
        if let known = tokenizers[tokenizer] { return known }
        let connection = try self.connection ?? SQLiteConnection(path: "/dev/null", access: .create)
        self.connection = connection
        guard let api = try connection.fullTextSearch(), let made = Self.make(tokenizer, api) else {
            throw SQLiteSearchIndexes.missingModule(nil)
        }
        tokenizers[tokenizer] = made
        return made
    }

    private static func make(_ tokenizer: TextTokenizer, _ api: UnsafeMutablePointer<fts5_api>) -> Tokenizer? {
        var words = tokenizer.specification
        let name = words.removeFirst()
        var context: UnsafeMutableRawPointer?
        var module = fts5_tokenizer()
        guard api.pointee.xFindTokenizer(api, name, &context, &module) == SQLITE_OK else { return nil }
        let copies = words.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        var arguments = copies.map { UnsafePointer<CChar>($0) }
        var instance: OpaquePointer?
        guard module.xCreate(context, &arguments, Int32(arguments.count), &instance) == SQLITE_OK else { return nil }
        return Tokenizer(module: module, instance: instance)
    }
}

extension TextPurpose {
    fileprivate var flags: Int32 {
        switch self {
        case .document: FTS5_TOKENIZE_DOCUMENT
        case .query: FTS5_TOKENIZE_QUERY
        case .prefixQuery: FTS5_TOKENIZE_QUERY | FTS5_TOKENIZE_PREFIX
        }
    }
}
