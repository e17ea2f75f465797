// Another version of the schema, written by hand: the statements, in one transaction.
#include "database.h"
#include "workloads.h"

static bench_result migrate(const char *base, const char *work, const char *sql) {
    bench_result r = {0};
    bench_copy_file(base, work);
    bench_start();
    sqlite3 *db = open_database(work);
    run(db, "BEGIN IMMEDIATE");
    run(db, sql);
    run(db, "COMMIT");
    sqlite3_close(db);
    bench_stop(&r);
    r.n = bench_player_count();
    r.check = bench_check_migrated(work);
    return r;
}

bench_result run_migrate_add_attribute(const char *base, const char *work) {
    return migrate(base, work, "ALTER TABLE ZPLAYER ADD COLUMN ZNICKNAME VARCHAR");
}
bench_result run_migrate_rename_attribute(const char *base, const char *work) {
    return migrate(base, work, "ALTER TABLE ZPLAYER RENAME COLUMN ZEMAIL TO ZADDRESS");
}
bench_result run_migrate_remove_attribute(const char *base, const char *work) {
    return migrate(base, work, "ALTER TABLE ZPLAYER DROP COLUMN ZEMAIL");
}
bench_result run_migrate_add_entity(const char *base, const char *work) {
    // Each row has the number of its entity. Entities are numbered by name, in migrated stores of Apple's too.
    return migrate(
        base, work,
        "CREATE TABLE ZCLUB (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER);"
        "UPDATE ZPLAYER SET Z_ENT = 2; UPDATE ZTEAM SET Z_ENT = 3;"
        "UPDATE Z_PRIMARYKEY SET Z_ENT = Z_ENT + 100; UPDATE Z_PRIMARYKEY SET Z_ENT = Z_ENT - 99;"
        "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (1, 'Club', 0, 0)");
}
bench_result run_migrate_rename_entity(const char *base, const char *work) {
    return migrate(base, work, "ALTER TABLE ZTEAM RENAME TO ZSIDE");
}
bench_result run_migrate_remove_entity(const char *base, const char *work) {
    return migrate(
        base, work, "DROP TABLE ZTEAM; DROP INDEX ZPLAYER_ZTEAM_INDEX; ALTER TABLE ZPLAYER DROP COLUMN ZTEAM");
}
