-- What the scheduler knows, as tables to look at. They follow the journal within moments and are never
-- read for a decision; deleting them loses nothing, they are made again.

-- The newest batch that is in the tables.
CREATE TABLE projected (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    batch INTEGER NOT NULL
);

INSERT INTO projected VALUES (1, 0);

-- A quota of NULL is none at all. The spelling of max_gp_us and current_gp_us is an old promise.
CREATE TABLE tenants (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    organization TEXT NOT NULL,
    parent_id TEXT,
    max_gp_us NUMERIC,
    max_gpu_memory_mb INTEGER,
    max_cpu_cores NUMERIC,
    max_memory_mb INTEGER,
    max_concurrent_jobs INTEGER,
    current_gp_us NUMERIC NOT NULL,
    current_gpu_memory INTEGER NOT NULL,
    current_cpu_cores NUMERIC NOT NULL,
    current_memory INTEGER NOT NULL,
    current_jobs INTEGER NOT NULL,
    total_gpu_hours REAL NOT NULL,
    total_jobs INTEGER NOT NULL,
    successful_jobs INTEGER NOT NULL,
    failed_jobs INTEGER NOT NULL,
    priority_tier TEXT NOT NULL,
    fair_share_weight REAL NOT NULL,
    allow_preemption BOOLEAN NOT NULL,
    can_preempt_others BOOLEAN NOT NULL,
    max_preemptions INTEGER NOT NULL,
    active BOOLEAN NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    body BLOB NOT NULL
);

CREATE TABLE jobs (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    tenant_id TEXT NOT NULL,
    name TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT NOT NULL,
    priority INTEGER NOT NULL,
    gpu_count NUMERIC NOT NULL,
    gpu_memory_mb INTEGER NOT NULL,
    cpu_cores NUMERIC NOT NULL,
    memory_mb INTEGER NOT NULL,
    tasks INTEGER NOT NULL,
    gang_scheduling BOOLEAN NOT NULL,
    script TEXT NOT NULL,
    environment TEXT NOT NULL,
    image TEXT NOT NULL,
    command TEXT NOT NULL,
    args TEXT NOT NULL,
    max_runtime INTEGER NOT NULL,
    checkpoint_enabled BOOLEAN NOT NULL,
    node_name TEXT NOT NULL,
    exit_code INTEGER,
    submitted_at TEXT NOT NULL,
    scheduled_at TEXT,
    started_at TEXT,
    completed_at TEXT,
    actual_duration INTEGER,
    preempted_count INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    labels TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    body BLOB NOT NULL
);

CREATE UNIQUE INDEX jobs_by_id ON jobs (id);

CREATE INDEX jobs_by_tenant ON jobs (tenant_id, number);

CREATE INDEX jobs_by_state ON jobs (state, number);

-- Which batches of the journal tell of a job.
CREATE TABLE job_batches (
    job INTEGER NOT NULL,
    batch INTEGER NOT NULL,
    PRIMARY KEY (job, batch)
) WITHOUT ROWID;

CREATE TABLE nodes (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    ip_address TEXT NOT NULL,
    hostname TEXT NOT NULL,
    total_gp_us INTEGER NOT NULL,
    available_gp_us INTEGER NOT NULL,
    total_cpu_cores NUMERIC NOT NULL,
    available_cpu_cores NUMERIC NOT NULL,
    total_memory_mb INTEGER NOT NULL,
    available_memory_mb INTEGER NOT NULL,
    online BOOLEAN NOT NULL,
    schedulable BOOLEAN NOT NULL,
    draining_mode BOOLEAN NOT NULL,
    labels TEXT NOT NULL,
    taints TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    body BLOB NOT NULL
);

CREATE TABLE gpus (
    id TEXT PRIMARY KEY,
    node_id TEXT NOT NULL,
    "index" INTEGER NOT NULL,
    uuid TEXT NOT NULL,
    model TEXT NOT NULL,
    memory_total_mb INTEGER NOT NULL,
    allocated BOOLEAN NOT NULL,
    job_id TEXT,
    tenant_id TEXT,
    heat TEXT NOT NULL,
    health TEXT NOT NULL,
    last_error TEXT NOT NULL,
    updated_at TEXT NOT NULL
);

CREATE INDEX gpus_by_node ON gpus (node_id);

-- One row for each task of each run.
CREATE TABLE allocations (
    id TEXT PRIMARY KEY,
    job_id TEXT NOT NULL,
    tenant_id TEXT NOT NULL,
    state TEXT NOT NULL,
    node_id TEXT NOT NULL,
    gpu_ids TEXT NOT NULL,
    cpu_cores NUMERIC NOT NULL,
    memory_mb INTEGER NOT NULL,
    allocated_at TEXT NOT NULL,
    completed_at TEXT,
    preempted_at TEXT,
    preemption_reason TEXT NOT NULL,
    actual_duration INTEGER
);

CREATE INDEX allocations_by_job ON allocations (job_id);

CREATE INDEX allocations_by_tenant ON allocations (tenant_id);

-- How long a kind of job took on a kind of GPU, in seconds.
CREATE TABLE stats (
    job_type TEXT NOT NULL,
    gpu_type TEXT NOT NULL,
    mean_runtime REAL NOT NULL,
    variance REAL NOT NULL,
    count INTEGER NOT NULL,
    last_updated REAL NOT NULL,
    PRIMARY KEY (job_type, gpu_type)
);
