-- Figures of pools over time.
CREATE TABLE IF NOT EXISTS pool_history (
    pool_id TEXT NOT NULL,
    step INTEGER NOT NULL,
    at BIGINT NOT NULL,
    samples INTEGER NOT NULL,
    measured INTEGER NOT NULL,
    replicas DOUBLE PRECISION,
    ready DOUBLE PRECISION,
    arrivals DOUBLE PRECISION,
    tokens_per_second DOUBLE PRECISION,
    cost_per_hour DOUBLE PRECISION,
    ttft_p95_ms DOUBLE PRECISION,
    slo_percent DOUBLE PRECISION,
    PRIMARY KEY (pool_id, step, at)
);
