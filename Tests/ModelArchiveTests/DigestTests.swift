import Foundation
import ModelArchive
import Testing

/// The vectors of FIPS 180-4's examples and RFC 1321, appendix A.5.
@Suite struct DigestTests {
    static let twoBlocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"

    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (twoBlocks, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
    ])
    func sha256EqualsThePublishedVectors(message: String, digest: String) {
        #expect(hex(Digest.sha256(message.utf8)) == digest)
    }

    @Test func sha256OfAMillionLettersEqualsThePublishedVector() {
        let message = repeatElement(UInt8(ascii: "a"), count: 1_000_000)
        #expect(hex(Digest.sha256(message)) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test func sha256OfAMessageInPiecesIsThatOfTheWhole() {
        for length in [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 1000, 10_000] {
            let message = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            for size in [1, 7, 63, 64, 65, 130] {
                var (stream, rest) = (SHA256Stream(), message[...])
                while !rest.isEmpty {
                    let piece = rest.prefix(size)
                    stream.update(piece)
                    rest = rest.dropFirst(size)
                }
                #expect(stream.digest() == Digest.sha256(message), "\(length) bytes in pieces of \(size)")
            }
        }
    }

    @Test(arguments: [
        (
            "",
            "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
        ),
        (
            "abc",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
        (
            twoBlocks,
            "204a8fc6dda82f0a0ced7beb8e08a41657c16ef468b228a8279be331a703c33596fd15c13b1b07f9aa1d3bea57789ca031ad85c7a71dd70354ec631238ca3445"
        ),
    ])
    func sha512EqualsThePublishedVectors(message: String, digest: String) {
        #expect(hex(Digest.sha512(message.utf8)) == digest)
    }

    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"),
        ("abc", "900150983cd24fb0d6963f7d28e17f72"),
        ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
        (
            "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
            "57edf4a22be3c955ac49da2e2107b67a"
        ),
    ])
    func md5EqualsThePublishedVectors(message: String, digest: String) {
        #expect(hex(Digest.md5(message.utf8)) == digest)
    }

    /// Lengths around a block's end are where padding goes wrong. Each digest is the digest of all digests of the
    /// messages 0, 1, … 259 bytes long, as OpenSSL computes them.
    @Test func paddingIsRightForEveryLengthAroundABlock() {
        let messages = (0..<260).map { Array(repeating: UInt8(ascii: "x"), count: $0) }
        #expect(
            hex(Digest.sha256(messages.flatMap { Digest.sha256($0) }))
                == "3a258b1f962a5c48d8610325d36f24938a93620144138bfc6775d330e80dbae5")
        #expect(
            hex(Digest.sha256(messages.flatMap { Digest.sha512($0) }))
                == "04041f983ff1558ce44ea499f5fdd627ae067ebad72c696581ad515a8e1702c3")
        #expect(
            hex(Digest.sha256(messages.flatMap { Digest.md5($0) }))
                == "b1ccd3e24b639db6c23bb2321d30dc0f69a71de80ababc3eb18c3421d7605cf7")
    }
}

/// The bytes in hexadecimal digits.
func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { String(format: "%02x", $0) }.joined()
}
