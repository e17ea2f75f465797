#include "rows.h"
#include "workloads.h"
#include <stdlib.h>

// ---- insert

bench_result run_insert(const char *base, const char *work) {
    (void)base;
    bench_result r = {.n = bench_player_count()};
    bench_player *input = make_players(r.n);
    sqlite3 *db = new_database(work);
    sqlite3_stmt *s = prepare_insert(db);
    bench_start();
    run(db, "BEGIN IMMEDIATE");
    for (int64_t i = 0; i < r.n; i++) insert_player(db, s, &input[i]);
    run(db, "COMMIT");
    bench_stop(&r);
    sqlite3_finalize(s);
    sqlite3_close(db);
    free(input);
    r.check = bench_check_inserted(work);
    return r;
}

bench_result run_insert_small_saves(const char *base, const char *work) {
    (void)base;
    bench_result r = {.n = BENCH_SMALL_SAVES};
    bench_player *input = make_players(r.n);
    sqlite3 *db = new_database(work);
    sqlite3_stmt *s = prepare_insert(db), *begin = prepare(db, "BEGIN IMMEDIATE"), *commit = prepare(db, "COMMIT");
    bench_start();
    for (int64_t i = 0; i < r.n; i++) {
        done(db, begin);
        insert_player(db, s, &input[i]);
        done(db, commit);
    }
    bench_stop(&r);
    sqlite3_finalize(s);
    sqlite3_finalize(begin);
    sqlite3_finalize(commit);
    sqlite3_close(db);
    free(input);
    r.check = bench_check_inserted(work);
    return r;
}

// ---- update, delete

bench_result run_update(const char *base, const char *work) {
    bench_result r = {0};
    bench_copy_file(base, work);
    sqlite3 *db = open_database(work);
    players a = {0};
    sqlite3_stmt *s = prepare(db, "SELECT " COLUMNS " FROM ZPLAYER");
    append_rows(db, s, &a);
    sqlite3_finalize(s);
    s = prepare(db, "UPDATE ZPLAYER SET Z_OPT = ?, ZSALARY = ? WHERE Z_PK = ?");
    r.n = (int64_t)a.count;
    bench_start();
    run(db, "BEGIN IMMEDIATE");
    for (size_t i = 0; i < a.count; i++) {
        player *p = &a.items[i];
        p->opt += 1;
        p->salary += 1000;
        sqlite3_bind_int64(s, 1, p->opt);
        sqlite3_bind_double(s, 2, p->salary);
        sqlite3_bind_int64(s, 3, p->pk);
        done(db, s);
    }
    run(db, "COMMIT");
    bench_stop(&r);
    sqlite3_finalize(s);
    free_rows(&a);
    sqlite3_close(db);
    r.check = bench_check_updated(work);
    return r;
}

bench_result run_delete(const char *base, const char *work) {
    bench_result r = {0};
    bench_copy_file(base, work);
    sqlite3 *db = open_database(work);
    keys k = read_keys(db, prepare(db, "SELECT Z_PK FROM ZPLAYER ORDER BY Z_PK"));
    sqlite3_stmt *s = prepare(db, "DELETE FROM ZPLAYER WHERE Z_PK = ?");
    r.n = (int64_t)k.count;
    bench_start();
    run(db, "BEGIN IMMEDIATE");
    for (size_t i = 0; i < k.count; i++) {
        sqlite3_bind_int64(s, 1, k.items[i]);
        done(db, s);
    }
    run(db, "COMMIT");
    bench_stop(&r);
    sqlite3_finalize(s);
    free(k.items);
    sqlite3_close(db);
    r.check = bench_check_deleted(work);
    return r;
}

// ---- batches: one statement for all rows

static bench_result run_statement(const char *base, const char *work, const char *sql) {
    bench_result r = {.n = bench_player_count()};
    bench_copy_file(base, work);
    sqlite3 *db = open_database(work);
    bench_start();
    run(db, "BEGIN IMMEDIATE");
    run(db, sql);
    run(db, "COMMIT");
    bench_stop(&r);
    sqlite3_close(db);
    return r;
}

bench_result run_batch_update(const char *base, const char *work) {
    bench_result r = run_statement(
        base, work, "UPDATE ZPLAYER SET Z_OPT = Z_OPT + 1, ZSALARY = ZSALARY + 1000 WHERE ZAGE > 0");
    r.check = bench_check_updated(work);
    return r;
}

bench_result run_batch_delete(const char *base, const char *work) {
    bench_result r = run_statement(base, work, "DELETE FROM ZPLAYER WHERE ZAGE > 0");
    r.check = bench_check_deleted(work);
    return r;
}
