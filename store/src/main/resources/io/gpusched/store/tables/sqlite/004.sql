-- Why a run ended: completed, failed, cancelled, preempted or requeued; running while it has not. Of runs that ended
-- before this column was there, only what their state tells is known.
ALTER TABLE allocations ADD COLUMN end_kind TEXT NOT NULL DEFAULT 'running';

UPDATE allocations SET end_kind = state WHERE state <> 'active';

-- Finds the runs of a span of time.
CREATE INDEX allocations_by_end ON allocations (completed_at, allocated_at, node_id);
