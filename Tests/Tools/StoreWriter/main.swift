// A program that changes a store beside others: `StoreWriter STORE`. Each line of its input is a request in JSON, and
// each line of its output the answer.
import Foundation

guard CommandLine.arguments.count == 2 else { exit(2) }
do {
    let writer = StoreWriter(URL(fileURLWithPath: CommandLine.arguments[1]))
    let (decoder, encoder) = (JSONDecoder(), JSONEncoder())
    while let line = readLine() {
        let answer = try writer.answer(decoder.decode(StoreWriter.Request.self, from: Data(line.utf8)))
        FileHandle.standardOutput.write(try encoder.encode(answer) + [10])
    }
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
