/// Functions of texts. Texts of ASCII alone, which most are, take a short way.
extension PostgreSQLFunctions {
    static var texts: [String] {
        [
            expression(
                "composed(value text)", returns: "text",
                "CASE WHEN octet_length(value) = char_length(value) THEN value ELSE normalize(value, NFC) END"),
            block("without_case(value text)", returns: "text", withoutCase),
            block("without_marks(value text)", returns: "text", withoutMarks),
            block("fold(value text, options integer)", returns: "text", fold),
            expression("canonical(value text)", returns: "text", "coredata.fold(value, 3)"),
            expression(
                "uppercase(value text)", returns: "text", "upper(value COLLATE coredata.\"Unicode\")"),
            // A sigma is an inner one everywhere, as in Swift.
            expression(
                "lowercase(value text)", returns: "text",
                "lower(translate(value, 'Σ', 'σ') COLLATE coredata.\"Unicode\")"),
            block("length(value text)", returns: "bigint", length),
            block("case_insensitive_key(value text)", returns: "text", caseInsensitiveKey),
        ]
    }

    /// Full case folding, by way of upper case. Some letters have an upper case that they do not fold to.
    private static let withoutCase = """
        DECLARE stays boolean := value ~ ('[ı\\u1c80-\\u1c88]' COLLATE "C");
        BEGIN
        value := translate(value, 'ẞ', 'ß');
        IF stays THEN value := translate(value, '\(kept)', '\(stand)'); END IF;
        value := lower(upper(value COLLATE coredata."Unicode") COLLATE coredata."Unicode");
        value := translate(value, 'ς', 'σ');
        RETURN CASE WHEN stays THEN translate(value, '\(stand)', '\(kept)') ELSE value END;
        END
        """

    private static let kept = "ı\u{1c80}\u{1c81}\u{1c82}\u{1c83}\u{1c84}\u{1c85}\u{1c86}\u{1c87}\u{1c88}"
    /// Characters of private use in their place.
    private static let stand =
        "\u{f5f80}\u{f5f81}\u{f5f82}\u{f5f83}\u{f5f84}\u{f5f85}\u{f5f86}\u{f5f87}\u{f5f88}\u{f5f89}"

    /// Letters without their marks: Latin, Greek and Cyrillic ones that are one character with their marks, and all
    /// that have marks behind them.
    private static let withoutMarks = """
        BEGIN
        IF value !~ ('[\\u0510-\\u1dff\\u1fcd-\\u1fcf\\u1fdd-\\u1fdf\\u2000-\\U0010ffff]' COLLATE "C") THEN
        RETURN regexp_replace(normalize(value, NFD), '(.)[\\u0300-\\u036f\\u0483-\\u0489]+' COLLATE "C", '\\1', 'g');
        END IF;
        RETURN regexp_replace(
        translate(value, '\(PostgreSQLMarks.marked)', '\(PostgreSQLMarks.plain)'),
        '(.)[\(PostgreSQLMarks.marks)]+' COLLATE "C", '\\1', 'g');
        END
        """

    /// The options: 1 for the case, 2 for diacritics.
    private static let fold = """
        BEGIN
        IF octet_length(value) = char_length(value) THEN
        RETURN CASE WHEN options & 1 = 1 THEN lower(value COLLATE "C") ELSE value END;
        END IF;
        IF options & 2 = 2 THEN value := coredata.without_marks(value); END IF;
        RETURN CASE WHEN options & 1 = 1 THEN coredata.without_case(value) ELSE value END;
        END
        """

    /// The length in the units of UTF-16: characters beyond 65,535 count twice.
    private static let length = """
        DECLARE count integer := char_length(value);
        BEGIN
        IF octet_length(value) = count THEN RETURN count; END IF;
        RETURN count + char_length(regexp_replace(value, '[\\u0001-\\uffff]+' COLLATE "C", '', 'g'));
        END
        """

    /// A text whose order byte by byte is that of Foundation's `caseInsensitiveCompare`.
    private static let caseInsensitiveKey = """
        BEGIN
        IF octet_length(value) = char_length(value) THEN RETURN lower(value COLLATE "C"); END IF;
        RETURN normalize(coredata.fold(value, 1), NFD);
        END
        """
}
