package io.gpusched.wire.pool;

import io.gpusched.core.event.Problem;
import io.gpusched.wire.request.JsonTree;
import io.gpusched.wire.request.Parsed;
import io.gpusched.wire.request.RequestFields;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;

/// A request to hold a pool at a size, or to let its rules decide again.
///
/// @param replicas null to let the rules decide
public record ScaleRequest(@Nullable Integer replicas, String reason) {
    private static final int LONGEST_REASON = 1_024;

    public static Parsed<ScaleRequest, Problem> read(JsonTree.Mapping body) {
        var problems = new ArrayList<Problem>();
        var fields = RequestFields.withQuotedNumbers("", body, problems);
        boolean auto = fields.isNull("replicas");
        int replicas = fields.integer("replicas", 0, 0, PoolRequest.MOST_REPLICAS);
        if (!auto && !fields.has("replicas")) {
            fields.problem(
                    "replicas",
                    "the request names no size",
                    "add \"replicas\": 3, or \"replicas\": null to let the rules decide");
        }
        String reason = fields.text("reason", "", LONGEST_REASON);
        fields.value("pool");
        return Parsed.of(
                new ScaleRequest(auto ? null : replicas, reason), fields.unknown(), problems);
    }
}
