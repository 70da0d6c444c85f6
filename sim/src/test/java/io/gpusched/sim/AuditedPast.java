package io.gpusched.sim;

import io.gpusched.core.cell.Listener;
import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.sim.audit.Auditor;
import io.gpusched.sim.scenario.Scenario;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// A simulated history, and an auditor that can continue on a branch of it.
final class AuditedPast {
    private final List<CycleResult> conclusions = new ArrayList<>();
    private final List<Batch> batches;
    private final Auditor auditor = new Auditor();
    private long rounds;

    AuditedPast(Scenario scenario, long seed) {
        Listener keeps = (batch, cycleResult) -> conclusions.add(cycleResult);
        batches =
                Audited.run(scenario, seed, scenario.scenarioPolicy().toSettings(), List.of(keeps))
                        .batches();
    }

    /// A history that was not simulated.
    AuditedPast(List<Batch> batches, List<CycleResult> conclusions) {
        this.batches = batches;
        this.conclusions.addAll(conclusions);
    }

    List<Batch> batches() {
        return batches;
    }

    /// Passes the recorded batches up to that one to the auditor. The returned listener passes it
    /// the rest, as decided again under that policy.
    Listener auditFrom(long since, String policy) {
        for (int i = 0; i < since; i++) {
            auditor.concluded(batches.get(i), conclusions.get(i));
        }
        rounds = since;
        Instant at = since == 0 ? Instant.EPOCH : batches.get((int) since - 1).at();
        var change = new Event.PolicyChanged(at, policy, "test");
        var nothing = CycleResult.nothing(at);
        auditor.concluded(new Batch(++rounds, 1, at, List.of(change), List.of(), 0), nothing);
        return (batch, cycleResult) ->
                auditor.concluded(
                        new Batch(
                                ++rounds,
                                batch.term(),
                                batch.at(),
                                batch.facts(),
                                batch.decided(),
                                batch.digest()),
                        cycleResult);
    }

    void settle() {
        auditor.settle();
    }
}
