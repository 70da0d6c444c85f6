-- Runs alone are in the columns there were; runs beside other jobs are kept apart from them.
ALTER TABLE stats ADD COLUMN together_mean DOUBLE PRECISION NOT NULL DEFAULT 0;

ALTER TABLE stats ADD COLUMN together_variance DOUBLE PRECISION NOT NULL DEFAULT 0;

ALTER TABLE stats ADD COLUMN together_count BIGINT NOT NULL DEFAULT 0;

-- How much slower a kind of job ran beside another: 0.2 for a fifth.
CREATE TABLE interference (
    job_type TEXT NOT NULL,
    co_job_type TEXT NOT NULL,
    slowdown_factor DOUBLE PRECISION NOT NULL,
    count BIGINT NOT NULL,
    last_updated DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (job_type, co_job_type)
);

-- How many rows of either are kept.
CREATE TABLE retention (
    pairs BIGINT NOT NULL
);

INSERT INTO retention VALUES (1000);
