/// Patterns of LIKE and MATCHES, and comparisons by the rules of languages.
extension PostgreSQLFunctions {
    static var patterns: [String] {
        [
            block(
                "fits(value text, pattern text, expression text, options integer)", returns: "boolean", fits),
            block("like_expression(pattern text)", returns: "text", likeExpression),
            expression(
                "like(value text, pattern text, options integer)", returns: "boolean",
                """
                coredata.composed(coredata.fold(value, options)) ~ \
                (coredata.like_expression(coredata.composed(coredata.fold(pattern, options))) COLLATE "C")
                """),
            expression(
                "matches(value text, expression text, options integer)", returns: "boolean",
                """
                CASE WHEN options & 1 = 1 \
                THEN coredata.fold(value, options & 2) ~* (expression COLLATE coredata."Unicode") \
                ELSE coredata.fold(value, options & 2) ~ (expression COLLATE coredata."Unicode") END
                """),
        ]
    }

    /// Whether a text fits a pattern of PostgreSQL's LIKE, or the expression that means the same for texts in which
    /// characters are more than one code.
    private static let fits = """
        BEGIN
        value := coredata.fold(value, options);
        IF octet_length(value) = char_length(value) AND strpos(value, E'\\r') = 0 THEN
        RETURN value LIKE (pattern COLLATE "C");
        END IF;
        RETURN normalize(value, NFC) ~ (expression COLLATE "C");
        END
        """

    /// The expression of a pattern that a row has; those of requests are made before.
    private static let likeExpression = """
        DECLARE result text := ''; piece text; is_escaped boolean := false;
        BEGIN
        IF pattern = '' THEN RETURN '\\A\\Z'; END IF;
        FOREACH piece IN ARRAY regexp_split_to_array(pattern, '') LOOP
        IF is_escaped OR piece NOT IN ('\\', '?', '*') THEN
        result := result || CASE WHEN piece ~ '[a-zA-Z0-9]' OR octet_length(piece) > 1 THEN piece ELSE '\\' || piece END;
        is_escaped := false;
        ELSIF piece = '\\' THEN is_escaped := true;
        ELSE result := result || CASE piece WHEN '?' THEN '\(PostgreSQLLike.anyCharacter)' ELSE '.*' END || '\(PostgreSQLLike.boundary)';
        END IF;
        END LOOP;
        RETURN '\\A' || result || CASE WHEN is_escaped THEN '\\\\' ELSE '' END || '\\Z';
        END
        """

    static var localized: [String] {
        [
            block("localized_order(a text, b text, options integer)", returns: "integer", order),
            block(
                "localized_search(value text, part text, place integer, options integer)", returns: "boolean", search),
        ]
    }

    private static var order: String {
        """
        BEGIN
        a := coredata.fold(a, options & 3);
        b := coredata.fold(b, options & 3);
        CASE options & 3
        \(order(0, "CoreDataLocalized"))
        \(order(1, "CoreDataLocalizedCaseInsensitive"))
        \(order(2, "CoreDataLocalizedDiacriticInsensitive"))
        \(order(3, "CoreDataLocalizedFolded"))
        END CASE;
        END
        """
    }

    private static func order(_ options: Int, _ collation: String) -> String {
        """
        WHEN \(options) THEN RETURN CASE WHEN a < b COLLATE coredata."\(collation)" THEN -1 \
        WHEN a = b COLLATE coredata."\(collation)" THEN 0 ELSE 1 END;
        """
    }

    /// Whether a part begins (0), ends (1) or is in (2) a text.
    private static let search = """
        BEGIN
        value := normalize(coredata.fold(value, options & 3), NFC);
        part := normalize(coredata.fold(part, options & 3), NFC);
        RETURN CASE place WHEN 0 THEN starts_with(value, part)
        WHEN 1 THEN right(value, length(part)) = part ELSE strpos(value, part) > 0 END;
        END
        """
}
