BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE check_text (
	id INTEGER NOT NULL, 
	"key" VARCHAR NOT NULL, 
	kind VARCHAR NOT NULL, 
	text VARCHAR NOT NULL, 
	CONSTRAINT pk_check_text PRIMARY KEY (id), 
	CONSTRAINT uq_check_text_key UNIQUE ("key")
);
INSERT INTO "check_text" VALUES(1,'ea6ce57194bd8676121c9b693016b0e7','presence','States: water boils at 100 °C');
INSERT INTO "check_text" VALUES(2,'529d1d1184be920a616c39b33fe8b89d','insight','Conveys: heat');
CREATE TABLE draft_image (
	question_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	image_sha256 VARCHAR NOT NULL, 
	CONSTRAINT pk_draft_image PRIMARY KEY (question_id, position), 
	CONSTRAINT fk_draft_image_image_sha256_image FOREIGN KEY(image_sha256) REFERENCES image (sha256), 
	CONSTRAINT fk_draft_image_question_id_question_draft FOREIGN KEY(question_id) REFERENCES question_draft (question_id)
);
INSERT INTO "draft_image" VALUES(1,0,'92b2fa58028958317e408bd84ecfa70f5ee35b121991dbc232c49d166353708b');
CREATE TABLE image (
	sha256 VARCHAR NOT NULL, 
	mime VARCHAR NOT NULL, 
	width INTEGER NOT NULL, 
	height INTEGER NOT NULL, 
	pixel_hash VARCHAR, 
	thumbnail BLOB NOT NULL, 
	data BLOB NOT NULL, 
	CONSTRAINT pk_image PRIMARY KEY (sha256)
);
INSERT INTO "image" VALUES('92b2fa58028958317e408bd84ecfa70f5ee35b121991dbc232c49d166353708b','image/png',4,3,'p',X'736D616C6C',X'612070696374757265');
CREATE TABLE label (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	response_id INTEGER NOT NULL, 
	check_text_id INTEGER NOT NULL, 
	annotator VARCHAR NOT NULL, 
	verdict VARCHAR, 
	note VARCHAR, 
	created_at VARCHAR NOT NULL, 
	CONSTRAINT ck_label_verdict CHECK (verdict IN ('meets', 'partially_meets', 'missing', 'contradicts')), 
	CONSTRAINT fk_label_check_text_id_check_text FOREIGN KEY(check_text_id) REFERENCES check_text (id), 
	CONSTRAINT fk_label_response_id_response FOREIGN KEY(response_id) REFERENCES response (id)
);
INSERT INTO "label" VALUES(1,1,1,'bob','partially_meets','half','2026-01-02T03:04:05.000Z');
CREATE TABLE lease (
	name VARCHAR NOT NULL, 
	holder VARCHAR NOT NULL, 
	pid INTEGER NOT NULL, 
	process_created FLOAT NOT NULL, 
	host VARCHAR NOT NULL, 
	since VARCHAR NOT NULL, 
	CONSTRAINT pk_lease PRIMARY KEY (name)
);
CREATE TABLE project (
	id INTEGER NOT NULL, 
	name VARCHAR NOT NULL, 
	created_at VARCHAR NOT NULL, 
	CONSTRAINT pk_project PRIMARY KEY (id), 
	CONSTRAINT ck_project_one_row CHECK (id = 1)
);
INSERT INTO "project" VALUES(1,'kettle','2026-01-02T03:04:05.000Z');
CREATE TABLE question (
	id INTEGER NOT NULL, 
	"key" VARCHAR NOT NULL, 
	position INTEGER NOT NULL, 
	created_at VARCHAR NOT NULL, 
	trashed_at VARCHAR, 
	CONSTRAINT pk_question PRIMARY KEY (id), 
	CONSTRAINT uq_question_key UNIQUE ("key")
);
INSERT INTO "question" VALUES(1,'kettle',0,'2026-01-02T03:04:05.000Z',NULL);
INSERT INTO "question" VALUES(2,'gone',1,'2026-01-02T03:04:05.000Z','2026-01-02T03:04:05.000Z');
CREATE TABLE question_draft (
	question_id INTEGER NOT NULL, 
	base_version INTEGER NOT NULL, 
	sha256 VARCHAR NOT NULL, 
	author VARCHAR NOT NULL, 
	updated_at VARCHAR NOT NULL, 
	doc VARCHAR NOT NULL, 
	CONSTRAINT pk_question_draft PRIMARY KEY (question_id), 
	CONSTRAINT fk_question_draft_question_id_question FOREIGN KEY(question_id) REFERENCES question (id)
);
INSERT INTO "question_draft" VALUES(1,2,'bca98a665f478b2d186b5c62cc37b419c90151f2a5ea6544a167050b0daeaa75','ada','2026-01-02T03:04:05.000Z','{"id":"kettle","v":3}');
CREATE TABLE question_version (
	id INTEGER NOT NULL, 
	question_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	sha256 VARCHAR NOT NULL, 
	author VARCHAR NOT NULL, 
	note VARCHAR, 
	created_at VARCHAR NOT NULL, 
	doc VARCHAR NOT NULL, 
	CONSTRAINT pk_question_version PRIMARY KEY (id), 
	CONSTRAINT fk_question_version_question_id_question FOREIGN KEY(question_id) REFERENCES question (id), 
	CONSTRAINT uq_question_version_question_id_number UNIQUE (question_id, number)
);
INSERT INTO "question_version" VALUES(1,1,1,'4fba9cb9fcc56a7c7d755f695d4ed1a9c0ed4a78e045a1af748293f81589522e','ada',NULL,'2026-01-02T03:04:05.000Z','{"id":"kettle"}');
INSERT INTO "question_version" VALUES(2,1,2,'9484bfe87d50651a2d91b7af816c729d17137a3a523d6cb23f9ece937b5ea571','ada','better','2026-01-02T03:04:05.000Z','{"id":"kettle","v":2}');
INSERT INTO "question_version" VALUES(3,2,1,'44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a','ada',NULL,'2026-01-02T03:04:05.000Z','{}');
CREATE TABLE response (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	question_id INTEGER NOT NULL, 
	model VARCHAR NOT NULL, 
	variant VARCHAR NOT NULL, 
	sample INTEGER NOT NULL, 
	sha256 VARCHAR NOT NULL, 
	source VARCHAR, 
	created_at VARCHAR NOT NULL, 
	trashed_at VARCHAR, 
	text VARCHAR NOT NULL, 
	CONSTRAINT fk_response_question_id_question FOREIGN KEY(question_id) REFERENCES question (id)
);
INSERT INTO "response" VALUES(1,1,'m1','image',0,'e8bb01447d759a2f6abeb1372337efb990080333137cd3507212ca0fdf9e91e3','r.jsonl:1','2026-01-02T03:04:05.000Z',NULL,'Water boils.
Ü 🙂');
INSERT INTO "response" VALUES(2,1,'m1','text',2,'7661acf40816694e733c2f75366ad88f2f140d638338482a9f26f8e4dd6c4533',NULL,'2026-01-02T03:04:05.000Z',NULL,'It sings.');
INSERT INTO "response" VALUES(3,2,'m2','image',0,'9cc3e24fe9d0a9d86f56f80390504afa0a9a3fbbb57ec0911fc8c11493ff9c50',NULL,'2026-01-02T03:04:05.000Z',NULL,'Nothing.');
CREATE TABLE ruler (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	judge VARCHAR NOT NULL, 
	digest VARCHAR NOT NULL, 
	manifest VARCHAR NOT NULL, 
	CONSTRAINT uq_ruler_digest UNIQUE (digest)
);
INSERT INTO "ruler" VALUES(1,'smollm2','c2be1f4e7bcc0e5351a8441d8e54c464f275eccc11439fb1cf7bf30bb4dd6f49','{"judge":"smollm2","seed":0,"style":"reasoned"}');
CREATE TABLE run (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	judge VARCHAR NOT NULL, 
	ruler_id INTEGER, 
	status VARCHAR NOT NULL, 
	started_at VARCHAR NOT NULL, 
	finished_at VARCHAR, 
	pid INTEGER NOT NULL, 
	process_created FLOAT NOT NULL, 
	host VARCHAR NOT NULL, 
	manifest VARCHAR NOT NULL, 
	CONSTRAINT ck_run_status CHECK (status IN ('running', 'done', 'stopped', 'failed', 'crashed')), 
	CONSTRAINT fk_run_ruler_id_ruler FOREIGN KEY(ruler_id) REFERENCES ruler (id)
);
INSERT INTO "run" VALUES(1,'smollm2',1,'done','2026-01-02T03:04:05.000Z','2026-01-02T03:04:05.000Z',21828,1796096414.38,'vm','{"checks": 4}');
CREATE TABLE setting (
	name VARCHAR NOT NULL, 
	value VARCHAR NOT NULL, 
	CONSTRAINT pk_setting PRIMARY KEY (name)
);
INSERT INTO "setting" VALUES('language','"en"');
CREATE TABLE verdict (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	run_id INTEGER, 
	response_id INTEGER NOT NULL, 
	check_text_id INTEGER NOT NULL, 
	ruler_id INTEGER NOT NULL, 
	input_key VARCHAR NOT NULL, 
	outcome VARCHAR NOT NULL, 
	verdict VARCHAR, 
	lp_meets FLOAT, 
	lp_partially_meets FLOAT, 
	lp_missing FLOAT, 
	lp_contradicts FLOAT, 
	lp_cannot_tell FLOAT, 
	label_mass FLOAT, 
	rationale VARCHAR, 
	evidence VARCHAR, 
	note VARCHAR, 
	created_at VARCHAR NOT NULL, 
	CONSTRAINT ck_verdict_only_a_verdict_has_one CHECK ((outcome = 'verdict') = (verdict IS NOT NULL)), 
	CONSTRAINT ck_verdict_verdict CHECK (verdict IN ('meets', 'partially_meets', 'missing', 'contradicts')), 
	CONSTRAINT ck_verdict_five_log_probabilities_or_none CHECK ((lp_meets IS NULL) + (lp_partially_meets IS NULL) + (lp_missing IS NULL) + (lp_contradicts IS NULL) + (lp_cannot_tell IS NULL) IN (0, 5)), 
	CONSTRAINT fk_verdict_check_text_id_check_text FOREIGN KEY(check_text_id) REFERENCES check_text (id), 
	CONSTRAINT fk_verdict_response_id_response FOREIGN KEY(response_id) REFERENCES response (id), 
	CONSTRAINT fk_verdict_ruler_id_ruler FOREIGN KEY(ruler_id) REFERENCES ruler (id), 
	CONSTRAINT fk_verdict_run_id_run FOREIGN KEY(run_id) REFERENCES run (id)
);
INSERT INTO "verdict" VALUES(1,1,1,1,1,'k1','verdict','meets',-0.1,-2.5,-3.0,-4.0,-5.0,0.98,'It says so.','Water boils',NULL,'2026-01-02T03:04:05.000Z');
INSERT INTO "verdict" VALUES(2,1,1,2,1,'k2','verdict','missing',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'2026-01-02T03:04:05.000Z');
INSERT INTO "verdict" VALUES(3,1,2,1,1,'k3','failed',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'It died.','2026-01-02T03:04:05.000Z');
INSERT INTO "verdict" VALUES(4,1,3,1,1,'k4','verdict','contradicts',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'2026-01-02T03:04:05.000Z');
CREATE TABLE verdict_override (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	response_id INTEGER NOT NULL, 
	check_text_id INTEGER NOT NULL, 
	judge VARCHAR NOT NULL, 
	verdict VARCHAR, 
	author VARCHAR NOT NULL, 
	note VARCHAR, 
	created_at VARCHAR NOT NULL, 
	CONSTRAINT ck_verdict_override_verdict CHECK (verdict IN ('meets', 'partially_meets', 'missing', 'contradicts')), 
	CONSTRAINT fk_verdict_override_check_text_id_check_text FOREIGN KEY(check_text_id) REFERENCES check_text (id), 
	CONSTRAINT fk_verdict_override_response_id_response FOREIGN KEY(response_id) REFERENCES response (id)
);
INSERT INTO "verdict_override" VALUES(1,1,1,'smollm2','missing','ada','no degrees','2026-01-02T03:04:05.000Z');
CREATE TABLE version_image (
	version_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	image_sha256 VARCHAR NOT NULL, 
	CONSTRAINT pk_version_image PRIMARY KEY (version_id, position), 
	CONSTRAINT fk_version_image_image_sha256_image FOREIGN KEY(image_sha256) REFERENCES image (sha256), 
	CONSTRAINT fk_version_image_version_id_question_version FOREIGN KEY(version_id) REFERENCES question_version (id)
);
INSERT INTO "version_image" VALUES(1,0,'92b2fa58028958317e408bd84ecfa70f5ee35b121991dbc232c49d166353708b');
INSERT INTO "version_image" VALUES(2,0,'92b2fa58028958317e408bd84ecfa70f5ee35b121991dbc232c49d166353708b');
CREATE INDEX ix_response_question_id ON response (question_id);
CREATE UNIQUE INDEX uq_response_live_key ON response (question_id, model, variant, sample) WHERE trashed_at IS NULL;
CREATE INDEX ix_draft_image_image_sha256 ON draft_image (image_sha256);
CREATE INDEX ix_label_check_text_id ON label (check_text_id);
CREATE INDEX ix_label_response_id ON label (response_id);
CREATE INDEX ix_verdict_check_text_id ON verdict (check_text_id);
CREATE INDEX ix_verdict_progress ON verdict (response_id, ruler_id, check_text_id, outcome);
CREATE UNIQUE INDEX uq_verdict_final ON verdict (response_id, check_text_id, input_key, ruler_id) WHERE outcome = 'verdict';
CREATE INDEX ix_verdict_override_check_text_id ON verdict_override (check_text_id);
CREATE INDEX ix_verdict_override_response_id ON verdict_override (response_id);
CREATE INDEX ix_version_image_image_sha256 ON version_image (image_sha256);
CREATE TRIGGER verdict_stays_as_it_is BEFORE UPDATE ON verdict BEGIN SELECT RAISE(ABORT, 'verdict rows are never changed'); END;
CREATE TRIGGER verdict_is_kept BEFORE DELETE ON verdict WHEN NOT EXISTS (SELECT 1 FROM response r JOIN question q ON q.id = r.question_id WHERE r.id = OLD.response_id AND (r.trashed_at IS NOT NULL OR q.trashed_at IS NOT NULL)) BEGIN SELECT RAISE(ABORT, 'verdict rows go only through the trash'); END;
CREATE TRIGGER verdict_override_stays_as_it_is BEFORE UPDATE ON verdict_override BEGIN SELECT RAISE(ABORT, 'verdict_override rows are never changed'); END;
CREATE TRIGGER verdict_override_is_kept BEFORE DELETE ON verdict_override WHEN NOT EXISTS (SELECT 1 FROM response r JOIN question q ON q.id = r.question_id WHERE r.id = OLD.response_id AND (r.trashed_at IS NOT NULL OR q.trashed_at IS NOT NULL)) BEGIN SELECT RAISE(ABORT, 'verdict_override rows go only through the trash'); END;
CREATE TRIGGER label_stays_as_it_is BEFORE UPDATE ON label BEGIN SELECT RAISE(ABORT, 'label rows are never changed'); END;
CREATE TRIGGER label_is_kept BEFORE DELETE ON label WHEN NOT EXISTS (SELECT 1 FROM response r JOIN question q ON q.id = r.question_id WHERE r.id = OLD.response_id AND (r.trashed_at IS NOT NULL OR q.trashed_at IS NOT NULL)) BEGIN SELECT RAISE(ABORT, 'label rows go only through the trash'); END;
CREATE TRIGGER response_stays_as_it_is BEFORE UPDATE OF question_id, model, variant, sample, text, sha256, source, created_at ON response BEGIN SELECT RAISE(ABORT, 'response rows are never changed'); END;
CREATE TRIGGER response_is_kept BEFORE DELETE ON response WHEN NOT EXISTS (SELECT 1 FROM response r JOIN question q ON q.id = r.question_id WHERE r.id = OLD.id AND (r.trashed_at IS NOT NULL OR q.trashed_at IS NOT NULL)) BEGIN SELECT RAISE(ABORT, 'response rows go only through the trash'); END;
CREATE TRIGGER question_stays_as_it_is BEFORE UPDATE OF key, created_at ON question BEGIN SELECT RAISE(ABORT, 'question rows are never changed'); END;
CREATE TRIGGER question_is_kept BEFORE DELETE ON question WHEN NOT EXISTS (SELECT 1 FROM question q WHERE q.id = OLD.id AND q.trashed_at IS NOT NULL) BEGIN SELECT RAISE(ABORT, 'question rows go only through the trash'); END;
CREATE TRIGGER question_version_stays_as_it_is BEFORE UPDATE ON question_version BEGIN SELECT RAISE(ABORT, 'question_version rows are never changed'); END;
CREATE TRIGGER question_version_is_kept BEFORE DELETE ON question_version WHEN NOT EXISTS (SELECT 1 FROM question q WHERE q.id = OLD.question_id AND q.trashed_at IS NOT NULL) BEGIN SELECT RAISE(ABORT, 'question_version rows go only through the trash'); END;
CREATE TRIGGER check_text_stays_as_it_is BEFORE UPDATE ON check_text BEGIN SELECT RAISE(ABORT, 'check_text rows are never changed'); END;
CREATE TRIGGER ruler_stays_as_it_is BEFORE UPDATE ON ruler BEGIN SELECT RAISE(ABORT, 'ruler rows are never changed'); END;
CREATE TRIGGER image_stays_as_it_is BEFORE UPDATE OF sha256, data ON image BEGIN SELECT RAISE(ABORT, 'image rows are never changed'); END;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('response',3);
INSERT INTO "sqlite_sequence" VALUES('ruler',1);
INSERT INTO "sqlite_sequence" VALUES('run',1);
INSERT INTO "sqlite_sequence" VALUES('verdict',4);
INSERT INTO "sqlite_sequence" VALUES('verdict_override',1);
INSERT INTO "sqlite_sequence" VALUES('label',1);
COMMIT;
PRAGMA application_id = 1195461972;
PRAGMA user_version = 1;
