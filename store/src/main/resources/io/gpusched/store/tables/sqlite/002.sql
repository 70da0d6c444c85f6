-- Runs alone are in the columns there were; runs beside other jobs are kept apart from them.
ALTER TABLE stats ADD COLUMN together_mean REAL NOT NULL DEFAULT 0;

ALTER TABLE stats ADD COLUMN together_variance REAL NOT NULL DEFAULT 0;

ALTER TABLE stats ADD COLUMN together_count INTEGER NOT NULL DEFAULT 0;

-- How much slower a kind of job ran beside another: 0.2 for a fifth.
CREATE TABLE interference (
    job_type TEXT NOT NULL,
    co_job_type TEXT NOT NULL,
    slowdown_factor REAL NOT NULL,
    count INTEGER NOT NULL,
    last_updated REAL NOT NULL,
    PRIMARY KEY (job_type, co_job_type)
);

-- How many rows of either are kept.
CREATE TABLE retention (
    pairs INTEGER NOT NULL
);

INSERT INTO retention VALUES (1000);
