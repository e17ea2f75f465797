-- whole rows
SELECT t0."_key", t0."_version", t0."name" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND t0."age" > $2::smallint;
-- a count
SELECT COUNT(*) FROM "Person" t0 WHERE t0."_entity" = $1::integer AND t0."age" > $2::smallint;
-- a count of a part
SELECT COUNT(*) FROM (SELECT 1 FROM "Person" t0 WHERE t0."_entity" = $1::integer AND t0."age" > $2::smallint LIMIT $3::bigint) AS "rows";
-- a page in order
SELECT t0."_key", t0."_entity" FROM "Person" t0 LEFT JOIN "Team" t1 ON t1."_key" = t0."team" WHERE t0."_entity" = $1::integer AND t0."age" > $2::smallint ORDER BY t1."name" COLLATE coredata."CoreDataLocalizedStandard" DESC NULLS LAST, t0."age" ASC NULLS FIRST, t0."_key" ASC NULLS FIRST LIMIT $3::bigint OFFSET $4::bigint;
-- groups
SELECT t1."name", SUM(t0."age"::double precision) / COUNT(t0."age"::double precision) FROM "Person" t0 LEFT JOIN "Team" t1 ON t1."_key" = t0."team" WHERE t0."_entity" = $1::integer AND t0."age" > $2::smallint GROUP BY t1."name";
-- groups by what has a parameter
SELECT (t0."age"::bigint) + $1::bigint, SUM(t0."age"::double precision) / COUNT(t0."age"::double precision) FROM "Person" t0 WHERE t0."_entity" = $2::integer AND t0."age" > $3::smallint GROUP BY (t0."age"::bigint) + $1::bigint;
-- distinct rows in an order of their own
SELECT c0 FROM (SELECT t1."name" AS c0, t0."age" AS o0 FROM "Person" t0 LEFT JOIN "Team" t1 ON t1."_key" = t0."team" WHERE t0."_entity" = $1::integer AND t0."age" > $2::smallint) AS "rows" GROUP BY c0 ORDER BY ((array_agg(o0))[1]) ASC NULLS FIRST;
