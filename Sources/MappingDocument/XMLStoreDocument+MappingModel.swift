import Foundation
import ModelFormat

extension XMLStoreDocument {
    /// A new document with a mapping, as Xcode makes one.
    ///
    /// ```swift
    /// let document = XMLStoreDocument(mapping)
    /// try document.write(to: URL(filePath: "League2ToLeague3.xcmappingmodel"))
    /// ```
    ///
    /// - Parameter mapping: The mapping, with the paths of both models.
    public init(_ mapping: MappingModel) {
        self.init()
        // The identifier that `update(with:)` gives out first is z102.
        nextObjectID = 101
        metadata = Self.metadataOfMappings
        update(with: mapping)
    }

    /// What the documents of the last releases of Xcode say of their own model.
    private static let metadataOfMappings: [String: Model.UserInfoValue] = [
        "NSPersistenceFrameworkVersion": .integer(1138),
        "NSStoreModelVersionHashes": .dictionary(hashes.mapValues { .data(Data(base64Encoded: $0) ?? Data()) }),
        "NSStoreModelVersionHashesDigest": .string(digest),
        "NSStoreModelVersionHashesVersion": .integer(3),
        "NSStoreModelVersionIdentifiers": .array([.string("")]),
    ]

    private static let hashes = [
        "XDDevAttributeMapping": "0plcXXRN7XHKl5CcF+fwriFmUpON3ZtcI/AfK748aWc=",
        "XDDevEntityMapping": "qeN1Ym3TkWN1G6dU9RfX6Kd2ccEvcDVWHpd3LpLgboI=",
        "XDDevMappingModel": "EqtMzvRnVZWkXwBHu4VeVGy8UyoOe+bi67KC79kphlQ=",
        "XDDevPropertyMapping": "XN33V44TTGY4JETlMoOB5yyTKxB+u4slvDIinv0rtGA=",
        "XDDevRelationshipMapping": "akYY9LhehVA/mCb4ATLWuI9XGLcjpm14wWL1oEBtIcs=",
    ]

    private static let digest =
        "+Hmc2uYZK6og+Pvx5GUJ7oW75UG4V/ksQanTjfTKUnxyGWJRMtB5tIRgVwGsrd7lz/QR57++wbvWsr6nxwyS0A=="
}
