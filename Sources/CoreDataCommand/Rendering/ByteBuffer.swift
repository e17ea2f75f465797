import StoreBrowsing

/// Bytes that are written one behind the other and leave together.
///
/// The hot loops of `export` write millions of values. A buffer of its own spares them the checks and copies of arrays
/// and strings.
struct ByteBuffer: ~Copyable {
    private var base: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int = 1 << 19) {
        self.capacity = capacity
        base = .allocate(capacity: capacity)
    }

    deinit { base.deallocate() }

    /// What was written; valid until the next change.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

    mutating func removeAll() { count = 0 }

    /// Makes room for more bytes.
    @inline(__always)
    private mutating func reserve(_ more: Int) {
        if count + more > capacity { grow(more) }
    }

    @inline(never)
    private mutating func grow(_ more: Int) {
        capacity = max(capacity * 2, count + more)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: base, count: count)
        base.deallocate()
        base = larger
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(1)
        base[count] = byte
        count += 1
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        reserve(bytes.count)
        UnsafeMutableRawPointer(base + count).copyMemory(from: start, byteCount: bytes.count)
        count += bytes.count
    }

    @inline(__always)
    mutating func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    // MARK: Numbers

    /// Writes the decimal digits.
    mutating func append(_ number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        var rest = number.magnitude
        var (digits, bound): (Int, UInt64) = (1, 10)
        while digits < 19, rest >= bound { (digits, bound) = (digits + 1, bound &* 10) }
        // 19 digits are the most of an Int64.
        reserve(digits)
        var place = count + digits
        count = place
        repeat {
            place -= 1
            let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: 10)
            base[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: remainder)
            rest = quotient
        } while rest > 0
    }

    /// Writes a number with zeros before it.
    @inline(__always)
    mutating func append(_ number: Int, digits: Int) {
        reserve(digits)
        var (rest, place) = (UInt32(truncatingIfNeeded: number), count + digits)
        while place > count {
            place -= 1
            base[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        count += digits
    }

    /// Writes a finite number as `Double.pythonRepresentation` spells it.
    mutating func append(_ number: Double) {
        let magnitude = number.magnitude
        if magnitude < 1e15, magnitude >= 1, let whole = Int64(exactly: number) {
            append(whole)
            append(UInt8(ascii: "."))
            append(UInt8(ascii: "0"))
        } else if magnitude >= 1e-4, magnitude < 9e15 {
            // Between these, up to 2⁵³, Swift's own spelling is the same.
            append(number.description)
        } else {
            append(number.pythonRepresentation)
        }
    }

    // MARK: Data

    /// Writes bytes as base64.
    mutating func append(base64 data: UnsafeRawBufferPointer) {
        reserve((data.count + 2) / 3 * 4)
        Self.alphabet.withUnsafeBufferPointer { alphabet in
            var index = 0
            while index + 2 < data.count {
                let bits = UInt32(data[index]) << 16 | UInt32(data[index + 1]) << 8 | UInt32(data[index + 2])
                for shift in [18, 12, 6, 0] as [UInt32] { append(alphabet[Int(bits >> shift & 63)]) }
                index += 3
            }
            guard index < data.count else { return }
            let hasTwo = index + 1 < data.count
            let bits = UInt32(data[index]) << 16 | (hasTwo ? UInt32(data[index + 1]) << 8 : 0)
            append(alphabet[Int(bits >> 18 & 63)])
            append(alphabet[Int(bits >> 12 & 63)])
            append(hasTwo ? alphabet[Int(bits >> 6 & 63)] : UInt8(ascii: "="))
            append(UInt8(ascii: "="))
        }
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Writes sixteen bytes as a UUID in capitals.
    mutating func append(uuid bytes: UnsafeRawBufferPointer) {
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { append(UInt8(ascii: "-")) }
            append(Self.hexadecimal(byte >> 4))
            append(Self.hexadecimal(byte & 15))
        }
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10
    }
}
