-- The cell's one row: which term may write, and the newest batch.
CREATE TABLE cell (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    term INTEGER NOT NULL,
    head INTEGER NOT NULL,
    holder TEXT NOT NULL
) STRICT;

INSERT INTO cell VALUES (1, 0, 0, '');

-- `at` counts microseconds since 1970; `checksum` covers all other columns.
CREATE TABLE batches (
    number INTEGER PRIMARY KEY,
    term INTEGER NOT NULL,
    at INTEGER NOT NULL,
    body BLOB NOT NULL,
    digest INTEGER NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;

-- So that an append is one statement.
CREATE TRIGGER head_follows AFTER INSERT ON batches BEGIN
    UPDATE cell SET head = NEW.number;
END;
