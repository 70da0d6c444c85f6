-- What the scheduler knows, as tables to look at. They follow the journal within moments and are never
-- read for a decision; deleting them loses nothing, they are made again.

-- The newest batch that is in the tables.
CREATE TABLE projected (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    batch BIGINT NOT NULL
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
    max_gpu_memory_mb BIGINT,
    max_cpu_cores NUMERIC,
    max_memory_mb BIGINT,
    max_concurrent_jobs BIGINT,
    current_gp_us NUMERIC NOT NULL,
    current_gpu_memory BIGINT NOT NULL,
    current_cpu_cores NUMERIC NOT NULL,
    current_memory BIGINT NOT NULL,
    current_jobs BIGINT NOT NULL,
    total_gpu_hours DOUBLE PRECISION NOT NULL,
    total_jobs BIGINT NOT NULL,
    successful_jobs BIGINT NOT NULL,
    failed_jobs BIGINT NOT NULL,
    priority_tier TEXT NOT NULL,
    fair_share_weight DOUBLE PRECISION NOT NULL,
    allow_preemption BOOLEAN NOT NULL,
    can_preempt_others BOOLEAN NOT NULL,
    max_preemptions INTEGER NOT NULL,
    active BOOLEAN NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    body BYTEA NOT NULL
);

CREATE TABLE jobs (
    number BIGINT PRIMARY KEY,
    id TEXT NOT NULL,
    tenant_id TEXT NOT NULL,
    name TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT NOT NULL,
    priority INTEGER NOT NULL,
    gpu_count NUMERIC NOT NULL,
    gpu_memory_mb BIGINT NOT NULL,
    cpu_cores NUMERIC NOT NULL,
    memory_mb BIGINT NOT NULL,
    tasks INTEGER NOT NULL,
    gang_scheduling BOOLEAN NOT NULL,
    script TEXT NOT NULL,
    environment TEXT NOT NULL,
    image TEXT NOT NULL,
    command TEXT NOT NULL,
    args TEXT NOT NULL,
    max_runtime BIGINT NOT NULL,
    checkpoint_enabled BOOLEAN NOT NULL,
    node_name TEXT NOT NULL,
    exit_code INTEGER,
    submitted_at TIMESTAMPTZ NOT NULL,
    scheduled_at TIMESTAMPTZ,
    started_at TIMESTAMPTZ,
    completed_at TIMESTAMPTZ,
    actual_duration BIGINT,
    preempted_count INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    labels TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    body BYTEA NOT NULL
);

CREATE UNIQUE INDEX jobs_by_id ON jobs (id);

CREATE INDEX jobs_by_tenant ON jobs (tenant_id, number);

CREATE INDEX jobs_by_state ON jobs (state, number);

-- Which batches of the journal tell of a job.
CREATE TABLE job_batches (
    job BIGINT NOT NULL,
    batch BIGINT NOT NULL,
    PRIMARY KEY (job, batch)
);

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
    total_memory_mb BIGINT NOT NULL,
    available_memory_mb BIGINT NOT NULL,
    online BOOLEAN NOT NULL,
    schedulable BOOLEAN NOT NULL,
    draining_mode BOOLEAN NOT NULL,
    labels TEXT NOT NULL,
    taints TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    body BYTEA NOT NULL
);

CREATE TABLE gpus (
    id TEXT PRIMARY KEY,
    node_id TEXT NOT NULL,
    "index" INTEGER NOT NULL,
    uuid TEXT NOT NULL,
    model TEXT NOT NULL,
    memory_total_mb BIGINT NOT NULL,
    allocated BOOLEAN NOT NULL,
    job_id TEXT,
    tenant_id TEXT,
    heat TEXT NOT NULL,
    health TEXT NOT NULL,
    last_error TEXT NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL
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
    memory_mb BIGINT NOT NULL,
    allocated_at TIMESTAMPTZ NOT NULL,
    completed_at TIMESTAMPTZ,
    preempted_at TIMESTAMPTZ,
    preemption_reason TEXT NOT NULL,
    actual_duration BIGINT
);

CREATE INDEX allocations_by_job ON allocations (job_id);

CREATE INDEX allocations_by_tenant ON allocations (tenant_id);

-- How long a kind of job took on a kind of GPU, in seconds.
CREATE TABLE stats (
    job_type TEXT NOT NULL,
    gpu_type TEXT NOT NULL,
    mean_runtime DOUBLE PRECISION NOT NULL,
    variance DOUBLE PRECISION NOT NULL,
    count BIGINT NOT NULL,
    last_updated DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (job_type, gpu_type)
);
