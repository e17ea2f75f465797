// What libpq does for the workloads on PostgreSQL, in C: prepared statements, binary values, pipelines, one connection.
//   BenchPostgreSQLC <workload> <connection string> <repeat>
// The database has the tables that BenchPostgreSQL has made.
#include "bench.h"
#include <endian.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static PGconn *connection;

static void fail(void) {
    fprintf(stderr, "%s\n", PQerrorMessage(connection));
    exit(1);
}

static PGresult *checked(PGresult *result) {
    ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK && status != PGRES_PIPELINE_SYNC) fail();
    return result;
}

static void run(const char *text) { PQclear(checked(PQexec(connection, text))); }

static void prepare(const char *name, const char *text) {
    PQclear(checked(PQprepare(connection, name, text, 0, NULL)));
}

static int64_t number(const char *text) {
    PGresult *result = checked(PQexec(connection, text));
    int64_t value = atoll(PQgetvalue(result, 0, 0));
    PQclear(result);
    return value;
}

static uint64_t bits(double value) {
    uint64_t result;
    memcpy(&result, &value, sizeof result);
    return result;
}

// ---- writing

// From 2000, where the server counts from, to 2001, in microseconds.
static const int64_t year_2001 = 366LL * 86400 * 1000000;

// Sends the insertion of a player.
static void send_player(int64_t key) {
    bench_player player;
    bench_make_player(key, &player);
    uint64_t pk = htobe64((uint64_t)key), version = htobe64(1), team = htobe64((uint64_t)player.team);
    uint32_t entity = htobe32(1);
    uint16_t age = htobe16((uint16_t)player.age);
    uint64_t born = htobe64((uint64_t)((int64_t)(player.birthdate * 1e6) + year_2001));
    uint64_t salary = htobe64(bits(player.salary));
    const char *values[] = {(char *)&pk,    (char *)&entity, (char *)&version, (char *)&age,    (char *)&born,
                            player.email,   player.first,    player.last,      (char *)&salary, (char *)&team};
    int lengths[] = {8, 4, 8, 2, 8, (int)strlen(player.email), (int)strlen(player.first), (int)strlen(player.last), 8, 8};
    int formats[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    if (!PQsendQueryPrepared(connection, "insert", 10, values, lengths, formats, 1)) fail();
}

static void send(const char *text) {
    if (!PQsendQueryParams(connection, text, 0, NULL, NULL, NULL, NULL, 1)) fail();
}

// Reads the results of some statements of a pipeline.
static void read_results(int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        PGresult *result = PQgetResult(connection);
        PQclear(checked(result));
        if (PQgetResult(connection)) fail();
    }
}

static void sync_pipeline(int64_t count) {
    if (!PQpipelineSync(connection)) fail();
    read_results(count);
    PQclear(checked(PQgetResult(connection)));
}

#define INSERTION \
    "INSERT INTO \"Player\" (\"_key\", \"_entity\", \"_version\", \"age\", \"birthDate\", \"email\", " \
    "\"firstName\", \"lastName\", \"salary\", \"team\") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"

static void begin_writing(const char *insertion) {
    run("TRUNCATE \"Player\"");
    prepare("insert", insertion);
    if (!PQenterPipelineMode(connection)) fail();
}

static void end_writing(bench_result *result) {
    if (!PQexitPipelineMode(connection)) fail();
    result->check = number("SELECT count(*) FROM \"Player\"");
    run("DEALLOCATE ALL");
}

static void run_insert(bench_result *result) {
    begin_writing(INSERTION);
    result->n = bench_player_count();
    bench_start();
    send("BEGIN");
    int64_t waiting = 1;
    for (int64_t key = 1; key <= result->n; key++) {
        send_player(key);
        // So that neither side waits for the other with full buffers.
        if (++waiting == 500) {
            if (!PQsendFlushRequest(connection) || PQflush(connection)) fail();
            read_results(waiting);
            waiting = 0;
        }
    }
    send("COMMIT");
    sync_pipeline(waiting + 1);
    bench_stop(result);
    end_writing(result);
}

