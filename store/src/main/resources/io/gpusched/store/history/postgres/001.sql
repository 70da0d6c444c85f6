-- Figures of the cluster and of its tenants over time. A step is so many seconds long and begins at so many seconds
-- since 1970.
CREATE TABLE IF NOT EXISTS history (
    step INTEGER NOT NULL,
    at BIGINT NOT NULL,
    samples INTEGER NOT NULL,
    measured INTEGER NOT NULL,
    gpus_total DOUBLE PRECISION,
    gpus_used DOUBLE PRECISION,
    waiting DOUBLE PRECISION,
    running DOUBLE PRECISION,
    submitted DOUBLE PRECISION,
    started DOUBLE PRECISION,
    completed DOUBLE PRECISION,
    failed DOUBLE PRECISION,
    preempted DOUBLE PRECISION,
    gpu_utilization DOUBLE PRECISION,
    power_watts DOUBLE PRECISION,
    gpu_temperature_max DOUBLE PRECISION,
    waits BYTEA NOT NULL,
    PRIMARY KEY (step, at)
);

CREATE TABLE IF NOT EXISTS tenant_history (
    step INTEGER NOT NULL,
    at BIGINT NOT NULL,
    tenant_id TEXT NOT NULL,
    samples INTEGER NOT NULL,
    measured INTEGER NOT NULL,
    gpus_used DOUBLE PRECISION,
    waiting DOUBLE PRECISION,
    running DOUBLE PRECISION,
    started DOUBLE PRECISION,
    power_watts DOUBLE PRECISION,
    waits BYTEA NOT NULL,
    PRIMARY KEY (step, at, tenant_id)
);
