-- Where the journal begins: `base` is the batch after which the ledger was as the parts say, 0 for the very beginning.
-- Batches before it have been deleted.
ALTER TABLE cell ADD COLUMN base INTEGER NOT NULL DEFAULT 0;

CREATE TABLE base_parts (
    batch INTEGER NOT NULL,
    part INTEGER NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (batch, part)
) STRICT;
