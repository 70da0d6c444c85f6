package io.gpusched.wire.request;

import io.gpusched.core.model.Features;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A finished run that a client reports to the scoring service. The run time has several field
/// names, because published clients do not agree on one.
///
/// @param failed whether the run failed; then its run time is not learned
public record ObserveRequest(
        String kind,
        String gpuType,
        Duration ran,
        List<String> neighbours,
        Features features,
        boolean failed) {
    private static final double SHORTEST_SECONDS = 1e-6;
    private static final double LONGEST_SECONDS = 366 * 24 * 3600;
    private static final List<String> FAILURES =
            List.of("failed", "failure", "error", "cancelled", "canceled", "timeout", "false");

    public static Parsed<ObserveRequest, FieldViolation> read(JsonTree.Mapping body) {
        var violations = new ArrayList<FieldViolation>();
        var fields = new LenientFields(body, violations);
        double seconds =
                fields.number(
                        SHORTEST_SECONDS,
                        LONGEST_SECONDS,
                        "measured_runtime_s",
                        "runtime_seconds",
                        "actual_runtime",
                        "measured_runtime",
                        "runtime_s");
        LenientFields features = fields.object("features");
        var request =
                new ObserveRequest(
                        fields.text("job_type"),
                        fields.text("gpu_type"),
                        Duration.ofNanos(Math.round(seconds * 1e9)),
                        fields.texts("colocated_job_types", false, ScoreRequest.MOST_NEIGHBOURS),
                        new Features(
                                (int) features.numberOr(0, "gpu_count", 1e6),
                                features.numberOr(0, "gpu_mem_gb", 1e6),
                                features.numberOr(0, "model_params_m", 1e12),
                                features.numberOr(0, "batch_size", 1e12)),
                        fields.denies("success", FAILURES) || fields.denies("status", FAILURES));
        return Parsed.of(request, List.of(), violations);
    }
}
