import Digests

/// What tells a private declaration from others of the same name in other files of its module.
enum Discriminator {
    /// - Parameter file: The file's name without its folders.
    static func of(module: String, file: String) -> String {
        let digest = Digest.md5((module + file).utf8)
        // An identifier can't begin with a digit, so the compiler puts an underscore there.
        return "_"
            + digest.map { String($0 >> 4, radix: 16, uppercase: true) + String($0 & 15, radix: 16, uppercase: true) }
            .joined()
    }
}
