-- Team: TRUEPREDICATE
SELECT t0."_key", t0."_entity" FROM "Team" t0;
-- Team: FALSEPREDICATE
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE FALSE;
-- Team: name == 'Celtics'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE t0."name" = $1::text;
-- Team: 'Celtics' == name
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE $1::text = t0."name";
-- Team: name != 'Celtics'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE t0."name" <> $1::text;
-- Team: name == nil
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE t0."name" IS NULL;
-- Team: nil != name
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE t0."name" IS NOT NULL;
-- Team: rank < 3 AND (city == 'Boston' OR NOT city == 'Rome')
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE t0."rank" < $1::integer AND (t0."city" = $2::text OR NOT (t0."city" = $3::text));
-- Team: 3 < rank
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE $1::integer < t0."rank";
-- Team: rank BETWEEN {1, 10}
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE t0."rank" BETWEEN $1::integer AND $2::integer;
-- Team: rank IN {1, 2, 3}
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE t0."rank" = ANY ($1::integer[]);
-- Team: rank IN {1, nil}
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE t0."rank" = ANY ($1::integer[]) OR t0."rank" IS NULL;
-- Team: rank IN {}
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE FALSE;
-- Team: rank IN {1, rank}
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE t0."rank" = $1::integer OR t0."rank" = t0."rank";
-- Team: address.zip == 5 AND address.street == 'Elm'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE t0."address.zip" = $1::integer AND t0."address.street" = $2::text;
-- Player: active == YES
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND t0."active" = $2::boolean;
-- Coach: age > 3
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND t0."age" > $2::smallint;
-- Person: entity.name == 'Player'
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE CASE WHEN t0."_entity" = $1::integer THEN $2::text WHEN t0."_entity" = $3::integer THEN $4::text WHEN t0."_entity" = $5::integer THEN $6::text ELSE NULL::text END = $7::text;
-- Person: age == boss.age OR 1 == 1
SELECT t0."_key", t0."_entity" FROM "Person" t0 LEFT JOIN "Person" t1 ON t1."_key" = t0."boss" WHERE t0."age" = t1."age" OR $1::bigint = $2::bigint;
-- Team: rank <= 3 OR rank >= 10
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE t0."rank" <= $1::integer OR t0."rank" >= $2::integer;
-- Team: NOT rank == 3
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE NOT (t0."rank" = $1::integer);
-- Team: NOT (rank == 3 OR rank == 4)
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE NOT (t0."rank" = $1::integer OR t0."rank" = $2::integer);
-- Team: NOT (rank BETWEEN {1, 5})
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE NOT (t0."rank" BETWEEN $1::integer AND $2::integer);
-- Team: rank =< 3 AND rank => 1
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE t0."rank" <= $1::integer AND t0."rank" >= $2::integer;
-- Team: name <> 'A' AND NOT name IN {'B', 'C'}
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE t0."name" <> $1::text AND NOT (t0."name" = ANY ($2::text[]));
-- Team: rank IN {3}
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE t0."rank" = ANY ($1::integer[]);
-- Team: rank IN {1, 2, 3, 4, 5, 6, 7, 8, 9}
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE t0."rank" = ANY ($1::integer[]);
-- Team: name IN {'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'}
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE t0."name" = ANY ($1::text[]);
-- Team: NOT rank IN {1, 2}
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE NOT (t0."rank" = ANY ($1::integer[]));
-- Team: rank BETWEEN {rank, 10}
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE t0."rank" BETWEEN t0."rank" AND $1::integer;
-- Team: rank BETWEEN {10, 1}
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE t0."rank" BETWEEN $1::integer AND $2::integer;
-- Team: nil == name AND nil == rank
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE t0."name" IS NULL AND t0."rank" IS NULL;
-- Team: NOT (name == nil)
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE NOT (t0."name" IS NULL);
-- Team: TRUEPREDICATE AND rank == 1
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE TRUE AND t0."rank" = $1::integer;
-- Team: FALSEPREDICATE OR rank == 1
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE FALSE OR t0."rank" = $1::integer;
-- Team: 1 == 1
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE $1::bigint = $2::bigint;
-- Team: rank == 1.5
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE (t0."rank"::double precision) = $1::double precision;
-- Team: rank == '7'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE t0."rank" = $1::integer;
-- Team: name == 7
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE t0."name" = $1::text;
-- Player: active == TRUE AND active != NO
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND t0."active" = $2::boolean AND t0."active" <> $3::boolean;
-- Player: born BETWEEN {CAST(0, 'NSDate'), CAST(86400, 'NSDate')}
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND (t0."born" BETWEEN $2::timestamp with time zone AND $3::timestamp with time zone);
-- Player: price > 9.99
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND t0."price" > $2::numeric;
-- Player: key != nil AND page != nil
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND t0."key" IS NOT NULL AND t0."page" IS NOT NULL;
-- Player: photo == nil
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND t0."photo" IS NULL;
-- Player: tint == nil
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND t0."tint" IS NULL;
-- Player: age IN {21, 22} AND name IN {'Ann', nil}
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND t0."age" = ANY ($2::smallint[]) AND (t0."name" = ANY ($3::text[]) OR t0."name" IS NULL);
-- Team: name BEGINSWITH 'Cel'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE starts_with(t0."name", $1::text);
-- Team: name BEGINSWITH ''
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE starts_with(t0."name", $1::text);
-- Team: name ENDSWITH 'ics'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE right(t0."name", length($1::text)) = $2::text;
-- Team: name CONTAINS 'elt'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE strpos(t0."name", $1::text) > 0;
-- Team: name CONTAINS[cd] 'ELT'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE strpos(coredata.fold(t0."name", 3), $1::text) > 0;
-- Team: name BEGINSWITH[c] 'CEL'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE starts_with(coredata.fold(t0."name", 1), $1::text);
-- Team: name ==[c] 'CELTICS'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE coredata.fold(t0."name", 1) = $1::text;
-- Team: name IN[c] {'A', 'B'}
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE coredata.fold(t0."name", 1) = ANY ($1::text[]);
-- Team: name BEGINSWITH[n] 'Cel'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE starts_with(t0."name", $1::text);
-- Team: name LIKE 'Cel?ics*'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE (starts_with(t0."name", $1::text)) AND coredata.fits(t0."name", $2::text, $3::text, 0);
-- Team: name LIKE[c] '*CELT*'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE coredata.fits(t0."name", $1::text, $2::text, 1);
-- Team: name MATCHES 'C.*s'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE coredata.matches(t0."name", $1::text, 0);
-- Team: name CONTAINS city
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE strpos(t0."name", t0."city") > 0;
-- Team: name BEGINSWITH city AND name ENDSWITH city
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE (starts_with(t0."name", t0."city")) AND (right(t0."name", length(t0."city")) = t0."city");
-- Team: 'elt' IN name
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE strpos(t0."name", $1::text) > 0;
-- Team: name IN 'Celtics and Lakers'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE strpos($1::text, t0."name") > 0;
-- Team: name < 'M' AND name >= 'A'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE t0."name" < $1::text AND t0."name" >= $2::text;
-- Team: name <[c] 'm'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE (coredata.fold(t0."name", 1) COLLATE "C") < $1::text;
-- Team: name ==[d] 'Boston'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE coredata.fold(t0."name", 2) = $1::text;
-- Team: name ==[cd] city
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE coredata.fold(t0."name", 3) = coredata.fold(t0."city", 3);
-- Team: name !=[cd] 'celtics'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE coredata.fold(t0."name", 3) <> $1::text;
-- Team: name CONTAINS ''
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE strpos(t0."name", $1::text) > 0;
-- Team: name CONTAINS[n] 'x'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE strpos(t0."name", $1::text) > 0;
-- Team: name CONTAINS[cdl] 'x'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE coredata.localized_search(t0."name", $1::text, 2, 11) IS TRUE;
-- Team: name ==[l] 'x'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE coredata.localized_order(t0."name", $1::text, 8) = 0;
-- Team: name ENDSWITH[d] 'é'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE right(coredata.fold(t0."name", 2), length($1::text)) = $2::text;
-- Team: name BEGINSWITH[cd] city
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE starts_with(coredata.fold(t0."name", 3), coredata.fold(t0."city", 3));
-- Team: 'Celtics and more' BEGINSWITH name
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE starts_with($1::text, t0."name");
-- Team: 'Celtics' CONTAINS[c] name
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE strpos($1::text, coredata.fold(t0."name", 1)) > 0;
-- Team: name LIKE 'Cel*'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE (starts_with(t0."name", $1::text)) AND coredata.fits(t0."name", $2::text, $3::text, 0);
-- Team: name LIKE '?el*'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE coredata.fits(t0."name", $1::text, $2::text, 0);
-- Team: name LIKE 'a\\*b'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE (starts_with(t0."name", $1::text)) AND coredata.fits(t0."name", $2::text, $3::text, 0);
-- Team: name LIKE city
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE coredata.like(t0."name", t0."city", 0);
-- Team: name LIKE[cd] 'b*'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE coredata.fits(t0."name", $1::text, $2::text, 3);
-- Team: name MATCHES[c] '(cel|lak).*'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE coredata.matches(t0."name", $1::text, 1);
-- Team: name MATCHES city
-- A PostgreSQL store can't answer this request: MATCHES needs a regular expression that is known before the fetch.
-- Team: NOT name MATCHES 'a+'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE NOT coredata.matches(t0."name", $1::text, 0);
-- Player: team.name == 'Celtics' AND team.rank > 3
SELECT t0."_key", t0."_entity" FROM "Person" t0 LEFT JOIN "Team" t1 ON t1."_key" = t0."team" WHERE t0."_entity" = $1::integer AND t1."name" = $2::text AND t1."rank" > $3::integer;
-- Player: team == nil
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND t0."team" IS NULL;
-- Player: boss.boss.name == 'Ann'
SELECT t0."_key", t0."_entity" FROM "Person" t0 LEFT JOIN "Person" t1 ON t1."_key" = t0."boss" LEFT JOIN "Person" t2 ON t2."_key" = t1."boss" WHERE t0."_entity" = $1::integer AND t2."name" = $2::text;
-- Player: team.name == boss.name
SELECT t0."_key", t0."_entity" FROM "Person" t0 LEFT JOIN "Team" t1 ON t1."_key" = t0."team" LEFT JOIN "Person" t2 ON t2."_key" = t0."boss" WHERE t0."_entity" = $1::integer AND t1."name" = t2."name";
-- Player: SELF.name == 'Ann'
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND t0."name" = $2::text;
-- Player: boss == SELF
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND t0."boss" = t0."_key";
-- Player: boss.entity.name == 'Coach'
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND CASE WHEN t0."boss._entity" = $2::integer THEN $3::text WHEN t0."boss._entity" = $4::integer THEN $5::text WHEN t0."boss._entity" = $6::integer THEN $7::text ELSE NULL::text END = $8::text;
-- Team: address.street == name
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE t0."address.street" = t0."name";
-- Player: SELF == boss
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND t0."_key" = t0."boss";
-- Player: SELF IN {boss}
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND t0."_key" = t0."boss";
-- Player: objectID == boss.objectID
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND t0."_key" = t0."boss";
-- Player: team.name ==[cd] 'celtics' OR boss.name CONTAINS 'x'
SELECT t0."_key", t0."_entity" FROM "Person" t0 LEFT JOIN "Team" t1 ON t1."_key" = t0."team" LEFT JOIN "Person" t2 ON t2."_key" = t0."boss" WHERE t0."_entity" = $1::integer AND (coredata.fold(t1."name", 3) = $2::text OR (strpos(t2."name", $3::text) > 0));
-- Player: boss.boss.boss.age > 3
SELECT t0."_key", t0."_entity" FROM "Person" t0 LEFT JOIN "Person" t1 ON t1."_key" = t0."boss" LEFT JOIN "Person" t2 ON t2."_key" = t1."boss" LEFT JOIN "Person" t3 ON t3."_key" = t2."boss" WHERE t0."_entity" = $1::integer AND t3."age" > $2::smallint;
-- Player: team.address.zip == 5
SELECT t0."_key", t0."_entity" FROM "Person" t0 LEFT JOIN "Team" t1 ON t1."_key" = t0."team" WHERE t0."_entity" = $1::integer AND t1."address.zip" = $2::integer;
-- Player: team != nil AND team.name == nil
SELECT t0."_key", t0."_entity" FROM "Person" t0 LEFT JOIN "Team" t1 ON t1."_key" = t0."team" WHERE t0."_entity" = $1::integer AND t0."team" IS NOT NULL AND t1."name" IS NULL;
-- Coach: boss.name == name
SELECT t0."_key", t0."_entity" FROM "Person" t0 LEFT JOIN "Person" t1 ON t1."_key" = t0."boss" WHERE t0."_entity" = $1::integer AND t1."name" = t0."name";
-- Person: entity.name IN {'Player', 'Coach'}
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE CASE WHEN t0."_entity" = $1::integer THEN $2::text WHEN t0."_entity" = $3::integer THEN $4::text WHEN t0."_entity" = $5::integer THEN $6::text ELSE NULL::text END = ANY ($7::text[]);
-- Player: team.entity.name == 'Team'
SELECT t0."_key", t0."_entity" FROM "Person" t0 LEFT JOIN "Team" t1 ON t1."_key" = t0."team" WHERE t0."_entity" = $1::integer AND CASE WHEN t1."_entity" = $2::integer THEN $3::text ELSE NULL::text END = $4::text;
-- Team: ANY players.name == 'Ann'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE EXISTS (SELECT 1 FROM "Person" t1 WHERE t1."team" = t0."_key" AND t1."name" = $1::text);
-- Team: NONE players.age > 30
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE NOT EXISTS (SELECT 1 FROM "Person" t1 WHERE t1."team" = t0."_key" AND t1."age" > $1::smallint);
-- Team: ALL players.age > 30
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE NOT EXISTS (SELECT 1 FROM "Person" t1 WHERE t1."team" = t0."_key" AND t1."age" IS NOT NULL AND (t1."age" > $1::smallint) IS NOT TRUE);
-- Team: ANY players.age IN {1, 2}
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE EXISTS (SELECT 1 FROM "Person" t1 WHERE t1."team" = t0."_key" AND t1."age" = ANY ($1::smallint[]));
-- Team: players.@count > 0
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE EXISTS (SELECT 1 FROM "Person" t1 WHERE t1."team" = t0."_key");
-- Team: players.@count == 0
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE NOT EXISTS (SELECT 1 FROM "Person" t1 WHERE t1."team" = t0."_key");
-- Team: players.@count >= 3
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE (SELECT COUNT(*) FROM "Person" t1 WHERE t1."team" = t0."_key") >= $1::bigint;
-- Team: players.@sum.salary > 100
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE COALESCE((SELECT SUM(t1."salary") FROM "Person" t1 WHERE t1."team" = t0."_key"), 0::double precision) > $1::double precision;
-- Team: players.@avg.age < 20
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE COALESCE((SELECT coredata.quotient(SUM(t1."age"::double precision), (COUNT(*)::double precision)) FROM "Person" t1 WHERE t1."team" = t0."_key"), 0::double precision) < $1::double precision;
-- Team: players.@max.age == 20 AND players.@min.age == 18
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE (SELECT MAX(t1."age") FROM "Person" t1 WHERE t1."team" = t0."_key") = $1::smallint AND (SELECT MIN(t2."age") FROM "Person" t2 WHERE t2."team" = t0."_key") = $2::smallint;
-- Team: SUBQUERY(players, $p, $p.age > 30 AND $p.name == 'Ann').@count > 0
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE EXISTS (SELECT 1 FROM "Person" t1 WHERE t1."team" = t0."_key" AND t1."age" > $1::smallint AND t1."name" = $2::text);
-- Team: SUBQUERY(players, $p, $p.name == name).@count >= 2
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE (SELECT COUNT(*) FROM "Person" t1 WHERE t1."team" = t0."_key" AND t1."name" = t0."name") >= $1::bigint;
-- Team: SUBQUERY(players, $p, SUBQUERY($p.fans, $f, $f.age > $p.age).@count == 0).@count > 1
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE (SELECT COUNT(*) FROM "Person" t1 WHERE t1."team" = t0."_key" AND NOT EXISTS (SELECT 1 FROM "Coach.favourites" t2 JOIN "Person" t3 ON t3."_key" = t2."fans" WHERE t2."favourites" = t1."_key" AND t3."age" > t1."age")) > $1::bigint;
-- Team: ANY players.fans.name == 'Joe'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE EXISTS (SELECT 1 FROM "Person" t1 JOIN "Coach.favourites" t2 ON t2."favourites" = t1."_key" JOIN "Person" t3 ON t3."_key" = t2."fans" WHERE t1."team" = t0."_key" AND t3."name" = $1::text);
-- Player: fans.@count == 2
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND (SELECT COUNT(*) FROM "Coach.favourites" t1 WHERE t1."favourites" = t0."_key") = $2::bigint;
-- Player: ANY fans.name BEGINSWITH 'J'
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND EXISTS (SELECT 1 FROM "Coach.favourites" t1 JOIN "Person" t2 ON t2."_key" = t1."fans" WHERE t1."favourites" = t0."_key" AND (starts_with(t2."name", $2::text)));
-- Player: 'Joe' IN fans.name
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND EXISTS (SELECT 1 FROM "Coach.favourites" t1 JOIN "Person" t2 ON t2."_key" = t1."fans" WHERE t1."favourites" = t0."_key" AND t2."name" = $2::text);
-- Player: team.players.@count == 1
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND CASE WHEN t0."team" IS NULL THEN NULL::bigint ELSE (SELECT COUNT(*) FROM "Person" t1 WHERE t1."team" = t0."team") END = $2::bigint;
-- Player: ANY team.players.boss.name == 'Ann'
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND EXISTS (SELECT 1 FROM "Person" t1 LEFT JOIN "Person" t2 ON t2."_key" = t1."boss" WHERE t1."team" = t0."team" AND t2."name" = $2::text);
-- Player: SELF IN boss.reports
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND EXISTS (SELECT 1 FROM "Person" t1 WHERE t1."boss" = t0."boss" AND t1."_key" = t0."_key");
-- Player: sum(reports.age) > 10
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND COALESCE((SELECT SUM(DISTINCT t1."age") FROM "Person" t1 WHERE t1."boss" = t0."_key"), 0) > $2::bigint;
-- Team: SOME players.age == 20
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE EXISTS (SELECT 1 FROM "Person" t1 WHERE t1."team" = t0."_key" AND t1."age" = $1::smallint);
-- Team: ANY players.name ==[c] 'ann'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE EXISTS (SELECT 1 FROM "Person" t1 WHERE t1."team" = t0."_key" AND coredata.fold(t1."name", 1) = $1::text);
-- Team: ANY players.age BETWEEN {18, 20}
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE EXISTS (SELECT 1 FROM "Person" t1 WHERE t1."team" = t0."_key" AND (t1."age" BETWEEN $1::smallint AND $2::smallint));
-- Team: ANY players.team == SELF
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE EXISTS (SELECT 1 FROM "Person" t1 WHERE t1."team" = t0."_key" AND t1."team" = t0."_key");
-- Team: ANY players.boss == nil
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE EXISTS (SELECT 1 FROM "Person" t1 WHERE t1."team" = t0."_key" AND t1."boss" IS NULL);
-- Team: ANY players == nil
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE EXISTS (SELECT 1 FROM "Person" t1 WHERE t1."team" = t0."_key" AND t1."_key" IS NULL);
-- Team: NONE players.name IN {'a', 'b'}
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE NOT EXISTS (SELECT 1 FROM "Person" t1 WHERE t1."team" = t0."_key" AND t1."name" = ANY ($1::text[]));
-- Team: NOT ANY players.age > 3
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE NOT EXISTS (SELECT 1 FROM "Person" t1 WHERE t1."team" = t0."_key" AND t1."age" > $1::smallint);
-- Team: NOT ALL players.age > 3
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE NOT (NOT EXISTS (SELECT 1 FROM "Person" t1 WHERE t1."team" = t0."_key" AND t1."age" IS NOT NULL AND (t1."age" > $1::smallint) IS NOT TRUE));
-- Team: ALL players.name BEGINSWITH 'A'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE NOT EXISTS (SELECT 1 FROM "Person" t1 WHERE t1."team" = t0."_key" AND t1."name" IS NOT NULL AND (starts_with(t1."name", $1::text)) IS NOT TRUE);
-- Team: ALL players.boss.age >= 40
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE NOT EXISTS (SELECT 1 FROM "Person" t1 LEFT JOIN "Person" t2 ON t2."_key" = t1."boss" WHERE t1."team" = t0."_key" AND t2."age" IS NOT NULL AND (t2."age" >= $1::smallint) IS NOT TRUE);
-- Team: ALL players.fans.age > 3
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE NOT EXISTS (SELECT 1 FROM "Person" t1 JOIN "Coach.favourites" t2 ON t2."favourites" = t1."_key" JOIN "Person" t3 ON t3."_key" = t2."fans" WHERE t1."team" = t0."_key" AND t3."age" IS NOT NULL AND (t3."age" > $1::smallint) IS NOT TRUE);
-- Team: ANY players.fans.favourites.age > 3
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE EXISTS (SELECT 1 FROM "Person" t1 JOIN "Coach.favourites" t2 ON t2."favourites" = t1."_key" JOIN "Coach.favourites" t3 ON t3."fans" = t2."fans" JOIN "Person" t4 ON t4."_key" = t3."favourites" WHERE t1."team" = t0."_key" AND t4."age" > $1::smallint);
-- Team: players.@count == 11 AND players.@count != 3
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE (SELECT COUNT(*) FROM "Person" t1 WHERE t1."team" = t0."_key") = $1::bigint AND (SELECT COUNT(*) FROM "Person" t2 WHERE t2."team" = t0."_key") <> $2::bigint;
-- Team: players.@count BETWEEN {1, 5}
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE (SELECT COUNT(*) FROM "Person" t1 WHERE t1."team" = t0."_key") BETWEEN $1::bigint AND $2::bigint;
-- Team: players.@count > rank
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE (SELECT COUNT(*) FROM "Person" t1 WHERE t1."team" = t0."_key") > t0."rank";
-- Team: 3 <= players.@count
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE $1::bigint <= (SELECT COUNT(*) FROM "Person" t1 WHERE t1."team" = t0."_key");
-- Team: 0 < players.@count
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE EXISTS (SELECT 1 FROM "Person" t1 WHERE t1."team" = t0."_key");
-- Team: players.@count != 0
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE EXISTS (SELECT 1 FROM "Person" t1 WHERE t1."team" = t0."_key");
-- Team: players.@sum.age > players.@count
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE COALESCE((SELECT SUM(t1."age") FROM "Person" t1 WHERE t1."team" = t0."_key"), 0) > (SELECT COUNT(*) FROM "Person" t2 WHERE t2."team" = t0."_key");
-- Team: players.@max.born > CAST(0, 'NSDate')
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE (SELECT MAX(t1."born") FROM "Person" t1 WHERE t1."team" = t0."_key") > $1::timestamp with time zone;
-- Team: players.@min.name == 'Ann'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE (SELECT MIN(t1."name") FROM "Person" t1 WHERE t1."team" = t0."_key") = $1::text;
-- Team: players.@avg.price > 1
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE COALESCE((SELECT coredata.quotient(SUM(t1."price"::double precision), (COUNT(*)::double precision)) FROM "Person" t1 WHERE t1."team" = t0."_key"), 0::double precision) > $1::double precision;
-- Team: max(players.age) > 3
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE (SELECT MAX(t1."age") FROM "Person" t1 WHERE t1."team" = t0."_key") > $1::smallint;
-- Team: count(players.name) > 3
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE (SELECT COUNT(DISTINCT t1."name") FROM "Person" t1 WHERE t1."team" = t0."_key") > $1::bigint;
-- Team: average(players.salary) < 5
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE (SELECT SUM(DISTINCT t1."salary") / COUNT(DISTINCT t1."salary") FROM "Person" t1 WHERE t1."team" = t0."_key") < $1::double precision;
-- Team: SUBQUERY(players, $p, $p.age > rank).@count == 0
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE NOT EXISTS (SELECT 1 FROM "Person" t1 WHERE t1."team" = t0."_key" AND t1."age" > t0."rank");
-- Team: SUBQUERY(players, $p, $p.boss.name == 'Ann' OR $p.age == nil).@count > 2
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE (SELECT COUNT(*) FROM "Person" t1 LEFT JOIN "Person" t2 ON t2."_key" = t1."boss" WHERE t1."team" = t0."_key" AND (t2."name" = $1::text OR t1."age" IS NULL)) > $2::bigint;
-- Team: SUBQUERY(players, $p, ANY $p.fans.age > 3).@count > 0
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE EXISTS (SELECT 1 FROM "Person" t1 WHERE t1."team" = t0."_key" AND EXISTS (SELECT 1 FROM "Coach.favourites" t2 JOIN "Person" t3 ON t3."_key" = t2."fans" WHERE t2."favourites" = t1."_key" AND t3."age" > $1::smallint));
-- Team: SUBQUERY(players, $p, $p.team == SELF AND $p IN $p.boss.reports).@count > 0
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE EXISTS (SELECT 1 FROM "Person" t1 WHERE t1."team" = t0."_key" AND t1."team" = t0."_key" AND EXISTS (SELECT 1 FROM "Person" t2 WHERE t2."boss" = t1."boss" AND t2."_key" = t1."_key"));
-- Team: SUBQUERY(players, $p, $p.age > 3).@sum.salary > 10
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE COALESCE((SELECT SUM(t1."salary") FROM "Person" t1 WHERE t1."team" = t0."_key" AND t1."age" > $1::smallint), 0::double precision) > $2::double precision;
-- Team: SUBQUERY(players, $p, $p.age > 3).@max.age == 30
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE (SELECT MAX(t1."age") FROM "Person" t1 WHERE t1."team" = t0."_key" AND t1."age" > $1::smallint) = $2::smallint;
-- Team: ANY SUBQUERY(players, $p, $p.age > 3).name == 'Ann'
SELECT t0."_key", t0."_entity" FROM "Team" t0 WHERE EXISTS (SELECT 1 FROM "Person" t1 WHERE t1."team" = t0."_key" AND t1."age" > $1::smallint AND t1."name" = $2::text);
-- Player: fans.@count > reports.@count
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND (SELECT COUNT(*) FROM "Coach.favourites" t1 WHERE t1."favourites" = t0."_key") > (SELECT COUNT(*) FROM "Person" t2 WHERE t2."boss" = t0."_key");
-- Player: NONE fans.name == nil
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND NOT EXISTS (SELECT 1 FROM "Coach.favourites" t1 JOIN "Person" t2 ON t2."_key" = t1."fans" WHERE t1."favourites" = t0."_key" AND t2."name" IS NULL);
-- Player: ALL fans.favourites.name == 'x'
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND NOT EXISTS (SELECT 1 FROM "Coach.favourites" t1 JOIN "Coach.favourites" t2 ON t2."fans" = t1."fans" JOIN "Person" t3 ON t3."_key" = t2."favourites" WHERE t1."favourites" = t0."_key" AND t3."name" IS NOT NULL AND (t3."name" = $2::text) IS NOT TRUE);
-- Player: ANY boss.reports.age > 3
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND EXISTS (SELECT 1 FROM "Person" t1 WHERE t1."boss" = t0."boss" AND t1."age" > $2::smallint);
-- Player: boss IN team.players
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND EXISTS (SELECT 1 FROM "Person" t1 WHERE t1."team" = t0."team" AND t1."_key" = t0."boss");
-- Player: name IN team.players.name
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND EXISTS (SELECT 1 FROM "Person" t1 WHERE t1."team" = t0."team" AND t1."name" = t0."name");
-- Coach: favourites.@count == 0
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND NOT EXISTS (SELECT 1 FROM "Coach.favourites" t1 WHERE t1."fans" = t0."_key");
-- Coach: ANY favourites.team.name == 'Celtics'
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND EXISTS (SELECT 1 FROM "Coach.favourites" t1 JOIN "Person" t2 ON t2."_key" = t1."favourites" LEFT JOIN "Team" t3 ON t3."_key" = t2."team" WHERE t1."fans" = t0."_key" AND t3."name" = $2::text);
-- Person: reports.@count == 0 AND boss == nil
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE NOT EXISTS (SELECT 1 FROM "Person" t1 WHERE t1."boss" = t0."_key") AND t0."boss" IS NULL;
-- Person: boss.reports.@max.age == age
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE CASE WHEN t0."boss" IS NULL THEN NULL::smallint ELSE (SELECT MAX(t1."age") FROM "Person" t1 WHERE t1."boss" = t0."boss") END = t0."age";
-- Player: age + 1 == 20
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND ((t0."age"::bigint) + $2::bigint) = $3::bigint;
-- Player: salary * 2 > age - 3
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND coredata.product(t0."salary", $2::double precision) > (((t0."age"::bigint) - $3::bigint)::double precision);
-- Player: age / 2 == 9
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND ((t0."age"::bigint) / NULLIF($2::bigint, 0)) = $3::bigint;
-- Player: modulus:by:(age, 2) == 0
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND ((t0."age"::bigint) % NULLIF($2::bigint, 0)) = $3::bigint;
-- Player: age & 3 == 3
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND ((t0."age"::bigint) & $2::bigint) = $3::bigint;
-- Player: uppercase(name) == 'ANN'
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND coredata.uppercase(t0."name") = $2::text;
-- Player: length(name) > 3
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND coredata.length(t0."name") > $2::bigint;
-- Player: noindex(age) == 3
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND t0."age" = $2::smallint;
-- Player: TERNARY(age > 18, name, 'minor') == 'minor'
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND CASE WHEN t0."age" > $2::smallint THEN t0."name" ELSE $3::text END = $4::text;
-- Player: CAST(age, 'NSString') == '18'
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND (t0."age"::text) = $2::text;
-- Player: born > CAST(0, 'NSDate')
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND t0."born" > $2::timestamp with time zone;
-- Player: born < now()
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND t0."born" < $2::timestamp with time zone;
-- Player: sqrt(salary) > 2 + 3
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND coredata.square_root(t0."salary") > $2::double precision;
-- Player: age - 1 > 3 AND age * 2 < 100
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND ((t0."age"::bigint) - $2::bigint) > $3::bigint AND ((t0."age"::bigint) * $4::bigint) < $5::bigint;
-- Player: -age < 3
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND ((t0."age"::bigint) * $2::bigint) < $3::bigint;
-- Player: age ** 2 == 4
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND coredata.power((t0."age"::double precision), $2::double precision) = $3::double precision;
-- Player: (age + 1) * (age - 1) == 3
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND ((((t0."age"::bigint) + $2::bigint)::numeric) * (((t0."age"::bigint) - $3::bigint)::numeric)) = $4::numeric;
-- Player: salary / age > 10
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND coredata.quotient(t0."salary", (t0."age"::double precision)) > $2::double precision;
-- Player: price / 3 > 1
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND coredata.quotient((t0."price"::double precision), $2::double precision) > $3::double precision;
-- Player: age | 1 == 3
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND ((t0."age"::bigint) | $2::bigint) = $3::bigint;
-- Player: age ^ 1 == 3
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND ((t0."age"::bigint) # $2::bigint) = $3::bigint;
-- Player: age << 2 == 4
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND coredata.shifted_left((t0."age"::bigint), $2::bigint) = $3::bigint;
-- Player: age >> 1 == 4
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND coredata.shifted_right((t0."age"::bigint), $2::bigint) = $3::bigint;
-- Player: ~age == 4
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND (~(t0."age"::bigint)) = $2::bigint;
-- Player: abs(age) == 3 AND ceiling(salary) == 3 AND floor(salary) == 2 AND trunc(salary) == 2
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND abs((t0."age"::bigint)) = $2::bigint AND ceiling(t0."salary") = $3::double precision AND floor(t0."salary") = $4::double precision AND trunc(t0."salary") = $5::double precision;
-- Player: ln(salary) > 1 AND log(salary) > 1 AND exp(age) > 1
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND coredata.natural_logarithm(t0."salary") > $2::double precision AND coredata.logarithm(t0."salary") > $3::double precision AND coredata.exponential((t0."age"::double precision)) > $4::double precision;
-- Player: lowercase(name) == 'ann' AND canonical(name) == 'ann'
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND coredata.lowercase(t0."name") = $2::text AND coredata.canonical(t0."name") = $3::text;
-- Player: length(name) == length(team.name)
SELECT t0."_key", t0."_entity" FROM "Person" t0 LEFT JOIN "Team" t1 ON t1."_key" = t0."team" WHERE t0."_entity" = $1::integer AND coredata.length(t0."name") = coredata.length(t1."name");
-- Player: born + 86400 > now()
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND coredata.sum_of(coredata.seconds(t0."born"), $2::double precision) > $3::double precision;
-- Player: born - boss.born > 100
SELECT t0."_key", t0."_entity" FROM "Person" t0 LEFT JOIN "Person" t1 ON t1."_key" = t0."boss" WHERE t0."_entity" = $1::integer AND coredata.difference(coredata.seconds(t0."born"), coredata.seconds(t1."born")) > $2::double precision;
-- Player: CAST(born, 'NSNumber') > 3
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND t0."born" > $2::timestamp with time zone;
-- Player: CAST(name, 'NSNumber') == 3
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND coredata.leading_number(t0."name") = $2::double precision;
-- Player: CAST(name, 'NSDate') < now()
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND coredata.leading_number(t0."name") < $2::double precision;
-- Player: CAST(salary, 'NSDecimalNumber') == 3
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND t0."salary" = $2::double precision;
-- Player: TERNARY(team == nil, 0, age) > 3
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND CASE WHEN t0."team" IS NULL THEN $2::smallint ELSE t0."age" END > $3::smallint;
-- Player: TERNARY(age > 3, TERNARY(age > 5, 'old', 'mid'), 'young') == name
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND CASE WHEN t0."age" > $2::smallint THEN CASE WHEN t0."age" > $3::smallint THEN $4::text ELSE $5::text END ELSE $6::text END = t0."name";
-- Player: noindex(name) BEGINSWITH 'a'
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND (starts_with(t0."name", $2::text));
-- Player: random() > 5
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND coredata.random() > $2::bigint;
-- Player: age + random() > 5 OR randomn(3) == 1
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND (((t0."age"::numeric) + (coredata.random()::numeric)) > $2::numeric OR coredata.random_below($3::bigint) = $4::bigint);
-- Player: name == uppercase('ann')
SELECT t0."_key", t0."_entity" FROM "Person" t0 WHERE t0."_entity" = $1::integer AND t0."name" = $2::text;
