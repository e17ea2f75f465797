import Foundation

extension NSError {
    /// The Cocoa error for a call of the system that failed while a file was written or removed.
    ///
    /// - Parameters:
    ///   - code: The system's error, `errno`.
    ///   - url: The file or folder.
    ///   - isReading: Whether it was only looked at.
    static func file(_ code: Int32, at url: URL, isReading: Bool = false) -> NSError {
        let name = url.lastPathComponent
        let (cocoa, sentence): (CocoaError.Code, String) =
            switch code {
            case EACCES where isReading, EPERM where isReading:
                (.fileReadNoPermission, "There is no permission to read the file “\(name)”.")
            case ENOENT where isReading: (.fileReadNoSuchFile, "There is no file “\(name)”.")
            case _ where isReading: (.fileReadUnknown, "The file “\(name)” could not be read.")
            case ENOSPC, EDQUOT: (.fileWriteOutOfSpace, "The file “\(name)” could not be written: the disk is full.")
            case EROFS: (.fileWriteVolumeReadOnly, "The file “\(name)” could not be written: its disk is read-only.")
            case EACCES, EPERM: (.fileWriteNoPermission, "There is no permission to write the file “\(name)”.")
            case ENOENT, ENOTDIR: (.fileNoSuchFile, "There is no file “\(name)”, or its folder does not exist.")
            case ENAMETOOLONG, EINVAL: (.fileWriteInvalidFileName, "“\(name)” can't be the name of a file.")
            default: (.fileWriteUnknown, "The file “\(name)” could not be read or written.")
            }
        return .cocoa(
            cocoa.rawValue, sentence, reason: String(cString: strerror(code)),
            userInfo: [
                NSFilePathErrorKey: url.path,
                NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: Int(code)),
            ])
    }
}
