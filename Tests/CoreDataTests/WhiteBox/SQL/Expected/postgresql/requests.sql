-- Team: TRUEPREDICATE
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0;
-- Team: FALSEPREDICATE
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE FALSE;
-- Team: name == 'Celtics'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE t0."ZNAME" = $1;
-- Team: 'Celtics' == name
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE $1 = t0."ZNAME";
-- Team: name != 'Celtics'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE t0."ZNAME" <> $1;
-- Team: name == nil
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE t0."ZNAME" IS NULL;
-- Team: nil != name
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE t0."ZNAME" IS NOT NULL;
-- Team: rank < 3 AND (city == 'Boston' OR NOT city == 'Rome')
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE t0."ZRANK" < $1 AND (t0."ZCITY" = $2 OR NOT (t0."ZCITY" = $3));
-- Team: 3 < rank
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE $1 < t0."ZRANK";
-- Team: rank BETWEEN {1, 10}
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE t0."ZRANK" BETWEEN $1 AND $2;
-- Team: rank IN {1, 2, 3}
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE t0."ZRANK" IN ($1, $2, $3, $4);
-- Team: rank IN {1, nil}
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE t0."ZRANK" IN ($1) OR t0."ZRANK" IS NULL;
-- Team: rank IN {}
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE FALSE;
-- Team: rank IN {1, rank}
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE t0."ZRANK" = $1 OR t0."ZRANK" = t0."ZRANK";
-- Team: address.zip == 5 AND address.street == 'Elm'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE t0."ZADDRESS_ZIP" = $1 AND t0."ZADDRESS_STREET" = $2;
-- Player: active == YES
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND t0."ZACTIVE" = $2;
-- Coach: age > 3
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND t0."ZAGE" > $2;
-- Person: entity.name == 'Player'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE CASE WHEN t0."Z_ENT" = $1 THEN $2 WHEN t0."Z_ENT" = $3 THEN $4 WHEN t0."Z_ENT" = $5 THEN $6 ELSE NULL END = $7;
-- Person: age == boss.age OR 1 == 1
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 LEFT JOIN "ZPERSON" t1 ON t1."Z_PK" = t0."ZBOSS" WHERE t0."ZAGE" = t1."ZAGE" OR $1 = $2;
-- Team: rank <= 3 OR rank >= 10
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE t0."ZRANK" <= $1 OR t0."ZRANK" >= $2;
-- Team: NOT rank == 3
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE NOT (t0."ZRANK" = $1);
-- Team: NOT (rank == 3 OR rank == 4)
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE NOT (t0."ZRANK" = $1 OR t0."ZRANK" = $2);
-- Team: NOT (rank BETWEEN {1, 5})
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE NOT (t0."ZRANK" BETWEEN $1 AND $2);
-- Team: rank =< 3 AND rank => 1
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE t0."ZRANK" <= $1 AND t0."ZRANK" >= $2;
-- Team: name <> 'A' AND NOT name IN {'B', 'C'}
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE t0."ZNAME" <> $1 AND NOT (t0."ZNAME" IN ($2, $3));
-- Team: rank IN {3}
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE t0."ZRANK" IN ($1);
-- Team: rank IN {1, 2, 3, 4, 5, 6, 7, 8, 9}
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE t0."ZRANK" IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16);
-- Team: name IN {'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'}
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE t0."ZNAME" IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16);
-- Team: NOT rank IN {1, 2}
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE NOT (t0."ZRANK" IN ($1, $2));
-- Team: rank BETWEEN {rank, 10}
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE t0."ZRANK" BETWEEN t0."ZRANK" AND $1;
-- Team: rank BETWEEN {10, 1}
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE t0."ZRANK" BETWEEN $1 AND $2;
-- Team: nil == name AND nil == rank
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE t0."ZNAME" IS NULL AND t0."ZRANK" IS NULL;
-- Team: NOT (name == nil)
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE NOT (t0."ZNAME" IS NULL);
-- Team: TRUEPREDICATE AND rank == 1
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE TRUE AND t0."ZRANK" = $1;
-- Team: FALSEPREDICATE OR rank == 1
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE FALSE OR t0."ZRANK" = $1;
-- Team: 1 == 1
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE $1 = $2;
-- Team: rank == 1.5
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE t0."ZRANK" = $1;
-- Team: rank == '7'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE t0."ZRANK" = $1;
-- Team: name == 7
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE t0."ZNAME" = $1;
-- Player: active == TRUE AND active != NO
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND t0."ZACTIVE" = $2 AND t0."ZACTIVE" <> $3;
-- Player: born BETWEEN {CAST(0, 'NSDate'), CAST(86400, 'NSDate')}
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND (t0."ZBORN" BETWEEN $2 AND $3);
-- Player: price > 9.99
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND t0."ZPRICE" > $2;
-- Player: key != nil AND page != nil
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND t0."ZKEY" IS NOT NULL AND t0."ZPAGE" IS NOT NULL;
-- Player: photo == nil
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND t0."ZPHOTO" IS NULL;
-- Player: tint == nil
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND t0."ZTINT" IS NULL;
-- Player: age IN {21, 22} AND name IN {'Ann', nil}
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND t0."ZAGE" IN ($2, $3) AND (t0."ZNAME" IN ($4) OR t0."ZNAME" IS NULL);
-- Team: name BEGINSWITH 'Cel'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE starts_with(t0."ZNAME", $1);
-- Team: name BEGINSWITH ''
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE starts_with(t0."ZNAME", $1);
-- Team: name ENDSWITH 'ics'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE right(t0."ZNAME", length($1)) = $2;
-- Team: name CONTAINS 'elt'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE strpos(t0."ZNAME", $1) > 0;
-- Team: name CONTAINS[cd] 'ELT'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE strpos(coredata.fold(t0."ZNAME", 3), $1) > 0;
-- Team: name BEGINSWITH[c] 'CEL'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE starts_with(coredata.fold(t0."ZNAME", 1), $1);
-- Team: name ==[c] 'CELTICS'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE coredata.fold(t0."ZNAME", 1) = $1;
-- Team: name IN[c] {'A', 'B'}
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE coredata.fold(t0."ZNAME", 1) IN ($1, $2);
-- Team: name BEGINSWITH[n] 'Cel'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE starts_with(t0."ZNAME", $1);
-- Team: name LIKE 'Cel?ics*'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE (starts_with(t0."ZNAME", $1)) AND coredata.like(t0."ZNAME", $2, 0);
-- Team: name LIKE[c] '*CELT*'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE coredata.like(t0."ZNAME", $1, 1);
-- Team: name MATCHES 'C.*s'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE coredata.matches(t0."ZNAME", $1, 0);
-- Team: name CONTAINS city
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE strpos(t0."ZNAME", t0."ZCITY") > 0;
-- Team: name BEGINSWITH city AND name ENDSWITH city
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE (starts_with(t0."ZNAME", t0."ZCITY")) AND (right(t0."ZNAME", length(t0."ZCITY")) = t0."ZCITY");
-- Team: 'elt' IN name
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE strpos(t0."ZNAME", $1) > 0;
-- Team: name IN 'Celtics and Lakers'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE strpos($1, t0."ZNAME") > 0;
-- Team: name < 'M' AND name >= 'A'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE t0."ZNAME" < $1 AND t0."ZNAME" >= $2;
-- Team: name <[c] 'm'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE coredata.fold(t0."ZNAME", 1) < $1;
-- Team: name ==[d] 'Boston'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE coredata.fold(t0."ZNAME", 2) = $1;
-- Team: name ==[cd] city
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE coredata.fold(t0."ZNAME", 3) = coredata.fold(t0."ZCITY", 3);
-- Team: name !=[cd] 'celtics'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE coredata.fold(t0."ZNAME", 3) <> $1;
-- Team: name CONTAINS ''
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE strpos(t0."ZNAME", $1) > 0;
-- Team: name CONTAINS[n] 'x'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE strpos(t0."ZNAME", $1) > 0;
-- Team: name CONTAINS[cdl] 'x'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE coredata.localized_search(t0."ZNAME", $1, 2, 11) IS TRUE;
-- Team: name ==[l] 'x'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE coredata.localized_order(t0."ZNAME", $1, 8) = 0;
-- Team: name ENDSWITH[d] 'é'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE right(coredata.fold(t0."ZNAME", 2), length($1)) = $2;
-- Team: name BEGINSWITH[cd] city
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE starts_with(coredata.fold(t0."ZNAME", 3), coredata.fold(t0."ZCITY", 3));
-- Team: 'Celtics and more' BEGINSWITH name
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE starts_with($1, t0."ZNAME");
-- Team: 'Celtics' CONTAINS[c] name
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE strpos($1, coredata.fold(t0."ZNAME", 1)) > 0;
-- Team: name LIKE 'Cel*'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE (starts_with(t0."ZNAME", $1)) AND coredata.like(t0."ZNAME", $2, 0);
-- Team: name LIKE '?el*'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE coredata.like(t0."ZNAME", $1, 0);
-- Team: name LIKE 'a\\*b'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE (starts_with(t0."ZNAME", $1)) AND coredata.like(t0."ZNAME", $2, 0);
-- Team: name LIKE city
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE coredata.like(t0."ZNAME", t0."ZCITY", 0);
-- Team: name LIKE[cd] 'b*'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE coredata.like(t0."ZNAME", $1, 3);
-- Team: name MATCHES[c] '(cel|lak).*'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE coredata.matches(t0."ZNAME", $1, 1);
-- Team: name MATCHES city
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE coredata.matches(t0."ZNAME", t0."ZCITY", 0);
-- Team: NOT name MATCHES 'a+'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE NOT coredata.matches(t0."ZNAME", $1, 0);
-- Player: team.name == 'Celtics' AND team.rank > 3
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 LEFT JOIN "ZTEAM" t1 ON t1."Z_PK" = t0."ZTEAM" WHERE t0."Z_ENT" = $1 AND t1."ZNAME" = $2 AND t1."ZRANK" > $3;
-- Player: team == nil
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND t0."ZTEAM" IS NULL;
-- Player: boss.boss.name == 'Ann'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 LEFT JOIN "ZPERSON" t1 ON t1."Z_PK" = t0."ZBOSS" LEFT JOIN "ZPERSON" t2 ON t2."Z_PK" = t1."ZBOSS" WHERE t0."Z_ENT" = $1 AND t2."ZNAME" = $2;
-- Player: team.name == boss.name
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 LEFT JOIN "ZTEAM" t1 ON t1."Z_PK" = t0."ZTEAM" LEFT JOIN "ZPERSON" t2 ON t2."Z_PK" = t0."ZBOSS" WHERE t0."Z_ENT" = $1 AND t1."ZNAME" = t2."ZNAME";
-- Player: SELF.name == 'Ann'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND t0."ZNAME" = $2;
-- Player: boss == SELF
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND t0."ZBOSS" = t0."Z_PK";
-- Player: boss.entity.name == 'Coach'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND CASE WHEN t0."Z1_BOSS" = $2 THEN $3 WHEN t0."Z1_BOSS" = $4 THEN $5 WHEN t0."Z1_BOSS" = $6 THEN $7 ELSE NULL END = $8;
-- Team: address.street == name
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE t0."ZADDRESS_STREET" = t0."ZNAME";
-- Player: SELF == boss
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND t0."Z_PK" = t0."ZBOSS";
-- Player: SELF IN {boss}
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND t0."Z_PK" = t0."ZBOSS";
-- Player: objectID == boss.objectID
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND t0."Z_PK" = t0."ZBOSS";
-- Player: team.name ==[cd] 'celtics' OR boss.name CONTAINS 'x'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 LEFT JOIN "ZTEAM" t1 ON t1."Z_PK" = t0."ZTEAM" LEFT JOIN "ZPERSON" t2 ON t2."Z_PK" = t0."ZBOSS" WHERE t0."Z_ENT" = $1 AND (coredata.fold(t1."ZNAME", 3) = $2 OR (strpos(t2."ZNAME", $3) > 0));
-- Player: boss.boss.boss.age > 3
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 LEFT JOIN "ZPERSON" t1 ON t1."Z_PK" = t0."ZBOSS" LEFT JOIN "ZPERSON" t2 ON t2."Z_PK" = t1."ZBOSS" LEFT JOIN "ZPERSON" t3 ON t3."Z_PK" = t2."ZBOSS" WHERE t0."Z_ENT" = $1 AND t3."ZAGE" > $2;
-- Player: team.address.zip == 5
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 LEFT JOIN "ZTEAM" t1 ON t1."Z_PK" = t0."ZTEAM" WHERE t0."Z_ENT" = $1 AND t1."ZADDRESS_ZIP" = $2;
-- Player: team != nil AND team.name == nil
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 LEFT JOIN "ZTEAM" t1 ON t1."Z_PK" = t0."ZTEAM" WHERE t0."Z_ENT" = $1 AND t0."ZTEAM" IS NOT NULL AND t1."ZNAME" IS NULL;
-- Coach: boss.name == name
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 LEFT JOIN "ZPERSON" t1 ON t1."Z_PK" = t0."ZBOSS" WHERE t0."Z_ENT" = $1 AND t1."ZNAME" = t0."ZNAME";
-- Person: entity.name IN {'Player', 'Coach'}
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE CASE WHEN t0."Z_ENT" = $1 THEN $2 WHEN t0."Z_ENT" = $3 THEN $4 WHEN t0."Z_ENT" = $5 THEN $6 ELSE NULL END IN ($7, $8);
-- Player: team.entity.name == 'Team'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 LEFT JOIN "ZTEAM" t1 ON t1."Z_PK" = t0."ZTEAM" WHERE t0."Z_ENT" = $1 AND CASE WHEN t1."Z_ENT" = $2 THEN $3 ELSE NULL END = $4;
-- Team: ANY players.name == 'Ann'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE EXISTS (SELECT 1 FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK" AND t1."ZNAME" = $1);
-- Team: NONE players.age > 30
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE NOT EXISTS (SELECT 1 FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK" AND t1."ZAGE" > $1);
-- Team: ALL players.age > 30
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE NOT EXISTS (SELECT 1 FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK" AND t1."ZAGE" IS NOT NULL AND (t1."ZAGE" > $1) IS NOT TRUE);
-- Team: ANY players.age IN {1, 2}
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE EXISTS (SELECT 1 FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK" AND t1."ZAGE" IN ($1, $2));
-- Team: players.@count > 0
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE EXISTS (SELECT 1 FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK");
-- Team: players.@count == 0
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE NOT EXISTS (SELECT 1 FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK");
-- Team: players.@count >= 3
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE (SELECT COUNT(*) FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK") >= $1;
-- Team: players.@sum.salary > 100
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE COALESCE((SELECT SUM(t1."ZSALARY") FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK"), 0) > $1;
-- Team: players.@avg.age < 20
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE COALESCE((SELECT SUM(CAST(t1."ZAGE" AS DOUBLE PRECISION)) / COUNT(*) FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK"), 0) < $1;
-- Team: players.@max.age == 20 AND players.@min.age == 18
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE (SELECT MAX(t1."ZAGE") FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK") = $1 AND (SELECT MIN(t2."ZAGE") FROM "ZPERSON" t2 WHERE t2."ZTEAM" = t0."Z_PK") = $2;
-- Team: SUBQUERY(players, $p, $p.age > 30 AND $p.name == 'Ann').@count > 0
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE EXISTS (SELECT 1 FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK" AND t1."ZAGE" > $1 AND t1."ZNAME" = $2);
-- Team: SUBQUERY(players, $p, $p.name == name).@count >= 2
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE (SELECT COUNT(*) FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK" AND t1."ZNAME" = t0."ZNAME") >= $1;
-- Team: SUBQUERY(players, $p, SUBQUERY($p.fans, $f, $f.age > $p.age).@count == 0).@count > 1
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE (SELECT COUNT(*) FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK" AND NOT EXISTS (SELECT 1 FROM "Z_2FAVOURITES" t2 JOIN "ZPERSON" t3 ON t3."Z_PK" = t2."Z_2FANS" WHERE t2."Z_3FAVOURITES" = t1."Z_PK" AND t3."ZAGE" > t1."ZAGE")) > $1;
-- Team: ANY players.fans.name == 'Joe'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE EXISTS (SELECT 1 FROM "ZPERSON" t1 JOIN "Z_2FAVOURITES" t2 ON t2."Z_3FAVOURITES" = t1."Z_PK" JOIN "ZPERSON" t3 ON t3."Z_PK" = t2."Z_2FANS" WHERE t1."ZTEAM" = t0."Z_PK" AND t3."ZNAME" = $1);
-- Player: fans.@count == 2
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND (SELECT COUNT(*) FROM "Z_2FAVOURITES" t1 WHERE t1."Z_3FAVOURITES" = t0."Z_PK") = $2;
-- Player: ANY fans.name BEGINSWITH 'J'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND EXISTS (SELECT 1 FROM "Z_2FAVOURITES" t1 JOIN "ZPERSON" t2 ON t2."Z_PK" = t1."Z_2FANS" WHERE t1."Z_3FAVOURITES" = t0."Z_PK" AND (starts_with(t2."ZNAME", $2)));
-- Player: 'Joe' IN fans.name
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND EXISTS (SELECT 1 FROM "Z_2FAVOURITES" t1 JOIN "ZPERSON" t2 ON t2."Z_PK" = t1."Z_2FANS" WHERE t1."Z_3FAVOURITES" = t0."Z_PK" AND t2."ZNAME" = $2);
-- Player: team.players.@count == 1
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND CASE WHEN t0."ZTEAM" IS NULL THEN NULL ELSE (SELECT COUNT(*) FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."ZTEAM") END = $2;
-- Player: ANY team.players.boss.name == 'Ann'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND EXISTS (SELECT 1 FROM "ZPERSON" t1 LEFT JOIN "ZPERSON" t2 ON t2."Z_PK" = t1."ZBOSS" WHERE t1."ZTEAM" = t0."ZTEAM" AND t2."ZNAME" = $2);
-- Player: SELF IN boss.reports
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND EXISTS (SELECT 1 FROM "ZPERSON" t1 WHERE t1."ZBOSS" = t0."ZBOSS" AND t1."Z_PK" = t0."Z_PK");
-- Player: sum(reports.age) > 10
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND COALESCE((SELECT SUM(DISTINCT t1."ZAGE") FROM "ZPERSON" t1 WHERE t1."ZBOSS" = t0."Z_PK"), 0) > $2;
-- Team: SOME players.age == 20
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE EXISTS (SELECT 1 FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK" AND t1."ZAGE" = $1);
-- Team: ANY players.name ==[c] 'ann'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE EXISTS (SELECT 1 FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK" AND coredata.fold(t1."ZNAME", 1) = $1);
-- Team: ANY players.age BETWEEN {18, 20}
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE EXISTS (SELECT 1 FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK" AND (t1."ZAGE" BETWEEN $1 AND $2));
-- Team: ANY players.team == SELF
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE EXISTS (SELECT 1 FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK" AND t1."ZTEAM" = t0."Z_PK");
-- Team: ANY players.boss == nil
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE EXISTS (SELECT 1 FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK" AND t1."ZBOSS" IS NULL);
-- Team: ANY players == nil
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE EXISTS (SELECT 1 FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK" AND t1."Z_PK" IS NULL);
-- Team: NONE players.name IN {'a', 'b'}
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE NOT EXISTS (SELECT 1 FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK" AND t1."ZNAME" IN ($1, $2));
-- Team: NOT ANY players.age > 3
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE NOT EXISTS (SELECT 1 FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK" AND t1."ZAGE" > $1);
-- Team: NOT ALL players.age > 3
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE NOT (NOT EXISTS (SELECT 1 FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK" AND t1."ZAGE" IS NOT NULL AND (t1."ZAGE" > $1) IS NOT TRUE));
-- Team: ALL players.name BEGINSWITH 'A'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE NOT EXISTS (SELECT 1 FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK" AND t1."ZNAME" IS NOT NULL AND (starts_with(t1."ZNAME", $1)) IS NOT TRUE);
-- Team: ALL players.boss.age >= 40
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE NOT EXISTS (SELECT 1 FROM "ZPERSON" t1 LEFT JOIN "ZPERSON" t2 ON t2."Z_PK" = t1."ZBOSS" WHERE t1."ZTEAM" = t0."Z_PK" AND t2."ZAGE" IS NOT NULL AND (t2."ZAGE" >= $1) IS NOT TRUE);
-- Team: ALL players.fans.age > 3
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE NOT EXISTS (SELECT 1 FROM "ZPERSON" t1 JOIN "Z_2FAVOURITES" t2 ON t2."Z_3FAVOURITES" = t1."Z_PK" JOIN "ZPERSON" t3 ON t3."Z_PK" = t2."Z_2FANS" WHERE t1."ZTEAM" = t0."Z_PK" AND t3."ZAGE" IS NOT NULL AND (t3."ZAGE" > $1) IS NOT TRUE);
-- Team: ANY players.fans.favourites.age > 3
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE EXISTS (SELECT 1 FROM "ZPERSON" t1 JOIN "Z_2FAVOURITES" t2 ON t2."Z_3FAVOURITES" = t1."Z_PK" JOIN "Z_2FAVOURITES" t3 ON t3."Z_2FANS" = t2."Z_2FANS" JOIN "ZPERSON" t4 ON t4."Z_PK" = t3."Z_3FAVOURITES" WHERE t1."ZTEAM" = t0."Z_PK" AND t4."ZAGE" > $1);
-- Team: players.@count == 11 AND players.@count != 3
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE (SELECT COUNT(*) FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK") = $1 AND (SELECT COUNT(*) FROM "ZPERSON" t2 WHERE t2."ZTEAM" = t0."Z_PK") <> $2;
-- Team: players.@count BETWEEN {1, 5}
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE (SELECT COUNT(*) FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK") BETWEEN $1 AND $2;
-- Team: players.@count > rank
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE (SELECT COUNT(*) FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK") > t0."ZRANK";
-- Team: 3 <= players.@count
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE $1 <= (SELECT COUNT(*) FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK");
-- Team: 0 < players.@count
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE EXISTS (SELECT 1 FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK");
-- Team: players.@count != 0
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE EXISTS (SELECT 1 FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK");
-- Team: players.@sum.age > players.@count
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE COALESCE((SELECT SUM(t1."ZAGE") FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK"), 0) > (SELECT COUNT(*) FROM "ZPERSON" t2 WHERE t2."ZTEAM" = t0."Z_PK");
-- Team: players.@max.born > CAST(0, 'NSDate')
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE (SELECT MAX(t1."ZBORN") FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK") > $1;
-- Team: players.@min.name == 'Ann'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE (SELECT MIN(t1."ZNAME") FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK") = $1;
-- Team: players.@avg.price > 1
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE COALESCE((SELECT SUM(CAST(t1."ZPRICE" AS DOUBLE PRECISION)) / COUNT(*) FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK"), 0) > $1;
-- Team: max(players.age) > 3
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE (SELECT MAX(DISTINCT t1."ZAGE") FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK") > $1;
-- Team: count(players.name) > 3
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE (SELECT COUNT(DISTINCT t1."ZNAME") FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK") > $1;
-- Team: average(players.salary) < 5
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE (SELECT AVG(DISTINCT t1."ZSALARY") FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK") < $1;
-- Team: SUBQUERY(players, $p, $p.age > rank).@count == 0
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE NOT EXISTS (SELECT 1 FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK" AND t1."ZAGE" > t0."ZRANK");
-- Team: SUBQUERY(players, $p, $p.boss.name == 'Ann' OR $p.age == nil).@count > 2
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE (SELECT COUNT(*) FROM "ZPERSON" t1 LEFT JOIN "ZPERSON" t2 ON t2."Z_PK" = t1."ZBOSS" WHERE t1."ZTEAM" = t0."Z_PK" AND (t2."ZNAME" = $1 OR t1."ZAGE" IS NULL)) > $2;
-- Team: SUBQUERY(players, $p, ANY $p.fans.age > 3).@count > 0
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE EXISTS (SELECT 1 FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK" AND EXISTS (SELECT 1 FROM "Z_2FAVOURITES" t2 JOIN "ZPERSON" t3 ON t3."Z_PK" = t2."Z_2FANS" WHERE t2."Z_3FAVOURITES" = t1."Z_PK" AND t3."ZAGE" > $1));
-- Team: SUBQUERY(players, $p, $p.team == SELF AND $p IN $p.boss.reports).@count > 0
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE EXISTS (SELECT 1 FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK" AND t1."ZTEAM" = t0."Z_PK" AND EXISTS (SELECT 1 FROM "ZPERSON" t2 WHERE t2."ZBOSS" = t1."ZBOSS" AND t2."Z_PK" = t1."Z_PK"));
-- Team: SUBQUERY(players, $p, $p.age > 3).@sum.salary > 10
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE COALESCE((SELECT SUM(t1."ZSALARY") FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK" AND t1."ZAGE" > $1), 0) > $2;
-- Team: SUBQUERY(players, $p, $p.age > 3).@max.age == 30
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE (SELECT MAX(t1."ZAGE") FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK" AND t1."ZAGE" > $1) = $2;
-- Team: ANY SUBQUERY(players, $p, $p.age > 3).name == 'Ann'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZTEAM" t0 WHERE EXISTS (SELECT 1 FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."Z_PK" AND t1."ZAGE" > $1 AND t1."ZNAME" = $2);
-- Player: fans.@count > reports.@count
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND (SELECT COUNT(*) FROM "Z_2FAVOURITES" t1 WHERE t1."Z_3FAVOURITES" = t0."Z_PK") > (SELECT COUNT(*) FROM "ZPERSON" t2 WHERE t2."ZBOSS" = t0."Z_PK");
-- Player: NONE fans.name == nil
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND NOT EXISTS (SELECT 1 FROM "Z_2FAVOURITES" t1 JOIN "ZPERSON" t2 ON t2."Z_PK" = t1."Z_2FANS" WHERE t1."Z_3FAVOURITES" = t0."Z_PK" AND t2."ZNAME" IS NULL);
-- Player: ALL fans.favourites.name == 'x'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND NOT EXISTS (SELECT 1 FROM "Z_2FAVOURITES" t1 JOIN "Z_2FAVOURITES" t2 ON t2."Z_2FANS" = t1."Z_2FANS" JOIN "ZPERSON" t3 ON t3."Z_PK" = t2."Z_3FAVOURITES" WHERE t1."Z_3FAVOURITES" = t0."Z_PK" AND t3."ZNAME" IS NOT NULL AND (t3."ZNAME" = $2) IS NOT TRUE);
-- Player: ANY boss.reports.age > 3
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND EXISTS (SELECT 1 FROM "ZPERSON" t1 WHERE t1."ZBOSS" = t0."ZBOSS" AND t1."ZAGE" > $2);
-- Player: boss IN team.players
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND EXISTS (SELECT 1 FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."ZTEAM" AND t1."Z_PK" = t0."ZBOSS");
-- Player: name IN team.players.name
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND EXISTS (SELECT 1 FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."ZTEAM" AND t1."ZNAME" = t0."ZNAME");
-- Coach: favourites.@count == 0
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND NOT EXISTS (SELECT 1 FROM "Z_2FAVOURITES" t1 WHERE t1."Z_2FANS" = t0."Z_PK");
-- Coach: ANY favourites.team.name == 'Celtics'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND EXISTS (SELECT 1 FROM "Z_2FAVOURITES" t1 JOIN "ZPERSON" t2 ON t2."Z_PK" = t1."Z_3FAVOURITES" LEFT JOIN "ZTEAM" t3 ON t3."Z_PK" = t2."ZTEAM" WHERE t1."Z_2FANS" = t0."Z_PK" AND t3."ZNAME" = $2);
-- Person: reports.@count == 0 AND boss == nil
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE NOT EXISTS (SELECT 1 FROM "ZPERSON" t1 WHERE t1."ZBOSS" = t0."Z_PK") AND t0."ZBOSS" IS NULL;
-- Person: boss.reports.@max.age == age
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE CASE WHEN t0."ZBOSS" IS NULL THEN NULL ELSE (SELECT MAX(t1."ZAGE") FROM "ZPERSON" t1 WHERE t1."ZBOSS" = t0."ZBOSS") END = t0."ZAGE";
-- Player: age + 1 == 20
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND (t0."ZAGE" + $2) = $3;
-- Player: salary * 2 > age - 3
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND (t0."ZSALARY" * $2) > (t0."ZAGE" - $3);
-- Player: age / 2 == 9
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND (t0."ZAGE" / $2) = $3;
-- Player: modulus:by:(age, 2) == 0
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND coredata.modulus(t0."ZAGE", $2) = $3;
-- Player: age & 3 == 3
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND (t0."ZAGE" & $2) = $3;
-- Player: uppercase(name) == 'ANN'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND coredata.uppercase(t0."ZNAME") = $2;
-- Player: length(name) > 3
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND coredata.length(t0."ZNAME") > $2;
-- Player: noindex(age) == 3
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND (t0."ZAGE") = $2;
-- Player: TERNARY(age > 18, name, 'minor') == 'minor'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND CASE WHEN t0."ZAGE" > $2 THEN t0."ZNAME" ELSE $3 END = $4;
-- Player: CAST(age, 'NSString') == '18'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND coredata.text(t0."ZAGE") = $2;
-- Player: born > CAST(0, 'NSDate')
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND t0."ZBORN" > $2;
-- Player: born < now()
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND t0."ZBORN" < $2;
-- Player: sqrt(salary) > 2 + 3
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND coredata.square_root(t0."ZSALARY") > $2;
-- Player: age - 1 > 3 AND age * 2 < 100
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND (t0."ZAGE" - $2) > $3 AND (t0."ZAGE" * $4) < $5;
-- Player: -age < 3
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND (t0."ZAGE" * $2) < $3;
-- Player: age ** 2 == 4
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND coredata.power(t0."ZAGE", $2) = $3;
-- Player: (age + 1) * (age - 1) == 3
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND ((t0."ZAGE" + $2) * (t0."ZAGE" - $3)) = $4;
-- Player: salary / age > 10
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND (t0."ZSALARY" / t0."ZAGE") > $2;
-- Player: price / 3 > 1
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND (CAST(t0."ZPRICE" AS DOUBLE PRECISION) / $2) > $3;
-- Player: age | 1 == 3
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND (t0."ZAGE" | $2) = $3;
-- Player: age ^ 1 == 3
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND coredata.bitwise_xor(t0."ZAGE", $2) = $3;
-- Player: age << 2 == 4
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND (t0."ZAGE" << $2) = $3;
-- Player: age >> 1 == 4
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND (t0."ZAGE" >> $2) = $3;
-- Player: ~age == 4
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND (~t0."ZAGE") = $2;
-- Player: abs(age) == 3 AND ceiling(salary) == 3 AND floor(salary) == 2 AND trunc(salary) == 2
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND coredata.absolute(t0."ZAGE") = $2 AND coredata.ceiling(t0."ZSALARY") = $3 AND coredata.floor(t0."ZSALARY") = $4 AND coredata.truncate(t0."ZSALARY") = $5;
-- Player: ln(salary) > 1 AND log(salary) > 1 AND exp(age) > 1
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND coredata.natural_logarithm(t0."ZSALARY") > $2 AND coredata.logarithm(t0."ZSALARY") > $3 AND coredata.exponential(t0."ZAGE") > $4;
-- Player: lowercase(name) == 'ann' AND canonical(name) == 'ann'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND coredata.lowercase(t0."ZNAME") = $2 AND coredata.canonical(t0."ZNAME") = $3;
-- Player: length(name) == length(team.name)
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 LEFT JOIN "ZTEAM" t1 ON t1."Z_PK" = t0."ZTEAM" WHERE t0."Z_ENT" = $1 AND coredata.length(t0."ZNAME") = coredata.length(t1."ZNAME");
-- Player: born + 86400 > now()
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND (t0."ZBORN" + $2) > $3;
-- Player: born - boss.born > 100
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 LEFT JOIN "ZPERSON" t1 ON t1."Z_PK" = t0."ZBOSS" WHERE t0."Z_ENT" = $1 AND (t0."ZBORN" - t1."ZBORN") > $2;
-- Player: CAST(born, 'NSNumber') > 3
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND t0."ZBORN" > $2;
-- Player: CAST(name, 'NSNumber') == 3
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND CAST(t0."ZNAME" AS NUMERIC) = $2;
-- Player: CAST(name, 'NSDate') < now()
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND CAST(t0."ZNAME" AS DOUBLE PRECISION) < $2;
-- Player: CAST(salary, 'NSDecimalNumber') == 3
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND t0."ZSALARY" = $2;
-- Player: TERNARY(team == nil, 0, age) > 3
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND CASE WHEN t0."ZTEAM" IS NULL THEN $2 ELSE t0."ZAGE" END > $3;
-- Player: TERNARY(age > 3, TERNARY(age > 5, 'old', 'mid'), 'young') == name
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND CASE WHEN t0."ZAGE" > $2 THEN CASE WHEN t0."ZAGE" > $3 THEN $4 ELSE $5 END ELSE $6 END = t0."ZNAME";
-- Player: noindex(name) BEGINSWITH 'a'
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND (starts_with(t0."ZNAME", $2));
-- Player: random() > 5
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND coredata.random() > $2;
-- Player: age + random() > 5 OR randomn(3) == 1
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND ((t0."ZAGE" + coredata.random()) > $2 OR coredata.random_below($3) = $4);
-- Player: name == uppercase('ann')
SELECT t0."Z_PK", t0."Z_ENT" FROM "ZPERSON" t0 WHERE t0."Z_ENT" = $1 AND t0."ZNAME" = $2;
