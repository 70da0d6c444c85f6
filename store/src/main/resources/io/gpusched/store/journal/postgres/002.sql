-- Where the journal begins: `base` is the batch after which the ledger was as the parts say, 0 for the very beginning.
-- Batches before it have been deleted.
ALTER TABLE cell ADD COLUMN base BIGINT NOT NULL DEFAULT 0;

CREATE TABLE base_parts (
    batch BIGINT NOT NULL,
    part INTEGER NOT NULL,
    body BYTEA NOT NULL,
    PRIMARY KEY (batch, part)
);

ALTER TABLE base_parts ALTER COLUMN body SET STORAGE EXTERNAL;