// Sends the next version of a team, whose members have changed.
static void send_version(int64_t team, int64_t old) {
    uint64_t pk = htobe64((uint64_t)team), before = htobe64((uint64_t)old), after = htobe64((uint64_t)old + 1);
    const char *values[] = {(char *)&after, (char *)&pk, (char *)&before};
    int lengths[] = {8, 8, 8}, formats[] = {1, 1, 1};
    if (!PQsendQueryPrepared(connection, "version", 3, values, lengths, formats, 1)) fail();
}

// A statement that fails where it finds no row.
#define GUARDED(text) "WITH written AS (" text " RETURNING 1) SELECT 1 / count(*) FROM written"

// Sends the mark of a transaction: it tells whether it was committed if the connection breaks at the COMMIT.
static void send_mark(int64_t transaction) {
    static const char client[16] = "the C program  ";
    uint64_t count = htobe64((uint64_t)transaction);
    const char *values[] = {client, (char *)&count};
    int lengths[] = {16, 8}, formats[] = {1, 1};
    if (!PQsendQueryPrepared(connection, "mark", 2, values, lengths, formats, 1)) fail();
}

// Each save has a player, and its team's version: a relationship has two sides. The statements are those that Core Data
// sends: each fails without its row, constraints are looked at before the COMMIT, and the transaction has a mark.
static void run_insert_small_saves(bench_result *result) {
    run("UPDATE \"Team\" SET \"_version\" = 1");
    run("VACUUM \"Team\"");
    int64_t *versions = calloc((size_t)bench_team_count() + 1, sizeof *versions);
    for (int64_t team = 1; team <= bench_team_count(); team++) versions[team] = 1;
    run("DELETE FROM \"_coredata_clients\"");
    prepare("version", GUARDED("UPDATE \"Team\" SET \"_version\" = $1 WHERE \"_key\" = $2 AND \"_version\" = $3"));
    prepare("mark", "INSERT INTO \"_coredata_clients\" AS clients (\"client\", \"transaction\", \"time\") "
                    "VALUES ($1, $2, now()) ON CONFLICT (\"client\") DO UPDATE SET \"time\" = excluded.\"time\", "
                    "\"transaction\" = CASE WHEN clients.\"transaction\" < excluded.\"transaction\" "
                    "THEN excluded.\"transaction\" END");
    begin_writing(GUARDED(INSERTION));
    result->n = BENCH_SMALL_SAVES;
    bench_start();
    for (int64_t key = 1; key <= result->n; key++) {
        bench_player player;
        bench_make_player(key, &player);
        send("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE");
        send_version(player.team, versions[player.team]++);
        send_player(key);
        send("SET CONSTRAINTS ALL IMMEDIATE");
        send_mark(key);
        send("COMMIT");
        sync_pipeline(6);
    }
    free(versions);
    bench_stop(result);
    end_writing(result);
}

// The rows alone: without a look at what became of them.
static void run_insert_bare_saves(bench_result *result) {
    run("UPDATE \"Team\" SET \"_version\" = 1");
    run("VACUUM \"Team\"");
    int64_t *versions = calloc((size_t)bench_team_count() + 1, sizeof *versions);
    for (int64_t team = 1; team <= bench_team_count(); team++) versions[team] = 1;
    prepare("version", "UPDATE \"Team\" SET \"_version\" = $1 WHERE \"_key\" = $2 AND \"_version\" = $3");
    begin_writing(INSERTION);
    result->n = BENCH_SMALL_SAVES;
    bench_start();
    for (int64_t key = 1; key <= result->n; key++) {
        bench_player player;
        bench_make_player(key, &player);
        send("BEGIN");
        send_version(player.team, versions[player.team]++);
        send_player(key);
        send("COMMIT");
        sync_pipeline(4);
    }
    free(versions);
    bench_stop(result);
    end_writing(result);
}

// ---- reading

typedef struct {
    int64_t key, version, team;
    int32_t entity;
    int16_t age;
    double born, salary;
    char *email, *first, *last;
} row;

static uint64_t big64(PGresult *result, int i, int column) {
    uint64_t value;
    memcpy(&value, PQgetvalue(result, i, column), sizeof value);
    return be64toh(value);
}

