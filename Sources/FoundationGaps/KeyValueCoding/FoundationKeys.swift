import Foundation

/// The keys of Foundation's value classes that predicates and key paths use: `name.length`, `link.host`.
///
/// On Apple's systems any method without arguments is such a key; these are the ones that make sense for values.
enum FoundationKeys {
    static func value(of object: Any, forKey key: String) -> Any? {
        let value = PredicateValue(object)
        switch (key, value) {
        case ("description", _): return String(describing: object)
        case ("hash", _), ("hashValue", _): return NSNumber(value: value.hashValue)
        case (_, .string(let string)): return self.value(of: string, forKey: key)
        case (_, .date(let date)): return self.value(of: date, forKey: key)
        case (_, .url(let url)): return self.value(of: url, forKey: key)
        case ("length", .data(let data)): return NSNumber(value: data.count)
        case ("uuidString", .uuid(let uuid)), ("UUIDString", .uuid(let uuid)): return uuid.uuidString
        case (_, .integer), (_, .double), (_, .decimal):
            return (value.boxed as? NSNumber).flatMap { self.value(of: $0, forKey: key) }
        default: return nil
        }
    }

    private static func value(of string: String, forKey key: String) -> Any? {
        switch key {
        case "length": NSNumber(value: string.utf16.count)
        case "uppercaseString", "uppercased": string.uppercased()
        case "lowercaseString", "lowercased": string.lowercased()
        case "capitalizedString", "capitalized": string.capitalized
        case "pathExtension": (string as NSString).pathExtension
        case "lastPathComponent": (string as NSString).lastPathComponent
        case "intValue", "integerValue", "longLongValue": NSNumber(value: (string as NSString).longLongValue)
        case "doubleValue", "floatValue": NSNumber(value: (string as NSString).doubleValue)
        case "boolValue": NSNumber(value: (string as NSString).boolValue)
        default: nil
        }
    }

    private static func value(of date: Date, forKey key: String) -> Any? {
        switch key {
        case "timeIntervalSinceReferenceDate": NSNumber(value: date.timeIntervalSinceReferenceDate)
        case "timeIntervalSince1970": NSNumber(value: date.timeIntervalSince1970)
        case "timeIntervalSinceNow": NSNumber(value: date.timeIntervalSinceNow)
        default: nil
        }
    }

    private static func value(of number: NSNumber, forKey key: String) -> Any? {
        switch key {
        case "intValue", "integerValue", "longLongValue", "longValue": NSNumber(value: number.int64Value)
        case "doubleValue", "floatValue": NSNumber(value: number.doubleValue)
        case "boolValue": NSNumber(value: number.boolValue)
        case "stringValue": number.stringValue
        default: nil
        }
    }

    private static func value(of url: URL, forKey key: String) -> Any? {
        switch key {
        case "absoluteString": url.absoluteString
        case "path": url.path
        case "host": url.host ?? NSNull()
        case "scheme": url.scheme ?? NSNull()
        case "query": url.query ?? NSNull()
        case "fragment": url.fragment ?? NSNull()
        case "port": url.port.map(NSNumber.init(value:)) ?? NSNull()
        case "lastPathComponent": url.lastPathComponent
        case "pathExtension": url.pathExtension
        default: nil
        }
    }
}
