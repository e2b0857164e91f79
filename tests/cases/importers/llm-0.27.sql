CREATE TABLE "conversations" (
   "id" TEXT PRIMARY KEY,
   "name" TEXT,
   "model" TEXT
);
INSERT INTO "conversations" VALUES('01m8s72txaty44y6245j84c13e','Question 0?','says');
CREATE TABLE "fragments" (
   "id" INTEGER PRIMARY KEY,
   "hash" TEXT,
   "content" TEXT,
   "datetime_utc" TEXT,
   "source" TEXT
);
INSERT INTO "fragments" VALUES(1,'fdd2fa7decd9a85c27220f2dd1bde24b5807fa50ee78d78fd2fb90a6832b0094','A fragment.','2026-12-01 16:30:23',NULL);
CREATE TABLE "prompt_fragments" (
   "response_id" TEXT REFERENCES "responses"("id"),
   "fragment_id" INTEGER REFERENCES "fragments"("id"),
   "order" INTEGER,
   PRIMARY KEY ("response_id", "fragment_id", "order")
);
INSERT INTO "prompt_fragments" VALUES('01m8s72tyew478ryk7z9xe1rrj',1,0);
CREATE TABLE "responses" (
   "id" TEXT PRIMARY KEY,
   "model" TEXT,
   "prompt" TEXT,
   "system" TEXT,
   "prompt_json" TEXT,
   "options_json" TEXT,
   "response" TEXT,
   "response_json" TEXT,
   "conversation_id" TEXT REFERENCES "conversations"("id"),
   "duration_ms" INTEGER,
   "datetime_utc" TEXT,
   "input_tokens" INTEGER,
   "output_tokens" INTEGER,
   "token_details" TEXT,
   "schema_id" TEXT REFERENCES "schemas"("id")
, "resolved_model" TEXT);
INSERT INTO "responses" VALUES('01m8s72txaty44y6245j84c13f','says','Question 0?','Be brief.',NULL,'{}','*Approve.* Café 😀
Second  
','{"choices": [{"finish_reason": "stop"}]}','01m8s72txaty44y6245j84c13e',0,'2026-12-01T16:30:23.658670+00:00',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "responses" VALUES('01m8s72tyew478ryk7z9xe1rrj','says','Question 1?',NULL,NULL,'{}','Cut off he','{"choices": [{"finish_reason": "length"}]}','01m8s72txaty44y6245j84c13e',0,'2026-12-01T16:30:23.694643+00:00',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "responses" VALUES('01m8s72v02d4jx7mqaq0be9hse','says','Question 2?',NULL,NULL,'{}','{"a": 1}','{"choices": [{"finish_reason": "stop"}]}','01m8s72txaty44y6245j84c13e',0,'2026-12-01T16:30:23.746616+00:00',NULL,NULL,NULL,'ce30e43b709a1285348c45aadfdebed3',NULL);
CREATE TABLE "schemas" (
   "id" TEXT PRIMARY KEY,
   "content" TEXT
);
INSERT INTO "schemas" VALUES('ce30e43b709a1285348c45aadfdebed3','{"type":"object"}');
CREATE TABLE "tool_calls" (
   "id" INTEGER PRIMARY KEY,
   "response_id" TEXT REFERENCES "responses"("id"),
   "tool_id" INTEGER REFERENCES "tools"("id"),
   "name" TEXT,
   "arguments" TEXT,
   "tool_call_id" TEXT
);
