import CoreData

/// What splits texts into the words that SQLite's indexes have: letters and digits, small, Latin letters without marks.
extension PostgreSQLFunctions {
    static var searches: [String] {
        [
            expression(
                "small(value text)", returns: "text",
                "translate(lower(value COLLATE coredata.\"Unicode\"), 'ς', 'σ')"),
            block("words(value text)", returns: "text", words),
            englishDictionary, englishConfiguration,
            // A vector has at most a megabyte.
            expression(
                "search_vector(value text, configuration regconfig)", returns: "tsvector",
                "to_tsvector(configuration, left(coredata.words(value), 200000))"),
            expression(
                "is_hit(word text, wanted text[], beginnings text[], stems boolean)", returns: "boolean",
                """
                word = ANY (wanted) OR stems AND (ts_lexize('coredata.porter', word))[1] = ANY (wanted) \
                OR EXISTS (SELECT FROM unnest(beginnings) AS beginning WHERE starts_with(word, beginning) \
                OR stems AND starts_with((ts_lexize('coredata.porter', word))[1], beginning))
                """),
            block(
                "snippet(texts text[], wanted text[], beginnings text[], stems boolean)", returns: "text", snippet),
            block("snippet_of_parts(texts text[], parts text[])", returns: "text", snippetOfParts),
            block("rank_of_parts(texts text[], parts text[])", returns: "double precision", rankOfParts),
        ]
    }

    /// What words consist of: letters, and digits of all kinds.
    private static let letter = """
        [:alnum:]\\u00b2\\u00b3\\u00b9\\u00bc-\\u00be\\u2070-\\u2079\\u2080-\\u2089\\u2150-\\u2189\\u2460-\\u249b\
        \\u24ea-\\u24ff\\u2776-\\u2793
        """

    /// The words of a text, with spaces between them.
    private static let words = """
        BEGIN
        IF octet_length(value) = char_length(value) THEN
        RETURN btrim(regexp_replace(lower(value COLLATE "C"), '[^a-z0-9]+', ' ', 'g'));
        END IF;
        value := regexp_replace(normalize(value, NFD), '([A-Za-zÆæØøſƷʒ])[\\u0300-\\u036f]+' COLLATE "C", '\\1', 'g');
        value := coredata.small(normalize(value, NFC));
        RETURN btrim(regexp_replace(value, '[^\(letter)]+' COLLATE coredata."Unicode", ' ', 'g'));
        END
        """

    // MARK: English

    /// The stems of Porter's algorithm, as in SQLite. All words count: there are no stop words.
    private static let englishDictionary = PostgreSQLQuoting.block(
        """
        IF NOT EXISTS (SELECT FROM pg_ts_dict WHERE dictname = 'porter' AND dictnamespace = 'coredata'::regnamespace) THEN
        CREATE TEXT SEARCH DICTIONARY coredata.porter (TEMPLATE = pg_catalog.snowball, LANGUAGE = porter);
        END IF;
        """)

    private static let englishConfiguration = PostgreSQLQuoting.block(
        """
        IF NOT EXISTS (SELECT FROM pg_ts_config WHERE cfgname = 'english' AND cfgnamespace = 'coredata'::regnamespace) THEN
        CREATE TEXT SEARCH CONFIGURATION coredata.english (COPY = pg_catalog.simple);
        ALTER TEXT SEARCH CONFIGURATION coredata.english ALTER MAPPING \
        FOR asciiword, word, numword, asciihword, hword, numhword, hword_asciipart, hword_part, hword_numpart \
        WITH coredata.porter;
        END IF;
        """)

    // MARK: Snippets

    /// Up to 24 words of the first text that has one of those that are wanted, which stand between marks.
    private static let snippet = """
        DECLARE value text; gaps text[]; found text[]; hits boolean[]; place integer; start integer; stop integer;
        result text; rest text;
        BEGIN
        FOREACH value IN ARRAY texts LOOP
        CONTINUE WHEN value IS NULL;
        value := normalize(value, NFC);
        SELECT array_agg(m[1] ORDER BY n), array_agg(m[2] ORDER BY n),
        array_agg(coredata.is_hit(coredata.words(m[2]), wanted, beginnings, stems) ORDER BY n) INTO gaps, found, hits
        FROM regexp_matches(value, '([^\(letter)]*)([\(letter)]+)' COLLATE coredata."Unicode", 'g')
        WITH ORDINALITY AS all_words (m, n);
        place := array_position(hits, true);
        EXIT WHEN place IS NOT NULL;
        END LOOP;
        IF place IS NULL THEN RETURN ''; END IF;
        start := CASE WHEN cardinality(hits) <= 24 THEN 1 ELSE greatest(1, least(place - 4, cardinality(hits) - 23)) END;
        stop := least(cardinality(hits), start + 23);
        result := CASE WHEN start > 1 THEN '…' ELSE gaps[1] END;
        FOR i IN start..stop LOOP
        IF i > start THEN result := result || gaps[i]; END IF;
        result := result || CASE WHEN hits[i] THEN '\(TextMarker.start)' || found[i] || '\(TextMarker.end)' ELSE found[i] END;
        END LOOP;
        rest := right(value, -char_length(array_to_string(gaps, '') || array_to_string(found, '')));
        RETURN result || CASE WHEN stop < cardinality(hits) THEN '…' ELSE rest END;
        END
        """

    /// Up to 64 characters of the first text that has one of the parts, which stand between marks.
    private static let snippetOfParts = """
        DECLARE value text; small text; part text; place integer; first integer; length integer; i integer;
        result text := '';
        BEGIN
        FOREACH value IN ARRAY texts LOOP
        CONTINUE WHEN value IS NULL;
        small := coredata.small(value);
        FOREACH part IN ARRAY parts LOOP
        place := strpos(small, part);
        IF place > 0 AND (first IS NULL OR place < first) THEN first := place; END IF;
        END LOOP;
        EXIT WHEN first IS NOT NULL;
        END LOOP;
        IF first IS NULL THEN RETURN ''; END IF;
        first := greatest(1, first - 12);
        i := first;
        WHILE i < first + 64 AND i <= char_length(value) LOOP
        length := 0;
        FOREACH part IN ARRAY parts LOOP
        IF substr(small, i, char_length(part)) = part THEN length := greatest(length, char_length(part)); END IF;
        END LOOP;
        result := result || CASE WHEN length > 0
        THEN '\(TextMarker.start)' || substr(value, i, length) || '\(TextMarker.end)' ELSE substr(value, i, 1) END;
        i := i + greatest(length, 1);
        END LOOP;
        RETURN CASE WHEN first > 1 THEN '…' ELSE '' END || result || CASE WHEN i <= char_length(value) THEN '…' ELSE '' END;
        END
        """

    /// How much of some texts the parts are.
    private static let rankOfParts = """
        DECLARE value text; part text; found integer := 0; total integer := 1;
        BEGIN
        FOREACH value IN ARRAY texts LOOP
        CONTINUE WHEN value IS NULL;
        total := total + char_length(value);
        FOREACH part IN ARRAY parts LOOP
        found := found + char_length(value) - char_length(replace(value, part, ''));
        END LOOP;
        END LOOP;
        RETURN found::double precision / (total * (1 + ln(total::double precision)));
        END
        """
}
