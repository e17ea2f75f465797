import Foundation
import Testing

@testable import CoreDataStudio

/// The graph on paper and in PDFs, and the model in the languages of other tools, as one gets them.
extension BrowserTests {
    @Suite struct PaperTests {
        /// The PDF that the browser makes of what it would print.
        private func pdf(_ page: Page) async throws -> PDFFile {
            let answer = try await page.send(
                "Page.printToPDF", ["preferCSSPageSize": true, "printBackground": true])
            return try PDFFile(Data(base64Encoded: answer["data"].string ?? "") ?? Data())
        }

        /// A browser without a window has no dialog of its own for printing, and would wait for it.
        private func withoutDialog(_ page: Page) async throws {
            _ = try await page.read("window.print = () => { window.isAskedToPrint = true; }")
        }

        @Test func theGraphIsPrintedByTheKeyboardOnOnePage() async throws {
            try await Editor.use(StudioSamples.league) { editor in
                let page = editor.page
                try await withoutDialog(page)
                try await page.press("p", .control)
                try await page.wait(for: ".print-dialog")
                try await page.choose("[aria-label=\"Paper\"]", "A4")
                #expect(try await page.text(".print-dialog [role=status]").hasPrefix("1 page, "))
                #expect(try await page.read(AccessibilityTests.rules).strings == [])
                for _ in 0..<3 { try await page.press("Tab") }
                #expect(try await page.read("document.activeElement.textContent").string == "Print…")
                try await page.press("Enter")
                try await page.wait(until: "window.isAskedToPrint", "the browser to be asked")
                let pdf = try await pdf(page)
                #expect(pdf.pageCount == 1)
                #expect(Set([pdf.size.0, pdf.size.1].map { Int($0.rounded()) }) == [595, 842])
                for name in ["Player", "lastName", "uniformColor", "favourites"] { #expect(pdf.text.contains(name)) }
                // It is drawn, and no picture of pixels.
                #expect(pdf.pictureCount == 0)
            }
        }

        @Test func aLargeGraphIsSpreadOverPages() async throws {
            var models = RandomStudioModel(seed: 7)
            let original = try models.document(entities: 60, relationships: 90)
            defer { try? FileManager.default.removeItem(at: original.deletingLastPathComponent()) }
            try await Editor.use(original, name: "Big") { editor in
                let page = editor.page
                try await withoutDialog(page)
                try await page.press("p", .control)
                try await page.wait(for: ".print-dialog")
                try await page.choose("[aria-label=\"Paper\"]", "A4")
                try await page.choose("[aria-label=\"Size\"]", "Actual size, over several pages")
                let told = try await page.text(".print-dialog [role=status]")
                let count = Int(told.split(separator: " ").first ?? "") ?? 0
                #expect(count > 3, "\(told)")
                try await page.click(".print-dialog .primary")
                try await page.wait(for: "#paper[data-is-ready]")
                let pdf = try await pdf(page)
                #expect(pdf.pageCount == count)
                let names = try await editor.names("Entities")
                #expect(names.filter { !pdf.text.contains($0) }.count < names.count / 5)
            }
        }

        @Test func aPDFHasTheSizeOfTheDrawingAndIsLightInTheDark() async throws {
            try await Editor.use(StudioSamples.league) { editor in
                let page = editor.page
                try await withoutDialog(page)
                try await page.setDark(true)
                try await page.click("#style-graph")
                try await page.wait(for: ".entity")
                try await page.click("#export")
                try await page.wait(for: ".menu")
                try await editor.chooseFromMenu("Export as PDF…")
                try await page.wait(for: "#paper[data-is-ready]")
                let pdf = try await pdf(page)
                #expect(pdf.pageCount == 1 && pdf.text.contains("uniformColor"))
                // The corner of the page is white paper.
                #expect(pdf.corner == [255, 255, 255])
                // A change takes the pages away: they would show what is no more.
                try await page.click("#style-table")
                try await editor.add(".sidebar button[aria-label=\"Add Entity\"]", named: "Stadium")
                try await page.wait(until: "!document.getElementById('paper')", "the pages to go")
            }
        }

        @Test func theModelIsDownloadedInEveryLanguage() async throws {
            try await Editor.use(StudioSamples.league) { editor in
                let page = editor.page
                let downloads = editor.studio.folder.appending(path: "downloads")
                _ = try await page.browser.send(
                    "Browser.setDownloadBehavior",
                    ["behavior": "allow", "downloadPath": .string(downloads.path), "browserContextId": page.context])
                for (title, name, start) in [
                    ("DBML", "League.dbml", "Project "), ("Mermaid", "League.mmd", "erDiagram"),
                    ("SQL of PostgreSQL", "League.sql", "-- League: the tables"),
                ] {
                    try await page.press("k", .control)
                    try await page.wait(for: ".palette")
                    try await page.type("Export Model as \(title)")
                    try await page.press("Enter")
                    let file = downloads.appending(path: name)
                    for _ in 0..<200 where (try? Data(contentsOf: file))?.isEmpty ?? true {
                        try await Task.sleep(for: .milliseconds(50))
                    }
                    #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix(start))
                }
            }
        }
    }
}

/// A PDF, by what Debian's tools read in it.
private struct PDFFile {
    let pageCount: Int
    /// Of the first page, in points.
    let size: (Double, Double)
    let text: String
    let pictureCount: Int
    /// The colour of the first page's corner.
    let corner: [UInt8]

    init(_ data: Data) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "CoreDataTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "Graph.pdf").path
        try data.write(to: URL(filePath: file))
        let info = try Self.run("pdfinfo", [file])
        pageCount = Int(info.firstMatch(of: /Pages: +(\d+)/)?.output.1 ?? "") ?? 0
        let found = info.firstMatch(of: /Page size: +([\d.]+) x ([\d.]+)/)
        size = (Double(found?.output.1 ?? "") ?? 0, Double(found?.output.2 ?? "") ?? 0)
        text = try Self.run("pdftotext", ["-layout", file, "-"])
        pictureCount = try Self.run("pdfimages", ["-list", file]).split(separator: "\n").dropFirst(2).count
        _ = try Self.run("pdftoppm", ["-r", "20", "-f", "1", "-l", "1", file, folder.appending(path: "page").path])
        let picture = try FileManager.default.contentsOfDirectory(atPath: folder.path).first { $0.hasSuffix(".ppm") }
        let pixels = try Data(contentsOf: folder.appending(path: picture ?? ""))
        // After "P6", the size and the greatest value come the pixels, three bytes each.
        let header = pixels.prefix(40).split(separator: 10, maxSplits: 3).prefix(3).reduce(0) { $0 + $1.count + 1 }
        corner = Array(pixels[header..<(header + 3)])
    }

    private static func run(_ program: String, _ arguments: [String]) throws -> String {
        let (status, output) = try StudioProcess.run(URL(filePath: "/usr/bin/env"), [program] + arguments)
        #expect(status == 0, "\(program), of poppler-utils")
        return output
    }
}
