import Foundation

/// The model of the recipes that Apple's sample keeps. Their store is older than models in stores; the version hashes
/// of all four entities are those that the store names.
enum RecipesModel {
    /// Writes the model into a folder.
    ///
    /// - Returns: The document.
    static func write(into folder: URL) throws -> URL {
        let document = folder.appending(path: "Recipes.xcdatamodeld")
        let version = document.appending(path: "Recipes.xcdatamodel")
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        try Data(contents.utf8).write(to: version.appending(path: "contents"))
        return document
    }

    private static let contents = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="24512" \
        systemVersion="25D125" minimumToolsVersion="Automatic" sourceLanguage="Swift" \
        userDefinedModelVersionIdentifier="">
            <entity name="Image" syncable="YES">
                <attribute name="image" optional="YES" attributeType="Transformable"/>
                <relationship name="recipe" minCount="1" maxCount="1" deletionRule="Nullify" \
        destinationEntity="Recipe" inverseName="image" inverseEntity="Recipe"/>
            </entity>
            <entity name="Ingredient" syncable="YES">
                <attribute name="amount" optional="YES" attributeType="String"/>
                <attribute name="displayOrder" attributeType="Integer 16"/>
                <attribute name="name" attributeType="String"/>
                <relationship name="recipe" optional="YES" minCount="1" maxCount="1" deletionRule="Nullify" \
        destinationEntity="Recipe" inverseName="ingredients" inverseEntity="Recipe"/>
            </entity>
            <entity name="Recipe" syncable="YES">
                <attribute name="instructions" optional="YES" attributeType="String"/>
                <attribute name="name" optional="YES" attributeType="String"/>
                <attribute name="overview" optional="YES" attributeType="String"/>
                <attribute name="prepTime" optional="YES" attributeType="String"/>
                <attribute name="thumbnailImage" optional="YES" attributeType="Transformable"/>
                <relationship name="image" optional="YES" minCount="1" maxCount="1" deletionRule="Cascade" \
        destinationEntity="Image" inverseName="recipe" inverseEntity="Image"/>
                <relationship name="ingredients" optional="YES" toMany="YES" deletionRule="Cascade" \
        destinationEntity="Ingredient" inverseName="recipe" inverseEntity="Ingredient"/>
                <relationship name="type" optional="YES" minCount="1" maxCount="1" deletionRule="Nullify" \
        destinationEntity="RecipeType" inverseName="recipes" inverseEntity="RecipeType"/>
            </entity>
            <entity name="RecipeType" syncable="YES">
                <attribute name="name" optional="YES" attributeType="String"/>
                <relationship name="recipes" optional="YES" toMany="YES" deletionRule="Nullify" \
        destinationEntity="Recipe" inverseName="type" inverseEntity="Recipe"/>
            </entity>
        </model>
        """
}
