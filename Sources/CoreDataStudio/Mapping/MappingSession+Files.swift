import Foundation
import ModelDocument

extension MappingSession {
    /// The bytes that saving would write: those of the disk where they say the same.
    func data() throws -> Data {
        if let base, base.edited.mapping == edited.mapping { return base.data }
        do { return try edited.document.data() } catch { throw StudioError(error) }
    }

    /// Writes what changed, in one step.
    ///
    /// - Throws: `changedOnDisk` if another program wrote and the request does not overwrite; `unwritableFile`.
    func save(_ request: MappingRequest) throws -> JSON {
        let file = Self.file(of: url)
        let onDisk = try? Data(contentsOf: file)
        guard request.overwrites ?? false || onDisk == base?.data else {
            throw StudioError(
                .changedOnDisk,
                "\(url.lastPathComponent) was changed on disk by another program. Read it again, or save over it.")
        }
        let data = try data()
        do { try Drafts(besideDocument: url).write(data, to: file) } catch { throw StudioError(error) }
        if lock == nil { lock = try? DocumentLock(url) }
        base = (edited, data)
        if !past.isEmpty { past[past.count - 1].merge = nil }
        journalTask?.cancel()
        journalTask = nil
        journal.remove()
        (recovery, journalFailure) = (nil, nil)
        return tell(request.client)
    }

    /// Takes what is on disk. That can be undone.
    func reload(_ request: MappingRequest) throws -> JSON {
        let read: (edited: EditedMapping, data: Data)
        do { read = try Self.read(url) } catch { throw StudioError(error) }
        base = read
        models = MappingModels(of: read.edited.mapping, finder)
        guard read.edited != edited else { return take(edited, request.client) }
        future = []
        past.append(MappingStep(title: "Read from Disk", edited: edited))
        return take(read.edited, request.client)
    }

    /// The file as saving would write it.
    func source() throws -> JSON { ["text": .text(String(decoding: try data(), as: UTF8.self))] }

    /// Lets another session have the document.
    func unlock() { lock = nil }
}
