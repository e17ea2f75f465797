#include "rows.h"
#include "workloads.h"
#include <stdlib.h>

// ---- whole results

static int64_t sum_all(const players *a) {
    int64_t sum = 0;
    for (size_t i = 0; i < a->count; i++) sum += sum_player(&a->items[i]);
    return sum;
}
static int64_t sum_ages(const players *a) {
    int64_t sum = 0;
    for (size_t i = 0; i < a->count; i++) sum += a->items[i].age;
    return sum;
}

// Freeing the rows has a clock of its own, here and in the other programs.
static bench_result fetch(const char *base, const char *sql, int64_t (*sum)(const players *)) {
    bench_result r = {0};
    sqlite3 *db = open_database(base);
    players a = {0};
    bench_start();
    run(db, "BEGIN");
    sqlite3_stmt *s = prepare(db, sql);
    append_rows(db, s, &a);
    sqlite3_finalize(s);
    run(db, "COMMIT");
    r.n = (int64_t)a.count;
    r.check = sum(&a);
    bench_stop(&r);
    double freeing = bench_now();
    free_rows(&a);
    r.free_seconds = bench_now() - freeing;
    sqlite3_close(db);
    return r;
}
bench_result run_fetch_all(const char *base, const char *work) {
    (void)work;
    return fetch(base, "SELECT " COLUMNS " FROM ZPLAYER", sum_all);
}
bench_result run_fetch_all_one_attribute(const char *base, const char *work) {
    (void)work;
    return fetch(base, "SELECT " COLUMNS " FROM ZPLAYER", sum_ages);
}
bench_result run_fetch_predicate_sorted(const char *base, const char *work) {
    (void)work;
    return fetch(base, "SELECT " COLUMNS " FROM ZPLAYER WHERE ZAGE BETWEEN 20 AND 30 ORDER BY ZLASTNAME, ZFIRSTNAME", sum_all);
}

// ---- one by one

bench_result run_fetch_by_id(const char *base, const char *work) {
    (void)work;
    bench_result r = {.n = BENCH_LOOKUPS};
    sqlite3 *db = open_database(base);
    players a = {0};
    bench_start();
    run(db, "BEGIN");
    sqlite3_stmt *s = prepare(db, "SELECT " COLUMNS " FROM ZPLAYER WHERE Z_PK = ?");
    for (int64_t i = 0; i < r.n; i++) {
        sqlite3_bind_int64(s, 1, bench_lookup_key(i));
        append_rows(db, s, &a);
        r.check += a.items[0].age;
        clear_rows(&a);
    }
    sqlite3_finalize(s);
    run(db, "COMMIT");
    bench_stop(&r);
    free_rows(&a);
    sqlite3_close(db);
    return r;
}

// ---- the players of each team

static keys read_teams(sqlite3 *db) { return read_keys(db, prepare(db, "SELECT Z_PK, Z_OPT, ZNAME, ZUNIFORMCOLOR FROM ZTEAM")); }

bench_result run_to_many_traverse(const char *base, const char *work) {
    (void)work;
    bench_result r = {0};
    double salaries = 0;
    sqlite3 *db = open_database(base);
    players a = {0};
    bench_start();
    run(db, "BEGIN");
    keys teams = read_teams(db);
    sqlite3_stmt *s = prepare(db, "SELECT " COLUMNS " FROM ZPLAYER WHERE ZTEAM = ?");
    for (size_t t = 0; t < teams.count; t++) {
        sqlite3_bind_int64(s, 1, teams.items[t]);
        append_rows(db, s, &a);
        for (size_t i = 0; i < a.count; i++) salaries += a.items[i].salary;
        r.n += (int64_t)a.count;
        clear_rows(&a);
    }
    sqlite3_finalize(s);
    run(db, "COMMIT");
    bench_stop(&r);
    free(teams.items);
    free_rows(&a);
    sqlite3_close(db);
    r.check = (int64_t)salaries;
    return r;
}

