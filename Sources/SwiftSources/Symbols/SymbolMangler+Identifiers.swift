extension SymbolMangler {
    /// Puts out a name with its length; words that came before as letters.
    mutating func addIdentifier(_ name: String) {
        let bytes = Array(name.utf8)
        if bytes.contains(where: { $0 >= 128 }) { return addPunycode(name) }
        let known = words.count
        let repeated = repeatedWords(in: bytes)
        if !repeated.isEmpty { put("0") }
        var (position, newWord) = (0, known)
        for (index, word) in (repeated + [RepeatedWord(position: bytes.count, number: nil)]).enumerated() {
            if position < word.position { put("\(word.position - position)") }
            while position < word.position {
                // A word is found again where it stands in the symbol.
                if newWord < words.count, words[newWord].start == position {
                    words[newWord].start = output.count
                    newWord += 1
                }
                put(bytes[position])
                position += 1
            }
            guard let number = word.number else { continue }
            position += words[number].count
            let isLast = index == repeated.count - 1
            put(UInt8(ascii: isLast ? "A" : "a") + UInt8(number))
            if isLast, position == bytes.count { put("0") }
        }
    }

    private struct RepeatedWord {
        var position: Int
        var number: Int?
    }

    /// The words of a name that came before. Those that did not are learned, with their places in the name for now.
    private mutating func repeatedWords(in bytes: [UInt8]) -> [RepeatedWord] {
        let known = words.count
        var repeated: [RepeatedWord] = []
        var start: Int?
        for position in 0...bytes.count {
            let byte = position < bytes.count ? bytes[position] : 0
            if let wordStart = start, position > wordStart, endsWord(bytes, position, byte) {
                let word = bytes[wordStart..<position]
                if let number = number(of: word, in: bytes, known: known) {
                    repeated.append(RepeatedWord(position: wordStart, number: number))
                } else if word.count >= 2, words.count < 26 {
                    words.append((wordStart, word.count))
                }
                start = nil
            }
            if start == nil, byte != 0, byte != UInt8(ascii: "_"), !byte.isDigit { start = position }
        }
        return repeated
    }

    private func endsWord(_ bytes: [UInt8], _ position: Int, _ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || byte == 0 || (byte.isCapital && !bytes[position - 1].isCapital)
    }

    private func number(of word: ArraySlice<UInt8>, in bytes: [UInt8], known: Int) -> Int? {
        let before = (0..<known).first { number in
            output[words[number].start..<words[number].start + words[number].count].elementsEqual(word)
        }
        let here = (known..<words.count).first { number in
            bytes[words[number].start..<words[number].start + words[number].count].elementsEqual(word)
        }
        return before ?? here
    }

    private mutating func addPunycode(_ name: String) {
        let encoded = Punycode.encode(name)
        put("00\(encoded.count)")
        if encoded[0].isDigit || encoded[0] == UInt8(ascii: "_") { put("_") }
        encoded.forEach { put($0) }
    }
}

extension UInt8 {
    fileprivate var isCapital: Bool { self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") }
}
