package io.gpusched.operator.admission;

import com.fasterxml.jackson.databind.JsonNode;

import io.gpusched.operator.kube.KubeException;
import io.gpusched.operator.kube.ObjectReference;
import io.gpusched.operator.kube.ResourceType;
import io.gpusched.operator.pods.ClusterObjects;
import io.gpusched.operator.pods.TemplateReader;
import io.gpusched.operator.scheduler.JobState;
import io.gpusched.operator.scheduler.SubmissionResult;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// The jobs of workloads at the scheduler: submitted while a workload waits, cancelled when it no
/// longer does, and asked why they wait, which the workload is told by an event and an annotation.
final class Queueing {
    private static final Logger log = LoggerFactory.getLogger(Queueing.class);
    private static final String WAITS = "gpu-scheduler.io/waits";
    private static final String TENANT = "gpu-scheduler.io/tenant";
    private static final Duration LOOK = Duration.ofSeconds(5);
    private static final Duration AFTER_REFUSAL = Duration.ofSeconds(30);
    private static final int LONGEST = 1_000;

    private final Wiring wiring;
    private final TemplateReader templates;
    private final Set<String> tenants = new HashSet<>();

    /// What it works with.
    ///
    /// @param labels is told keys of node labels that the scheduler must know
    /// @param cluster the UID of the cluster
    /// @param schedulerName whose pods become jobs of their own
    record Wiring(
            JobService scheduler,
            WorkloadCalls calls,
            ClusterObjects objects,
            Events events,
            Consumer<List<String>> labels,
            String cluster,
            String schedulerName) {}

    /// Takes events; it aggregates them, and drops what is too much.
    interface Events {
        void record(ObjectReference about, String type, String reason, String message);
    }

    Queueing(Wiring wiring) {
        this.wiring = wiring;
        this.templates = new TemplateReader(wiring.objects());
    }

    void step(QueuedWorkload admission, Instant now) {
        Workload workload = admission.workload;
        String namespace = workload.namespace();
        JsonNode its = wiring.objects().find(ResourceType.NAMESPACES, "", namespace);
        boolean wanted = !admission.gone && !workload.isLeaving() && workload.isWanted(its);
        boolean waits = wanted && !workload.isOver() && workload.isSuspended();
        if (waits && !admission.isLive()) {
            queue(admission, its, now);
        } else if (!admission.job.isEmpty() && (admission.gone || !admission.isLive())) {
            cancel(admission.job);
            admission.job = "";
            admission.attempt++;
        } else if (wanted && !workload.isOver() && !waits && !admission.isLive()) {
            warn(admission, "it is not admitted because it was not created with suspend: true");
        } else if (waits && admission.request == null) {
            admission.request = read(workload, its);
        }
    }

    private WorkloadJob read(Workload workload, JsonNode namespace) {
        WorkloadJob job =
                WorkloadJob.of(workload, templates, wiring.cluster(), wiring.schedulerName());
        JsonNode annotations = namespace.path("metadata").path("annotations");
        job.body().put("tenant_id", annotations.path(TENANT).asText(workload.namespace()));
        return job;
    }

    private void queue(QueuedWorkload admission, JsonNode namespace, Instant now) {
        WorkloadJob request = read(admission.workload, namespace);
        WorkloadJob before = admission.request;
        boolean same = before == null || before.body().equals(request.body());
        admission.request = request;
        if (!admission.job.isEmpty() && !(same && request.problem().isEmpty())) {
            cancel(admission.job);
            admission.job = "";
            admission.attempt++;
        }
        if (!request.problem().isEmpty()) {
            tell(admission, request.problem());
            admission.askAt = now.plus(LOOK);
        } else if (admission.job.isEmpty()) {
            submit(admission, request, now);
        } else {
            look(admission, now);
        }
    }

    private void submit(QueuedWorkload admission, WorkloadJob request, Instant now) {
        wiring.labels().accept(request.labels());
        String tenant = request.body().path("tenant_id").asText();
        String problem = tenants.contains(tenant) ? "" : wiring.scheduler().ensureTenant(tenant);
        if (!problem.isEmpty()) {
            tell(admission, "tenant %s cannot be used: %s".formatted(tenant, problem));
            admission.askAt = now.plus(AFTER_REFUSAL);
            return;
        }
        tenants.add(tenant);
        String key = admission.workload.uid() + "-" + admission.attempt;
        switch (wiring.scheduler().submit(key, request.body())) {
            case SubmissionResult.Accepted(String job) -> {
                admission.job = job;
                admission.askAt = now.plusSeconds(1);
            }
            case SubmissionResult.KeyTaken _ -> admission.attempt++;
            case SubmissionResult.Refused(String why) -> {
                tenants.remove(tenant);
                tell(admission, "the scheduler does not accept the workload: " + why);
                admission.askAt = now.plus(AFTER_REFUSAL);
            }
        }
    }

    private void look(QueuedWorkload admission, Instant now) {
        JobState state = wiring.scheduler().explain(admission.job);
        admission.askAt = now.plus(LOOK);
        if (state.state().equals("cancelled")) {
            tell(
                    admission,
                    "%s was cancelled; create the workload anew to queue it again"
                            .formatted(admission.job));
        } else if (state.isOver()) {
            admission.job = "";
            admission.attempt++;
        } else if (state.waits()) {
            tell(admission, admission.job + ": " + state.why() + remarks(admission));
        }
    }

    private static String remarks(QueuedWorkload admission) {
        WorkloadJob request = admission.request;
        return request == null || request.notes().isEmpty()
                ? ""
                : " (" + String.join("; ", request.notes()) + ")";
    }

    /// One that has ended is none to cancel.
    void cancel(String job) {
        wiring.scheduler().cancel(job);
    }

    void admitted(QueuedWorkload admission) {
        admission.told = "";
        String message = admission.job + " has its nodes";
        ObjectReference about = admission.workload.reference();
        wiring.events().record(about, "Normal", "Admitted", message);
        note(admission, "");
    }

    /// Tells why the workload waits, if that is new.
    void tell(QueuedWorkload admission, String why) {
        String shown = why.substring(0, Math.min(why.length(), LONGEST));
        if (!shown.equals(admission.told)) {
            warn(admission, shown);
            note(admission, shown);
        }
    }

    /// An event, if it is new.
    void warn(QueuedWorkload admission, String why) {
        if (!why.equals(admission.told)) {
            admission.told = why;
            ObjectReference about = admission.workload.reference();
            wiring.events().record(about, "Warning", "NotAdmitted", why);
        }
    }

    /// The event is told in any case; a workload that does not carry the note runs all the same.
    private void note(QueuedWorkload admission, String why) {
        if (admission.gone || admission.workload.annotation(WAITS).equals(why)) {
            return;
        }
        try {
            wiring.calls().annotate(admission.workload, WAITS, why);
        } catch (KubeException e) {
            log.debug("{} carries no note: {}", admission.workload.reference(), e.getMessage());
        }
    }
}