// A statement with a question mark for each team.
static sqlite3_stmt *prepare_players_of(sqlite3 *db, keys teams) {
    sqlite3_str *sql = sqlite3_str_new(db);
    sqlite3_str_appendall(sql, "SELECT " COLUMNS " FROM ZPLAYER WHERE ZTEAM IN (");
    for (size_t t = 0; t < teams.count; t++) sqlite3_str_appendall(sql, t ? ",?" : "?");
    sqlite3_str_appendall(sql, ")");
    char *text = sqlite3_str_finish(sql);
    sqlite3_stmt *s = prepare(db, text);
    sqlite3_free(text);
    for (size_t t = 0; t < teams.count; t++) sqlite3_bind_int64(s, (int)t + 1, teams.items[t]);
    return s;
}
// Each team gets the list of its players; keys are dense.
static double sum_by_team(const players *a, keys teams) {
    int64_t last = 0;
    for (size_t t = 0; t < teams.count; t++) if (teams.items[t] > last) last = teams.items[t];
    size_t *first = calloc((size_t)last + 2, sizeof *first), *next = malloc(((size_t)last + 2) * sizeof *next);
    size_t *places = malloc(a->count * sizeof *places);
    for (size_t i = 0; i < a->count; i++) first[a->items[i].team + 1]++;
    for (int64_t t = 1; t < last + 2; t++) first[t] += first[t - 1];
    for (int64_t t = 0; t < last + 2; t++) next[t] = first[t];
    for (size_t i = 0; i < a->count; i++) places[next[a->items[i].team]++] = i;
    double salaries = 0;
    for (size_t t = 0; t < teams.count; t++)
        for (size_t i = first[teams.items[t]]; i < first[teams.items[t] + 1]; i++) salaries += a->items[places[i]].salary;
    free(first);
    free(next);
    free(places);
    return salaries;
}
bench_result run_to_many_prefetch(const char *base, const char *work) {
    (void)work;
    bench_result r = {0};
    sqlite3 *db = open_database(base);
    players a = {0};
    bench_start();
    run(db, "BEGIN");
    keys teams = read_teams(db);
    sqlite3_stmt *s = prepare_players_of(db, teams);
    append_rows(db, s, &a);
    sqlite3_finalize(s);
    r.n = (int64_t)a.count;
    r.check = (int64_t)sum_by_team(&a, teams);
    run(db, "COMMIT");
    bench_stop(&r);
    free(teams.items);
    free_rows(&a);
    sqlite3_close(db);
    return r;
}

// ---- aggregate

bench_result run_aggregate(const char *base, const char *work) {
    (void)work;
    bench_result r = {0};
    sqlite3 *db = open_database(base);
    int64_t teams = 0;
    bench_start();
    sqlite3_stmt *s = prepare(db, "SELECT ZTEAM, COUNT(*), AVG(ZSALARY) FROM ZPLAYER GROUP BY ZTEAM");
    while (sqlite3_step(s) == SQLITE_ROW) {
        r.n++;
        teams += sqlite3_column_int64(s, 0) > 0;
        r.check += sqlite3_column_int64(s, 1) + (int64_t)sqlite3_column_double(s, 2);
    }
    sqlite3_finalize(s);
    bench_stop(&r);
    if (teams != r.n) die(0, "a player has no team");
    sqlite3_close(db);
    return r;
}

// ---- pages

// The place in a page counts, so that the check sum knows the order.
static int64_t sum_page(const players *a, const int64_t *want) {
    int64_t sum = 0;
    for (int i = 0; i < BENCH_PAGE; i++)
        for (size_t j = 0; j < a->count; j++)
            if (a->items[j].pk == want[i]) { sum += sum_player(&a->items[j]) * (i + 1); break; }
    return sum;
}
bench_result run_page(const char *base, const char *work) {
    (void)work;
    bench_result r = {.n = BENCH_PAGES};
    sqlite3 *db = open_database(base);
    players a = {0};
    bench_start();
    run(db, "BEGIN");
    keys k = read_keys(db, prepare(db, "SELECT Z_PK FROM ZPLAYER ORDER BY ZLASTNAME, Z_PK"));
    if (r.n > (int64_t)k.count / BENCH_PAGE) r.n = (int64_t)k.count / BENCH_PAGE;
    sqlite3_stmt *s = prepare(db, "SELECT " COLUMNS " FROM ZPLAYER WHERE Z_PK IN (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
    for (int64_t page = 0; page < r.n; page++) {
        const int64_t *want = k.items + page * BENCH_PAGE;
        for (int i = 0; i < BENCH_PAGE; i++) sqlite3_bind_int64(s, i + 1, want[i]);
        append_rows(db, s, &a);
        r.check += sum_page(&a, want);
        clear_rows(&a);
    }
    sqlite3_finalize(s);
    run(db, "COMMIT");
    bench_stop(&r);
    free(k.items);
    free_rows(&a);
    sqlite3_close(db);
    return r;
}

// ---- open

// Open a file and read a first row. What it holds besides does not matter to SQLite, which reads the whole schema.
bench_result run_open(const char *base, const char *work) {
    (void)work;
    bench_result r = {.n = 1};
    bench_start();
    sqlite3 *db = open_database(base);
    sqlite3_stmt *s = prepare(db, "SELECT Z_PK, Z_OPT, ZNAME, ZNUMBER FROM ZCLUB LIMIT 1");
    if (sqlite3_step(s) != SQLITE_ROW) die(db, "no row");
    r.check = sqlite3_column_bytes(s, 2);
    bench_stop(&r);
    sqlite3_finalize(s);
    sqlite3_close(db);
    return r;
}
