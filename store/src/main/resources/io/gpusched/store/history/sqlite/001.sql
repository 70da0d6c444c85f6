-- Figures of the cluster and of its tenants over time. A step is so many seconds long and begins at so many seconds
-- since 1970.
CREATE TABLE IF NOT EXISTS history (
    step INTEGER NOT NULL,
    at INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    measured INTEGER NOT NULL,
    gpus_total REAL,
    gpus_used REAL,
    waiting REAL,
    running REAL,
    submitted REAL,
    started REAL,
    completed REAL,
    failed REAL,
    preempted REAL,
    gpu_utilization REAL,
    power_watts REAL,
    gpu_temperature_max REAL,
    waits BLOB NOT NULL,
    PRIMARY KEY (step, at)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS tenant_history (
    step INTEGER NOT NULL,
    at INTEGER NOT NULL,
    tenant_id TEXT NOT NULL,
    samples INTEGER NOT NULL,
    measured INTEGER NOT NULL,
    gpus_used REAL,
    waiting REAL,
    running REAL,
    started REAL,
    power_watts REAL,
    waits BLOB NOT NULL,
    PRIMARY KEY (step, at, tenant_id)
) WITHOUT ROWID;
