// In a folder that the manifest excludes: the plug-in warns that nothing compiles this file.
enum OldPrices {
    static let jam = 2.25
}
