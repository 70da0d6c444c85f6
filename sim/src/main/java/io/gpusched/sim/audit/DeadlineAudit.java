package io.gpusched.sim.audit;

import io.gpusched.core.cell.Listener;
import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Outcome;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Notes which jobs met their deadline, from the journal alone. A job that was cancelled counts
/// for neither; one that failed has missed it.
public final class DeadlineAudit implements Listener {
    private final Map<JobId, Instant> open = new LinkedHashMap<>();
    private final List<JobId> met = new ArrayList<>();
    private final List<JobId> missed = new ArrayList<>();
    private Instant now = Instant.MIN;

    @Override
    public void concluded(Batch batch, CycleResult cycleResult) {
        now = batch.at();
        batch.facts().forEach(this::hear);
        batch.decided().forEach(this::hear);
    }

    private void hear(Event event) {
        switch (event) {
            case Event.JobSubmitted e -> {
                if (e.spec().deadline() != null) {
                    open.put(e.job(), e.spec().deadline().of(e.at()));
                }
            }
            case Event.JobEnded e -> {
                Instant deadline = open.remove(e.job());
                if (deadline != null && e.outcome().result() != Outcome.Result.CANCELLED) {
                    boolean late =
                            e.at().isAfter(deadline)
                                    || e.outcome().result() != Outcome.Result.COMPLETED;
                    (late ? missed : met).add(e.job());
                }
            }
            default -> {}
        }
    }

    /// Jobs that completed in time.
    public List<JobId> met() {
        return List.copyOf(met);
    }

    /// Jobs that ended late, failed, or still run after their deadline.
    public List<JobId> missed() {
        var all = new ArrayList<>(missed);
        open.forEach(
                (job, deadline) -> {
                    if (now.isAfter(deadline)) {
                        all.add(job);
                    }
                });
        return all;
    }
}
