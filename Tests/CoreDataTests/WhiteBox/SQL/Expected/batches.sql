-- update where age > 20, count
UPDATE ZPERSON AS t0 SET Z_OPT = t0.Z_OPT + 1, ZAGE = t0.ZAGE + ?, ZNAME = ? WHERE t0.Z_ENT = ? AND t0.ZAGE > ?;
UPDATE "ZPERSON" AS t0 SET "_version" = t0."_version" + 1, "ZAGE" = t0."ZAGE" + $1, "ZNAME" = $2 WHERE t0."_entity" = $3 AND t0."ZAGE" > $4;
-- update where age > 20, IDs
UPDATE ZPERSON AS t0 SET Z_OPT = t0.Z_OPT + 1, ZAGE = t0.ZAGE + ?, ZNAME = ? WHERE t0.Z_ENT = ? AND t0.ZAGE > ? RETURNING Z_PK, Z_ENT;
UPDATE "ZPERSON" AS t0 SET "_version" = t0."_version" + 1, "ZAGE" = t0."ZAGE" + $1, "ZNAME" = $2 WHERE t0."_entity" = $3 AND t0."ZAGE" > $4 RETURNING "_key", "_entity";
-- delete where age > 20
DELETE FROM ZPERSON AS t0 WHERE t0.Z_ENT = ? AND t0.ZAGE > ? RETURNING Z_PK, Z_ENT;
DELETE FROM "ZPERSON" AS t0 WHERE t0."_entity" = $1 AND t0."ZAGE" > $2 RETURNING "_key", "_entity";
-- update where team.name == 'Heat', count
UPDATE ZPERSON AS t2 SET Z_OPT = t2.Z_OPT + 1, ZAGE = t2.ZAGE + ?, ZNAME = ? WHERE t2.Z_PK IN (SELECT t0.Z_PK FROM ZPERSON t0 LEFT JOIN ZTEAM t1 ON t1.Z_PK = t0.ZTEAM WHERE t0.Z_ENT = ? AND t1.ZNAME = ?);
UPDATE "ZPERSON" AS t2 SET "_version" = t2."_version" + 1, "ZAGE" = t2."ZAGE" + $1, "ZNAME" = $2 WHERE t2."_key" IN (SELECT t0."_key" FROM "ZPERSON" t0 LEFT JOIN "ZTEAM" t1 ON t1."_key" = t0."ZTEAM" WHERE t0."_entity" = $3 AND t1."ZNAME" = $4);
-- update where team.name == 'Heat', IDs
UPDATE ZPERSON AS t2 SET Z_OPT = t2.Z_OPT + 1, ZAGE = t2.ZAGE + ?, ZNAME = ? WHERE t2.Z_PK IN (SELECT t0.Z_PK FROM ZPERSON t0 LEFT JOIN ZTEAM t1 ON t1.Z_PK = t0.ZTEAM WHERE t0.Z_ENT = ? AND t1.ZNAME = ?) RETURNING Z_PK, Z_ENT;
UPDATE "ZPERSON" AS t2 SET "_version" = t2."_version" + 1, "ZAGE" = t2."ZAGE" + $1, "ZNAME" = $2 WHERE t2."_key" IN (SELECT t0."_key" FROM "ZPERSON" t0 LEFT JOIN "ZTEAM" t1 ON t1."_key" = t0."ZTEAM" WHERE t0."_entity" = $3 AND t1."ZNAME" = $4) RETURNING "_key", "_entity";
-- delete where team.name == 'Heat'
DELETE FROM ZPERSON AS t2 WHERE t2.Z_PK IN (SELECT t0.Z_PK FROM ZPERSON t0 LEFT JOIN ZTEAM t1 ON t1.Z_PK = t0.ZTEAM WHERE t0.Z_ENT = ? AND t1.ZNAME = ?) RETURNING Z_PK, Z_ENT;
DELETE FROM "ZPERSON" AS t2 WHERE t2."_key" IN (SELECT t0."_key" FROM "ZPERSON" t0 LEFT JOIN "ZTEAM" t1 ON t1."_key" = t0."ZTEAM" WHERE t0."_entity" = $1 AND t1."ZNAME" = $2) RETURNING "_key", "_entity";
-- update where ANY team.players.age < 18, count
UPDATE ZPERSON AS t0 SET Z_OPT = t0.Z_OPT + 1, ZAGE = t0.ZAGE + ?, ZNAME = ? WHERE t0.Z_ENT = ? AND EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZTEAM = t0.ZTEAM AND t1.ZAGE < ?);
UPDATE "ZPERSON" AS t0 SET "_version" = t0."_version" + 1, "ZAGE" = t0."ZAGE" + $1, "ZNAME" = $2 WHERE t0."_entity" = $3 AND EXISTS (SELECT 1 FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."ZTEAM" AND t1."ZAGE" < $4);
-- update where ANY team.players.age < 18, IDs
UPDATE ZPERSON AS t0 SET Z_OPT = t0.Z_OPT + 1, ZAGE = t0.ZAGE + ?, ZNAME = ? WHERE t0.Z_ENT = ? AND EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZTEAM = t0.ZTEAM AND t1.ZAGE < ?) RETURNING Z_PK, Z_ENT;
UPDATE "ZPERSON" AS t0 SET "_version" = t0."_version" + 1, "ZAGE" = t0."ZAGE" + $1, "ZNAME" = $2 WHERE t0."_entity" = $3 AND EXISTS (SELECT 1 FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."ZTEAM" AND t1."ZAGE" < $4) RETURNING "_key", "_entity";
-- delete where ANY team.players.age < 18
DELETE FROM ZPERSON AS t0 WHERE t0.Z_ENT = ? AND EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZTEAM = t0.ZTEAM AND t1.ZAGE < ?) RETURNING Z_PK, Z_ENT;
DELETE FROM "ZPERSON" AS t0 WHERE t0."_entity" = $1 AND EXISTS (SELECT 1 FROM "ZPERSON" t1 WHERE t1."ZTEAM" = t0."ZTEAM" AND t1."ZAGE" < $2) RETURNING "_key", "_entity";
-- a value of a related row
UPDATE ZPERSON AS t0 SET Z_OPT = t0.Z_OPT + 1, ZNAME = (SELECT t2.ZNAME FROM ZPERSON t1 LEFT JOIN ZTEAM t2 ON t2.Z_PK = t0.ZTEAM WHERE t1.Z_PK = t0.Z_PK) WHERE t0.Z_ENT = ?;
UPDATE "ZPERSON" AS t0 SET "_version" = t0."_version" + 1, "ZNAME" = (SELECT t2."ZNAME" FROM "ZPERSON" t1 LEFT JOIN "ZTEAM" t2 ON t2."_key" = t0."ZTEAM" WHERE t1."_key" = t0."_key") WHERE t0."_entity" = $1;
-- no team
UPDATE ZPERSON AS t0 SET Z_OPT = t0.Z_OPT + 1, ZTEAM = NULL WHERE t0.Z_ENT = ? AND t0.ZAGE > ?;
UPDATE "ZPERSON" AS t0 SET "_version" = t0."_version" + 1, "ZTEAM" = NULL WHERE t0."_entity" = $1 AND t0."ZAGE" > $2;
-- the five youngest
DELETE FROM ZPERSON AS t1 WHERE t1.Z_PK IN (SELECT t0.Z_PK FROM ZPERSON t0 WHERE t0.Z_ENT = ? AND t0.ZAGE > ? ORDER BY t0.ZAGE, t0.Z_PK LIMIT ?);
DELETE FROM "ZPERSON" AS t1 WHERE t1."_key" IN (SELECT t0."_key" FROM "ZPERSON" t0 WHERE t0."_entity" = $1 AND t0."ZAGE" > $2 ORDER BY t0."ZAGE" ASC NULLS FIRST, t0."_key" ASC NULLS FIRST LIMIT $1::bigint);