static char *text(PGresult *result, int i, int column) {
    return strndup(PQgetvalue(result, i, column), (size_t)PQgetlength(result, i, column));
}

static void read_row(PGresult *result, int i, row *out) {
    uint32_t entity;
    uint16_t age;
    memcpy(&entity, PQgetvalue(result, i, 1), sizeof entity);
    memcpy(&age, PQgetvalue(result, i, 3), sizeof age);
    uint64_t salary = big64(result, i, 8);
    out->key = (int64_t)big64(result, i, 0);
    out->entity = (int32_t)be32toh(entity);
    out->version = (int64_t)big64(result, i, 2);
    out->age = (int16_t)be16toh(age);
    out->born = (double)((int64_t)big64(result, i, 4) - year_2001) / 1e6;
    out->email = text(result, i, 5);
    out->first = text(result, i, 6);
    out->last = text(result, i, 7);
    memcpy(&out->salary, &salary, sizeof salary);
    out->team = PQgetisnull(result, i, 9) ? 0 : (int64_t)big64(result, i, 9);
}

static int64_t sum(const row *row) {
    return row->age + (int64_t)row->born + (int64_t)row->salary
        + (int64_t)(strlen(row->email) + strlen(row->first) + strlen(row->last));
}

static void free_row(row *row) {
    free(row->email);
    free(row->first);
    free(row->last);
}

#define COLUMNS "\"_key\", \"_entity\", \"_version\", \"age\", \"birthDate\", \"email\", \"firstName\", \"lastName\", \"salary\", \"team\""

static void run_fetch_all(bench_result *result) {
    bench_start();
    PGresult *rows = checked(PQexecParams(connection, "SELECT " COLUMNS " FROM \"Player\"", 0, NULL, NULL, NULL, NULL, 1));
    int count = PQntuples(rows);
    row *all = malloc(sizeof *all * (size_t)count);
    for (int i = 0; i < count; i++) read_row(rows, i, &all[i]);
    PQclear(rows);
    for (int i = 0; i < count; i++) result->check += sum(&all[i]);
    result->n = count;
    bench_stop(result);
    for (int i = 0; i < count; i++) free_row(&all[i]);
    free(all);
}

static void run_fetch_by_id(bench_result *result) {
    result->n = BENCH_LOOKUPS;
    bench_start();
    prepare("lookup", "SELECT " COLUMNS " FROM \"Player\" WHERE \"_key\" = $1");
    for (int64_t i = 0; i < BENCH_LOOKUPS; i++) {
        uint64_t key = htobe64((uint64_t)bench_lookup_key(i));
        const char *values[] = {(char *)&key};
        int lengths[] = {8}, formats[] = {1};
        PGresult *rows = checked(PQexecPrepared(connection, "lookup", 1, values, lengths, formats, 1));
        row found;
        read_row(rows, 0, &found);
        result->check += found.age;
        free_row(&found);
        PQclear(rows);
    }
    bench_stop(result);
    run("DEALLOCATE ALL");
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(bench_result *);
    } workloads[] = {
        {"insert", run_insert},
        {"insert-small-saves", run_insert_small_saves},
        {"insert-bare-saves", run_insert_bare_saves},
        {"fetch-all", run_fetch_all},
        {"fetch-by-id", run_fetch_by_id},
    };
    if (argc != 4) {
        fprintf(stderr, "usage: BenchPostgreSQLC <workload> <connection string> <repeat>\n");
        return 2;
    }
    connection = PQconnectdb(argv[2]);
    if (PQstatus(connection) != CONNECTION_OK) fail();
    int repeat = atoi(argv[3]);
    for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++) {
        if (strcmp(argv[1], workloads[i].name)) continue;
        for (int time = 0; time <= repeat; time++) {    // the first one is a warm-up
            bench_result result = {0};
            workloads[i].run(&result);
            if (time > 0) bench_print("c", argv[1], &result);
        }
        PQfinish(connection);
        return 0;
    }
    fprintf(stderr, "there is no workload %s\n", argv[1]);
    return 2;
}
