-- The cell's one row: which term may write, and the newest batch. Nearly empty pages let each update
-- stay on its page.
CREATE TABLE cell (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    term BIGINT NOT NULL,
    head BIGINT NOT NULL,
    holder TEXT NOT NULL
) WITH (fillfactor = 10);

INSERT INTO cell VALUES (1, 0, 0, '');

-- `at` counts microseconds since 1970; `checksum` covers all other columns. Bodies stay beside their
-- row as long as they fit a page.
CREATE TABLE batches (
    number BIGINT PRIMARY KEY,
    term BIGINT NOT NULL,
    at BIGINT NOT NULL,
    body BYTEA NOT NULL,
    digest BIGINT NOT NULL,
    checksum BIGINT NOT NULL
) WITH (toast_tuple_target = 8160);

-- Bodies are not compressed a second time. `CREATE TABLE` itself takes a storage only since PostgreSQL 16.
ALTER TABLE batches ALTER COLUMN body SET STORAGE EXTERNAL;
