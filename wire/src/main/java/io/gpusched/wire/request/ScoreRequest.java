package io.gpusched.wire.request;

import java.util.ArrayList;
import java.util.List;

/// A request to the scoring service: which of these GPU types suits a job best?
///
/// @param memoryGb GPU memory that the job needs; 0 if unknown
public record ScoreRequest(
        String kind, double memoryGb, List<String> candidates, List<String> neighbours) {
    private static final int MOST_CANDIDATES = 4096;

    static final int MOST_NEIGHBOURS = 256;

    public static Parsed<ScoreRequest, FieldViolation> read(JsonTree.Mapping body) {
        var violations = new ArrayList<FieldViolation>();
        var fields = new LenientFields(body, violations);
        var request =
                new ScoreRequest(
                        fields.text("job_type"),
                        fields.object("features").numberOr(0, "gpu_mem_gb", 1e6),
                        fields.texts("candidate_gpu_types", true, MOST_CANDIDATES),
                        fields.texts("colocated_job_types", false, MOST_NEIGHBOURS));
        return Parsed.of(request, List.of(), violations);
    }
}
