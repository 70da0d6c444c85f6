-- Figures of pools over time.
CREATE TABLE IF NOT EXISTS pool_history (
    pool_id TEXT NOT NULL,
    step INTEGER NOT NULL,
    at INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    measured INTEGER NOT NULL,
    replicas REAL,
    ready REAL,
    arrivals REAL,
    tokens_per_second REAL,
    cost_per_hour REAL,
    ttft_p95_ms REAL,
    slo_percent REAL,
    PRIMARY KEY (pool_id, step, at)
) WITHOUT ROWID;
