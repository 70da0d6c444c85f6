-- Numbers that rise with every change, in the order of the journal: what has the smallest is forgotten first. The
-- time of the last change does not say that, because what was imported keeps the time it had elsewhere.
ALTER TABLE stats ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;

ALTER TABLE interference ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
