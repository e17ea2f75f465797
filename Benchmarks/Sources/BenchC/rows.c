#include "rows.h"
#include <stdlib.h>
#include <string.h>

static char *copy_text(sqlite3_stmt *s, int column) { return strdup((const char *)sqlite3_column_text(s, column)); }

static void read_player(sqlite3_stmt *s, player *p) {
    p->pk = sqlite3_column_int64(s, 0);
    p->opt = sqlite3_column_int64(s, 1);
    p->age = sqlite3_column_int64(s, 2);
    p->team = sqlite3_column_int64(s, 3);
    p->birthdate = sqlite3_column_double(s, 4);
    p->salary = sqlite3_column_double(s, 5);
    p->email = copy_text(s, 6);
    p->first = copy_text(s, 7);
    p->last = copy_text(s, 8);
}
void append_rows(sqlite3 *db, sqlite3_stmt *s, players *a) {
    int rc;
    while ((rc = sqlite3_step(s)) == SQLITE_ROW) {
        if (a->count == a->room) {
            a->room = a->room ? a->room * 2 : 16;
            a->items = realloc(a->items, a->room * sizeof(player));
        }
        read_player(s, &a->items[a->count++]);
    }
    if (rc != SQLITE_DONE) die(db, "rows");
    sqlite3_reset(s);
}
void clear_rows(players *a) {
    for (size_t i = 0; i < a->count; i++) {
        free(a->items[i].email);
        free(a->items[i].first);
        free(a->items[i].last);
    }
    a->count = 0;
}
void free_rows(players *a) {
    clear_rows(a);
    free(a->items);
    memset(a, 0, sizeof *a);
}
int64_t sum_player(const player *p) {
    return p->age + (int64_t)p->birthdate + (int64_t)p->salary
         + (int64_t)strlen(p->email) + (int64_t)strlen(p->first) + (int64_t)strlen(p->last);
}

keys read_keys(sqlite3 *db, sqlite3_stmt *s) {
    keys k = {0};
    int rc;
    while ((rc = sqlite3_step(s)) == SQLITE_ROW) {
        if (k.count == k.room) k.items = realloc(k.items, (k.room = k.room ? k.room * 2 : 64) * sizeof *k.items);
        k.items[k.count++] = sqlite3_column_int64(s, 0);
    }
    if (rc != SQLITE_DONE) die(db, "keys");
    sqlite3_finalize(s);
    return k;
}
