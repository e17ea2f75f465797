import Foundation

/// Small grey pictures.
enum SamplePicture {
    /// A PNG of 40 × 30 pixels.
    static let high = picture(
        "iVBORw0KGgoAAAANSUhEUgAAACgAAAAeCAAAAAB7tgMBAAAAGElEQVR42mOIIhIwjCocVTiqcFThYFYIAL1JpfBmPsmMAAAAAElFTkSuQmCC")
    /// A PNG of 60 × 20 pixels.
    static let flat = picture(
        "iVBORw0KGgoAAAANSUhEUgAAADwAAAAUCAAAAAD0aAH1AAAAGElEQVR42mM4QQFgGNU8qnlU86jmgdUMAGqqqa5YPrmRAAAAAElFTkSuQmCC")

    private static func picture(_ base64: String) -> Data { Data(base64Encoded: base64) ?? Data() }
}
