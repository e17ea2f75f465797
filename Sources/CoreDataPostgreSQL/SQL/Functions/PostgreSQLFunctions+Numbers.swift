/// Functions of numbers. What leaves the range of doubles becomes infinite or zero, and what is no number is NULL.
extension PostgreSQLFunctions {
    static var numbers: [String] {
        [
            expression(
                "random()", returns: "bigint", "floor(pg_catalog.random() * 2147483648)::bigint", kind: changing),
            expression(
                "random_below(upper bigint)", returns: "bigint",
                "CASE WHEN upper > 0 THEN floor(pg_catalog.random() * upper)::bigint END", kind: changing),
            expression(
                "now()", returns: "double precision", "coredata.seconds(clock_timestamp())", kind: changing),
            block("sum_of(a double precision, b double precision)", returns: "double precision", sum),
            expression(
                "difference(a double precision, b double precision)", returns: "double precision",
                "coredata.sum_of(a, -b)"),
            block("product(a double precision, b double precision)", returns: "double precision", product),
            block("quotient(a double precision, b double precision)", returns: "double precision", quotient),
            expression(
                "square_root(value double precision)", returns: "double precision",
                "CASE WHEN value >= 0 THEN sqrt(value) END"),
            expression(
                "logarithm(value double precision)", returns: "double precision",
                "CASE WHEN value > 0 THEN log(value) WHEN value = 0 THEN '-Infinity' END"),
            expression(
                "natural_logarithm(value double precision)", returns: "double precision",
                "CASE WHEN value > 0 THEN ln(value) WHEN value = 0 THEN '-Infinity' END"),
            expression(
                "exponential(value double precision)", returns: "double precision",
                """
                CASE WHEN value > 709.782712893384 THEN 'Infinity' WHEN value < -745.1332191019412 THEN 0 \
                WHEN value < -700 THEN exp(value + 100) * 3.720075976020836e-44 ELSE exp(value) END
                """),
            block("power(base double precision, exponent double precision)", returns: "double precision", power),
            block("exact(value double precision)", returns: "numeric", exact),
            block("modulus(a double precision, b double precision)", returns: "double precision", modulus),
            expression(
                "bitwise_xor(a numeric, b numeric)", returns: "bigint",
                "CASE WHEN a = trunc(a) AND b = trunc(b) THEN coredata.whole(a) # coredata.whole(b) END"),
            expression(
                "shifted_left(value bigint, places bigint)", returns: "bigint",
                """
                CASE WHEN places >= 64 THEN 0 WHEN places >= 0 THEN value << places::integer \
                WHEN places > -64 THEN value >> (-places)::integer WHEN value < 0 THEN -1 ELSE 0 END
                """),
            expression(
                "shifted_right(value bigint, places bigint)", returns: "bigint",
                """
                CASE WHEN places <= -64 THEN 0 WHEN places < 0 THEN value << (-places)::integer \
                WHEN places < 64 THEN value >> places::integer WHEN value < 0 THEN -1 ELSE 0 END
                """),
        ]
    }

    private static let sum = """
        BEGIN
        IF a > 0 AND b > 0 AND a > 1.7976931348623157e308 - b THEN RETURN 'Infinity'; END IF;
        IF a < 0 AND b < 0 AND a < -1.7976931348623157e308 - b THEN RETURN '-Infinity'; END IF;
        RETURN NULLIF(a + b, 'NaN');
        END
        """

    private static let product = """
        DECLARE magnitude double precision;
        BEGIN
        IF abs(a) BETWEEN 1e-150 AND 1e150 AND abs(b) BETWEEN 1e-150 AND 1e150 THEN RETURN a * b; END IF;
        IF a = 0 OR b = 0 OR abs(a) = 'Infinity' OR abs(b) = 'Infinity' THEN RETURN NULLIF(a * b, 'NaN'); END IF;
        magnitude := ln(abs(a)) + ln(abs(b));
        IF magnitude > 709.782712893384 THEN RETURN sign(a) * sign(b) * 'Infinity'::double precision; END IF;
        RETURN CASE WHEN magnitude < -744.44 THEN 0 ELSE a * b END;
        END
        """

    private static let quotient = """
        DECLARE magnitude double precision;
        BEGIN
        IF abs(a) BETWEEN 1e-150 AND 1e150 AND abs(b) BETWEEN 1e-150 AND 1e150 THEN RETURN a / b; END IF;
        IF b = 0 THEN RETURN NULL; END IF;
        IF a = 0 OR abs(a) = 'Infinity' OR abs(b) = 'Infinity' THEN RETURN NULLIF(a / b, 'NaN'); END IF;
        magnitude := ln(abs(a)) - ln(abs(b));
        IF magnitude > 709.782712893384 THEN RETURN sign(a) * sign(b) * 'Infinity'::double precision; END IF;
        RETURN CASE WHEN magnitude < -744.44 THEN 0 ELSE a / b END;
        END
        """

    private static let power = """
        DECLARE magnitude double precision;
        BEGIN
        IF exponent = 0 OR base = 1 THEN RETURN 1; END IF;
        IF base = 0 THEN RETURN CASE WHEN exponent < 0 THEN 'Infinity'::double precision ELSE 0 END; END IF;
        IF base < 0 AND exponent <> trunc(exponent) THEN RETURN NULL; END IF;
        IF abs(base) = 'Infinity' OR abs(exponent) = 'Infinity' THEN RETURN pg_catalog.power(base, exponent); END IF;
        magnitude := exponent * ln(abs(base));
        IF magnitude > 709.782712893384 THEN
        RETURN CASE WHEN base < 0 AND coredata.modulus(exponent, 2) <> 0
        THEN '-Infinity' ELSE 'Infinity'::double precision END;
        END IF;
        RETURN CASE WHEN magnitude < -708 THEN 0 ELSE pg_catalog.power(base, exponent) END;
        END
        """

    /// The number that a double is, with all its digits. PostgreSQL's own conversion rounds to 15 of them.
    private static let exact = """
        DECLARE bits bigint := ('x' || encode(float8send(abs(value)), 'hex'))::bit(64)::bigint;
        exponent integer := (bits >> 52)::integer;
        mantissa numeric := bits & 4503599627370495;
        BEGIN
        IF exponent = 2047 THEN RETURN value::numeric; END IF;
        IF exponent = 0 THEN exponent := 1; ELSE mantissa := mantissa + 4503599627370496; END IF;
        exponent := exponent - 1075;
        IF exponent >= 0 THEN mantissa := mantissa * pg_catalog.power(2::numeric, exponent);
        ELSE mantissa := mantissa * pg_catalog.power(5::numeric, -exponent) * ('1e' || exponent)::numeric; END IF;
        RETURN trim_scale(CASE WHEN value < 0 THEN -mantissa ELSE mantissa END);
        END
        """

    /// The remainder with the sign of the dividend, as C computes it.
    private static let modulus = """
        BEGIN
        IF b = 0 OR abs(a) = 'Infinity' THEN RETURN NULL; END IF;
        IF abs(b) = 'Infinity' THEN RETURN a; END IF;
        IF abs(a) < 9007199254740992 AND abs(b) < 9007199254740992 AND a = trunc(a) AND b = trunc(b) THEN
        RETURN (a::bigint % b::bigint)::double precision;
        END IF;
        RETURN (coredata.exact(a) % coredata.exact(b))::double precision;
        END
        """
}
