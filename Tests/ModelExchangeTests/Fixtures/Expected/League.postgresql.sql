-- League: the tables of a store in a PostgreSQL database
-- A store makes them by itself.
CREATE TABLE "_coredata" ("_id" boolean PRIMARY KEY DEFAULT true CHECK ("_id"), "format" integer NOT NULL, "uuid" text NOT NULL, "metadata" bytea NOT NULL, "model" bytea NOT NULL, "names" jsonb NOT NULL);
CREATE TABLE "_coredata_entities" ("number" integer PRIMARY KEY, "name" text COLLATE "C" NOT NULL UNIQUE, "parent" integer REFERENCES "_coredata_entities" ("number"));
CREATE TABLE "_coredata_tables" ("name" text COLLATE "C" PRIMARY KEY);
CREATE TABLE "_coredata_clients" ("client" uuid PRIMARY KEY, "transaction" bigint NOT NULL, "time" timestamptz NOT NULL);
CREATE UNLOGGED TABLE "_coredata_trigger_notes" ("transaction" xid8 NOT NULL, "table" text NOT NULL, "row" bigint NOT NULL);
CREATE INDEX "_coredata_trigger_notes.transaction" ON "_coredata_trigger_notes" ("transaction");
CREATE TABLE "Laptop" ( "_key" bigint PRIMARY KEY, "_entity" integer NOT NULL, "_version" bigint NOT NULL, "model" text COLLATE "C", "color" bytea );
CREATE TABLE "Person" ( "_key" bigint PRIMARY KEY, "_entity" integer NOT NULL, "_version" bigint NOT NULL, "seasons" smallint, "team" bigint, "team1" bigint, "dateOfBirth" timestamp with time zone, "salary" numeric, "name" text COLLATE "C", "email" text COLLATE "C", "firstName" text COLLATE "C", "lastName" text COLLATE "C", "photo" bytea, "photo._stamp" uuid );
CREATE TABLE "Team" ( "_key" bigint PRIMARY KEY, "_entity" integer NOT NULL, "_version" bigint NOT NULL, "coach" bigint, "name" text COLLATE "C", "uniformColor" text COLLATE "C" );
CREATE TABLE "Person.cousins" ( "cousins" BIGINT, "REFLEXIVE" BIGINT, PRIMARY KEY ("cousins", "REFLEXIVE") );
CREATE TABLE "Person.favourites" ( "fans" BIGINT, "favourites" BIGINT, PRIMARY KEY ("fans", "favourites") );
CREATE SEQUENCE "Laptop._keys" INCREMENT BY 100 OWNED BY "Laptop"."_key";
CREATE SEQUENCE "Person._keys" INCREMENT BY 100 OWNED BY "Person"."_key";
CREATE SEQUENCE "Team._keys" INCREMENT BY 100 OWNED BY "Team"."_key";
ALTER TABLE "Person" ADD CONSTRAINT "Person.team._exists" FOREIGN KEY ("team") REFERENCES "Team" ("_key") DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE "Person" ADD CONSTRAINT "Person.team1._exists" FOREIGN KEY ("team1") REFERENCES "Team" ("_key") DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE "Team" ADD CONSTRAINT "Team.coach._exists" FOREIGN KEY ("coach") REFERENCES "Person" ("_key") DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE "Team" ADD CONSTRAINT "Z_Team_UNIQUE_name" UNIQUE ("name") DEFERRABLE INITIALLY DEFERRED;
CREATE INDEX "Person_team_INDEX" ON "Person" ("team");
CREATE INDEX "Person_team1_INDEX" ON "Person" ("team1");
CREATE INDEX "Person_Z_ENT_INDEX" ON "Person" ("_entity");
CREATE INDEX "Team_coach_INDEX" ON "Team" ("coach");
CREATE INDEX "Person.cousins_REFLEXIVE_INDEX" ON "Person.cousins" ("REFLEXIVE", "cousins");
CREATE INDEX "Person.favourites_favourites_INDEX" ON "Person.favourites" ("favourites", "fans");
DO $both$ BEGIN CREATE FUNCTION "Person.photo._stamp"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW."photo._stamp" := gen_random_uuid(); RETURN NEW; END $$; CREATE TRIGGER "Person.photo._stamp" BEFORE UPDATE OF "photo" ON "Person" FOR EACH ROW WHEN (octet_length(NEW."photo") > 2000 AND NEW."photo._stamp" IS NOT DISTINCT FROM OLD."photo._stamp") EXECUTE FUNCTION "Person.photo._stamp"(); END $both$;
